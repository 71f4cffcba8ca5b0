# Sourced by ./extremal and scripts/setup: what they say, on stderr. On a terminal, `show` rewrites one line in place;
# elsewhere it is silent, so that logs hold lines and no drawings.
if [[ -t 2 && ${TERM-dumb} != dumb ]]; then drawn=yes; else drawn=; fi

# show TEXT...: the line as it is now, cut to the width of the terminal, which may change.
show() {
  [[ $drawn ]] || return 0
  local columns
  read -r _ columns < <(stty size <&2 2>/dev/null) || true
  [[ ${columns:-0} -gt 0 ]] || columns=80
  local text=$*
  printf '\r%s\e[K' "${text:0:columns-1}" >&2
}

# say TEXT...: a line that stays, in the place of the one that is shown.
say() {
  [[ ! $drawn ]] || printf '\r\e[K' >&2
  printf 'extremal: %s\n' "$*" >&2
}
