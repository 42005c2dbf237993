#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Breaks the library in known ways, and checks that a test detects each: sh tests/mutants.sh [TEXT]...
# Each line of tests/mutants.txt is a mutant: a header with one changed line, and the test that must fail with it. With TEXT, uses only the
# lines that contain one of the texts. A mutant is killed if a static_assert of the test fails, if another constant of the test cannot be
# evaluated, or if the test fails when it is run. The changed header itself must compile, and each test must pass without a
# mutant. Needs g++ ($CXX) and doctest; takes some minutes.
# Exit status: 0: all mutants are killed. 1: a mutant is not killed. 2: no line contains a TEXT.
set -u
cd "$(dirname "$0")/.." || exit 1
mkdir -p build
work=$(mktemp -d build/mutants.XXXXXX)
trap 'rm -rf "$work"' EXIT

compiler=${CXX:-g++}
# The overlay comes first, so that the changed header is included instead of its original.
compile() { # SOURCE OPTION...
  "$compiler" -std=c++20 -O0 -w -I"$work/include" -Iinclude -Itests -Iexamples "-DBATON_EXAMPLES_DIR=\"$PWD/examples\"" '-DBATON_SHARED_DIR=""' \
    "-DBATON_NODES_DIR=\"$PWD/tests/nodes\"" "$@" > "$work/log" 2>&1
}
compile tests/main.cpp -c -o "$work/main.o" || {
  cat "$work/log" >&2
  exit 1
}
# Returns 0 if a test fails: at compile time, or when it is run. Sets `how`.
fails() { # TEST
  if ! compile "$1" -c -o "$work/test.o"; then
    how='at compile time'
    grep -qE 'static assertion failed|non-constant condition|is not a constant expression|call to non-.constexpr' "$work/log" && return 0
    how='not compiled'
    return 1
  fi
  how='when run'
  "$compiler" "$work/test.o" "$work/main.o" -o "$work/test" > "$work/log" 2>&1 || return 1
  ! timeout 120 "$work/test" > "$work/log" 2>&1
}

[ $# -gt 0 ] || set -- ''
mutants=$(printf '%s\n' "$@" > "$work/texts" && grep -v '^#' tests/mutants.txt | grep . | grep -F -f "$work/texts")
[ -n "$mutants" ] || {
  echo "no line of tests/mutants.txt contains: $*" >&2
  exit 2
}
status=0
for test in $(echo "$mutants" | sed 's/.*| //' | sort -u); do
  if fails "$test" || [ "$how" = 'not compiled' ]; then
    echo "$test fails without a mutant:" >&2
    tail -n 12 "$work/log" >&2
    status=1
  fi
done
[ $status = 0 ] || exit 1

killed=0
all=0
echo "$mutants" > "$work/list"
while IFS= read -r line; do
  name=${line%% | *} line=${line#* | }
  header=${line%% | *} line=${line#* | }
  test=${line##* | }
  edit=${line% | *}
  all=$((all + 1))
  overlay=$work/$header
  mkdir -p "$(dirname "$overlay")"
  sed "$edit" "$header" > "$overlay"
  if cmp -s "$header" "$overlay"; then
    result='NOT APPLIED: the edit changes nothing; correct tests/mutants.txt'
  elif echo "#include <${header#include/}>" > "$work/alone.cpp" && ! compile "$work/alone.cpp" -fsyntax-only; then
    result="NOT VALID: the changed header does not compile: $(grep -m 1 error "$work/log")"
  elif fails "$test"; then
    result="killed $how"
    killed=$((killed + 1))
  else
    result="ALIVE ($how)"
  fi
  rm -r "$work/include"
  echo "$name: $result by $test"
done < "$work/list"
echo "$killed of $all mutants are killed"
[ $killed = $all ]
