# The steps of install.prefix and install.package; see CMakeLists.txt.
cmake_minimum_required(VERSION 3.25)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH root)
cmake_path(GET root PARENT_PATH root)
set(example ${root}/examples/first.cpp)

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${work} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# expect(<text> <command>...): in what the command prints. There is nothing in its environment but an empty home.
function(expect text)
  execute_process(COMMAND env -i HOME=${work}/home PATH=/usr/bin:/bin ${ARGN}
    WORKING_DIRECTORY ${work} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  string(FIND "${output}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "no '${text}' in\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${work})
file(MAKE_DIRECTORY ${work}/home)
if(way STREQUAL "prefix")
  set(prefix ${work}/prefix)
  run(${CMAKE_COMMAND} --install ${build} --prefix ${work}/first)
  file(RENAME ${work}/first ${prefix})  # an installed package may be moved
else()
  set(prefix ${work}/root/usr)
  cmake_path(GET CMAKE_COMMAND PARENT_PATH tools)
  run(${tools}/cpack -G DEB --config ${build}/CPackConfig.cmake -B ${work})
  file(GLOB file ${work}/extremal_${version}_*.deb)
  run(dpkg-deb -x ${file} ${work}/root)
  expect("libnetcdf" dpkg-deb --field ${file} Depends)
  execute_process(COMMAND dpkg-deb --field ${file} Depends OUTPUT_VARIABLE depends COMMAND_ERROR_IS_FATAL ANY)
  if(depends MATCHES "mpi")
    message(FATAL_ERROR "whoever installs the program needs MPI: ${depends}")
  endif()
  expect("Permission is hereby granted" cat ${prefix}/share/doc/extremal/copyright)
  file(GLOB file ${work}/python3-extremal_${version}_*.deb)
  if(file AND EXISTS ${build}/python/extremal)
    run(dpkg-deb -x ${file} ${work}/python)
    expect("python3-numpy" dpkg-deb --field ${file} Depends)
    file(GLOB module ${work}/python/usr/lib/python3/dist-packages/extremal/_extremal*.so)
    if(module)  # built with the tests
      expect("complete" /usr/bin/python3 -c
        "import sys\nsys.path.insert(0, '${work}/python/usr/lib/python3/dist-packages')\nimport extremal\nprint(extremal.model('pendulum').run(until=1).status)")
    endif()
  endif()
endif()

# The program. Models are a part of it, and files beside it.
set(program ${prefix}/bin/extremal)
expect("${version}" ${program} --version)
expect("double-four-bar" ${program} list models)
expect("complete" ${program} run pendulum)
file(READ ${prefix}/share/extremal/models/pendulum.toml text)
expect("${text}" ${program} show pendulum --text)

# The library, by CMake and by pkg-config, which both find everything from where they are now.
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${work}/build -G ${generator}
  -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_CXX_FLAGS=${flags}
  -D CMAKE_PREFIX_PATH=${prefix} -D version=${version} -D example=${example})
run(${CMAKE_COMMAND} --build ${work}/build)
file(READ ${root}/examples/first.expected text)
expect("${text}" ${work}/build/consumer)
expect("page" ${work}/build/page)  # written, or that the library was built without

find_program(pkg_config pkg-config)
if(pkg_config)
  file(GLOB_RECURSE pc ${prefix}/lib*/extremal.pc)
  cmake_path(GET pc PARENT_PATH folder)
  set(ENV{PKG_CONFIG_PATH} ${folder})
  execute_process(COMMAND ${pkg_config} --cflags --libs extremal OUTPUT_VARIABLE options COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(options UNIX_COMMAND "${options} ${flags}")
  run(${compiler} -std=c++20 -O2 ${example} -o ${work}/by_pkg_config ${options})
  expect("${text}" ${work}/by_pkg_config)
  run(${pkg_config} --exists --print-errors "extremal-archive = ${version}" "extremal-import = ${version}" "extremal-report = ${version}")
endif()
