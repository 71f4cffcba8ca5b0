# cmake -D compiler=... -D name=... -P check.cmake, in this directory: compile name.cpp and check that
#   - the compiler refuses it,
#   - each text of the lines "// expect: <text>" at the top of the file is in the message,
#   - the message names name.cpp, so that users are led to their own line,
#   - the message is shorter than 2048 bytes.
# The file control.cpp must compile instead.
#
# The paths are relative and the language is English, so that the message is the same everywhere.
set(ENV{LC_ALL} C)
execute_process(COMMAND ${compiler} -std=c++20 -I ../../include -fsyntax-only ${name}.cpp
  RESULT_VARIABLE result OUTPUT_VARIABLE message ERROR_VARIABLE message)

if(name STREQUAL "control")
  if(NOT result EQUAL 0)
    message("${message}")
    message(FATAL_ERROR "control.cpp does not compile")
  endif()
  return()
endif()

set(complaints "")
if(result EQUAL 0)
  string(APPEND complaints "it compiles\n")
endif()
file(STRINGS ${name}.cpp expectations REGEX "^// expect: ")
if(NOT expectations)
  string(APPEND complaints "it has no line '// expect: <text>'\n")
endif()
foreach(expectation IN LISTS expectations ITEMS ${name}.cpp)
  string(REGEX REPLACE "^// expect: " "" text "${expectation}")
  string(FIND "${message}" "${text}" at)
  if(at EQUAL -1)
    string(APPEND complaints "the message does not say: ${text}\n")
  endif()
endforeach()
string(LENGTH "${message}" length)
if(NOT length LESS 2048)
  string(APPEND complaints "the message has ${length} bytes, 2047 are allowed\n")
endif()
if(complaints)
  message("${message}")
  message(FATAL_ERROR "${name}.cpp: the message of the compiler is above.\n${complaints}")
endif()
