# cmake -D program=... -D expected=... -P expect.cmake: the program prints exactly what the file says.
execute_process(COMMAND ${program} COMMAND diff -u ${expected} - RESULTS_VARIABLE results)
list(GET results 0 status)
list(GET results 1 difference)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${program} ends with ${status}")
elseif(NOT difference EQUAL 0)
  message(FATAL_ERROR "${program} does not print ${expected}")
endif()
