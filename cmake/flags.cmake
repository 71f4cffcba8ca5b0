# extremal_flags(target [USER_CODE | LIBRARY]): how every target of this project is compiled.
#
# -ffp-contract=off: a * b + c rounds twice on every machine, with or without a fused multiply-add, so
#   that a run has the same bits everywhere. For the same reason there is never -ffast-math.
# -Wpedantic stays quiet about __float128 (only literals such as 1.0Q are refused by strict C++20).
# -Wno-missing-field-initializers: designated initializers leave out what has a default.
# -Wno-restrict: GCC 12 sees overlaps in "text" + std::string that are not there (GCC bug 105651).
# USER_CODE: tests, examples and benchmarks are written the way users write: a Lagrangian has its fixed
#   arguments even if it does not need them all, and may call a parameter what the caller calls it.
# LIBRARY: shared libraries and modules of Python may hold ours. Nobody replaces its functions there, so that they are
#   inlined and called as in a program.
# Hardened in release builds is what reads and writes files: a guard on the stack, checks of sizes in the C library, tables
#   of functions that cannot be changed while the program runs. Not so the sources that steps are made of, where guards
#   in every small function would cost instructions; they see numbers only that were read and checked before.
function(extremal_flags target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "USER_CODE;LIBRARY" "" "")
  target_compile_options(${target} PRIVATE -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
    -Wno-missing-field-initializers $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  if(arg_USER_CODE)
    target_compile_options(${target} PRIVATE -Wno-shadow -Wno-unused-parameter)
  else()
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wreserved-identifier>)
  endif()
  if(arg_LIBRARY)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  endif()
  if(target MATCHES "_(rest|bodies|wrapped|archive|cli|mpi)$")
    target_compile_options(${target} PRIVATE
      "$<$<CONFIG:Release>:-fstack-protector-strong;-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
    target_link_options(${target} PRIVATE "$<$<CONFIG:Release>:LINKER:-z,relro,-z,now>")
  endif()
  if(EXTREMAL_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
