# What is installed, and the Debian packages of it: cpack -G DEB in the build directory.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)

# find_package(extremal), then link extremal::extremal. Without dependencies to look for, the exported
# targets are the whole package configuration.
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/extremal")
write_basic_package_version_file(extremalConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(TARGETS extremal extremal_archive extremal_baselines extremal_import extremal_report EXPORT extremal FILE_SET HEADERS
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(TARGETS extremal_cli)
install(DIRECTORY models DESTINATION "${CMAKE_INSTALL_DATADIR}/extremal" FILES_MATCHING PATTERN "*.toml")
install(EXPORT extremal FILE extremalConfig.cmake NAMESPACE extremal:: DESTINATION "${package}")
install(FILES "${PROJECT_BINARY_DIR}/extremalConfigVersion.cmake" DESTINATION "${package}")

# pkg-config extremal, extremal-archive, extremal-baselines, extremal-import and extremal-report. Paths are relative to the .pc file, so that the package may be moved.
set(pkgconfig "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH pc_prefix "${CMAKE_INSTALL_PREFIX}/${pkgconfig}" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
get_target_property(pc_options extremal INTERFACE_COMPILE_OPTIONS)  # what find_package tells its users, too
list(JOIN pc_options " " pc_options)
set(pc_ida "")
if(EXTREMAL_HAS_IDA)
  set(pc_ida " -lsundials_ida")
endif()
foreach(name IN ITEMS extremal extremal-archive extremal-baselines extremal-import extremal-report)
  configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${pkgconfig}")
endforeach()

# The licence as Debian wants it, and those of the headers that become a part of the program.
set(documents "${CMAKE_INSTALL_DATADIR}/doc/extremal")
file(READ LICENSE licence)
string(REGEX REPLACE "^MIT License\n\n[^\n]*\n\n" "" licence "${licence}")
string(REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REGEX REPLACE "\n(.)" "\n \\1" licence " ${licence}")
configure_file(cmake/copyright.in copyright @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/copyright" CHANGELOG.md CITATION.cff DESTINATION "${documents}")
foreach(library IN ITEMS libfmt-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev)
  install(FILES /usr/share/doc/${library}/copyright DESTINATION "${documents}" RENAME copyright.${library} OPTIONAL)
endforeach()

if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

# Three packages: the program with the library, the module for mpirun, so that only those who have it need MPI, and that of
# Python.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The extremal developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "variational integrators for mechanical systems with constraints")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "A program and a C++20 library that discretise the action of mechanical systems with holonomic
constraints, step them with symplectic methods of high order and measure what the methods promise.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL program)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME extremal)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "g++, cmake, pkg-config, libnetcdf-dev, libpugixml-dev")  # to use the library
if(TARGET extremal_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  set(CPACK_COMPONENT_MPI_DESCRIPTION "sweeps of extremal under mpirun")
  install(FILES "${PROJECT_BINARY_DIR}/copyright" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/extremal-mpi" COMPONENT mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME extremal-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "extremal (= ${PROJECT_VERSION})")
endif()
if(TARGET extremal_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "extremal in Python: systems from functions, runs as arrays")
  # Where Debian's own interpreter looks, which the module is for.
  set(place lib/python3/dist-packages/extremal)
  install(TARGETS extremal_python DESTINATION ${place} COMPONENT python OPTIONAL)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/python/extremal/" DESTINATION ${place} COMPONENT python
    FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
  install(FILES "${PROJECT_BINARY_DIR}/copyright" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/python3-extremal" COMPONENT python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-extremal)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/cmake/prerm")
  math(EXPR next "${Python3_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-xarray, python3-matplotlib, python3-mpmath, jupyter-notebook")
endif()
include(CPack)
