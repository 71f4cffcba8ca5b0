#!/usr/bin/env bash
# work.sh PERCENT SOURCE FLAG...: how much GCC ($CXX) has to do for a program, as the memory that it hands out, is less
# than so many percent of what it needs for <functional>, <iostream>, <string> and <vector> alone; with "above PERCENT"
# it is not.
#
# Time would be what users wait for, but depends on the machine and on what else it does. The memory is the same in every
# run, and grows with what is parsed, instantiated and optimised.
set -euo pipefail
control=
if [[ $1 == above ]]; then control=yes && shift; fi
limit=$1 source=$2
shift 2

megabytes() {  # GCC writes it as 800k, 267M or 1200M
  local total
  total=$("$CXX" -std=c++20 -O2 -ftime-report "$@" -c -o /dev/null 2>&1 | awk '/^ TOTAL / { print $NF }')
  case $total in
    *M) echo "${total%M}" ;;
    *k) echo "$((${total%k} / 1024))" ;;
    *) echo "work.sh: $CXX does not say what it needs for: $*" >&2 && return 1 ;;
  esac
}

program=$(megabytes "$@" "$source")
alone=$(megabytes -x c++ - <<<'
#include <functional>
#include <iostream>
#include <string>
#include <vector>
int main() { std::cout << "\n"; }')
percent=$((100 * program / alone))
echo "$program MB, the standard headers alone $alone MB: $percent %; ${control:+not }less than $limit % is expected"
if [[ $control ]]; then ((percent >= limit)); else ((percent < limit)); fi
