#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Evaluates the random programs of in_place_states.hpp in constant expressions, within the default limits of each installed compiler, and
# prints the user seconds: sh tests/properties/in_place_constants.sh [COMPILER...]
# There are 1000 programs, or $BATON_PROPERTY_SEEDS, rounded up to hundreds. CI evaluates the first 160 (in_place_states_test.cpp).
set -eu
cd "$(dirname "$0")/../.."
programs=${BATON_PROPERTY_SEEDS:-1000}
[ $# != 0 ] || set -- g++ clang++-16 clang++-19
file=$(mktemp --suffix=.cpp)
trap 'rm -f "$file"' EXIT

status=0
for compiler in "$@"; do
  command -v "$compiler" > /dev/null || continue
  seconds=0
  first=0
  while [ "$first" -lt "$programs" ]; do
    printf '#include "properties/in_place_states.hpp"\nstatic_assert(properties::in_place::first_wrong_constant<%d, 100> == %d);\n' \
      "$first" $((first + 100)) > "$file"
    if used=$("$compiler" -std=c++20 -fsyntax-only -Iinclude -Itests "$file" && times); then
      seconds=$(printf '%s\n' "$used" | awk -v before="$seconds" 'NR == 2 { split($1, part, "[ms]"); print before + 60 * part[1] + part[2] }')
    else
      echo "$compiler: a program of the seeds $first to $((first + 99)) failed" >&2
      status=1
    fi
    first=$((first + 100))
  done
  printf '%-12s %5d programs %8.1f user seconds\n' "$compiler" "$first" "$seconds"
done
exit $status
