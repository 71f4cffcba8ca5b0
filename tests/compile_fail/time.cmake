# cmake -D compiler=... -D source=... -D include=... -D output=... -D limit_ms=... -P time.cmake: the
# best of three compilations takes less than limit_ms.
foreach(round RANGE 1 3)
  string(TIMESTAMP begin "%s%f")  # microseconds
  execute_process(COMMAND ${compiler} -std=c++20 -O2 -I ${include} -c ${source} -o ${output} RESULT_VARIABLE result)
  string(TIMESTAMP end "%s%f")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${source} does not compile")
  endif()
  math(EXPR elapsed "(${end} - ${begin}) / 1000")
  if(NOT DEFINED best OR elapsed LESS best)
    set(best ${elapsed})
  endif()
endforeach()
message("${source}: ${best} ms, best of 3, ${limit_ms} ms are allowed")
if(NOT best LESS limit_ms)
  message(FATAL_ERROR "too slow")
endif()
