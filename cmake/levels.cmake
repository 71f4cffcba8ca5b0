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
  if(NOT target MATCHES "_(rest|bodies|terms|thermoelastic|wrapped|wide|archive|import|report|cli)$")  # what steps are made of
    target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:${EXTREMAL_DEBUG_STEPS}>)
  endif()
  extremal_together(${target} ${together} ${ARGN})
endfunction()

# extremal_together(<target> <together> <file>...): at most so many sources of a folder are compiled at once, by a source
# that includes them, unless they have options or definitions of their own. CMake's unity builds would do, but name sources
# by their place on this machine: with paths from the build folder ccache finds the objects of another clone.
function(extremal_together target together)
  if(NOT EXTREMAL_UNITY OR together LESS_EQUAL 1)
    return()
  endif()
  # GCC takes file-local types of a source that is included for those of a header.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS ARGN)
    get_source_file_property(options "${source}" COMPILE_OPTIONS)
    get_source_file_property(definitions "${source}" COMPILE_DEFINITIONS)
    get_source_file_property(alone "${source}" SKIP_UNITY_BUILD_INCLUSION)
    if(options OR definitions OR alone)
      continue()
    endif()
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET folder FILENAME folder)
    if(NOT DEFINED seen_${folder})
      set(seen_${folder} 0)
    endif()
    math(EXPR group "${seen_${folder}} / ${together}")
    math(EXPR seen_${folder} "${seen_${folder}} + 1")
    set(file "${CMAKE_CURRENT_BINARY_DIR}/together/${target}_${folder}${group}.cpp")
    if(NOT file IN_LIST files)
      list(APPEND files "${file}")
    endif()
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/together" OUTPUT_VARIABLE path)
    string(APPEND text_${target}_${folder}${group} "#include \"${path}\"\n")
    list(REMOVE_ITEM sources "${source}")
  endforeach()
  foreach(file IN LISTS files)
    cmake_path(GET file STEM name)
    file(CONFIGURE OUTPUT "${file}" CONTENT "${text_${name}}" @ONLY)  # written only if it changes
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${sources};${files}")
endfunction()
