# The steps of install.consumer; see CMakeLists.txt.
set(prefix ${work}/prefix)
set(source ${CMAKE_CURRENT_LIST_DIR}/consumer)

file(REMOVE_RECURSE ${work})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${build} --prefix ${work}/first COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${work}/first ${prefix})  # an installed package may be moved
execute_process(COMMAND ${CMAKE_COMMAND} -S ${source} -B ${work}/build -G ${generator}
  -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_CXX_FLAGS=${flags}
  -D CMAKE_PREFIX_PATH=${prefix} -D version=${version} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${work}/build COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${work}/build/consumer OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
message("${output}")
if(NOT output MATCHES "spark|lobatto")
  message(FATAL_ERROR "the consumer does not name its scheme")
endif()

execute_process(COMMAND ${prefix}/bin/extremal --version OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
string(FIND "${output}" "${version}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "extremal --version says '${output}', not ${version}")
endif()

# Models are part of the program, and files beside it.
execute_process(COMMAND ${prefix}/bin/extremal show pendulum --text WORKING_DIRECTORY ${work} OUTPUT_VARIABLE output
  COMMAND_ERROR_IS_FATAL ANY)
file(READ ${prefix}/share/extremal/models/pendulum.toml text)
if(NOT output STREQUAL text)
  message(FATAL_ERROR "extremal show pendulum --text is not the installed file")
endif()
