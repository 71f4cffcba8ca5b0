# cmake -D program=... -D arguments=... -D work=... -D expected=... -P expect.cmake: the program prints exactly what the
# file says, in a folder that was empty.
separate_arguments(arguments UNIX_COMMAND "${arguments}")
file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work})
execute_process(COMMAND ${program} ${arguments} COMMAND diff -u ${expected} - WORKING_DIRECTORY ${work}
  RESULTS_VARIABLE results)
list(GET results 0 status)
list(GET results 1 difference)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${program} ${arguments} ends with ${status}")
elseif(NOT difference EQUAL 0)
  message(FATAL_ERROR "${program} ${arguments} does not print ${expected}")
endif()
