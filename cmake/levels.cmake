# How hard the compiler works on which sources of the library, and which it takes together.
#
# -O3 is for the loops of a step. What runs once per run, per row or per file gains nothing from it that `extremal bench`
# or scripts/instructions could see, and takes twice the time to compile: -O1. The same holds for long double and quad.
# Short sources spend most of their time in headers, so neighbours of a folder are compiled as one; file-local names are
# therefore unique in their folder.

# extremal_objects(<name> <level> <together> SOURCES <file>... [DEFINITIONS <name>...]): adds the objects of the sources to
# the library, compiled at the level in release builds, at most so many of a folder at once (1: each by itself).
function(extremal_objects name level together)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "SOURCES;DEFINITIONS")
  add_library(${name} OBJECT ${arg_SOURCES})
  target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_include_directories(${name} PRIVATE include)
  target_link_libraries(${name} PRIVATE extremal_internal)
  extremal_flags(${name} LIBRARY)
  target_sources(extremal PRIVATE $<TARGET_OBJECTS:${name}>)
  extremal_level(${name} ${level} ${together} ${arg_SOURCES})
endfunction()

# extremal_level(<target> <level> <together> <file>...): the same for a target that is there already.
function(extremal_level target level together)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:${level}>)
  if(NOT target MATCHES "_(rest|bodies|terms|thermoelastic|wrapped|wide|archive|report|cli)$")  # what steps are made of
    target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:${EXTREMAL_DEBUG_STEPS}>)
  endif()
  extremal_together(${target} ${together} ${ARGN})
endfunction()

# extremal_together(<target> <together> <file>...): at most so many sources of a folder are compiled at once.
function(extremal_together target together)
  if(NOT EXTREMAL_UNITY OR together LESS_EQUAL 1)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # GCC takes file-local types of a source that is included for those of a header.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    if(NOT DEFINED seen_${folder})
      set(seen_${folder} 0)
    endif()
    math(EXPR group "${seen_${folder}} / ${together}")
    math(EXPR seen_${folder} "${seen_${folder}} + 1")
    get_source_file_property(known "${source}" UNITY_GROUP)  # of a target that has the source too
    if(NOT known)
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${target}_${folder}${group}")
    endif()
  endforeach()
endfunction()
