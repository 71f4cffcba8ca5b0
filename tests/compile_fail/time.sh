#!/usr/bin/env bash
# time.sh LIMIT COMMAND...: the best of three runs of the command takes less than LIMIT milliseconds.
# Processor time, which is the time a user waits on a machine that does nothing else: a busy machine
# does not fail the test.
set -euo pipefail
TIMEFORMAT='%3U %3S'
limit=$1
best=
for _ in 1 2 3; do
  { elapsed=$({ time "${@:2}" >&3 2>&3; } 2>&1); } 3>&2  # the command itself writes to stderr
  read -r user system <<<"${elapsed//./}"
  elapsed=$((10#$user + 10#$system))
  if [[ -z $best || $elapsed -lt $best ]]; then best=$elapsed; fi
done
echo "$best ms, best of 3, less than $limit ms are allowed: ${*:2}"
((best < limit))
