#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Measures the cost of lowering at run time by program size: sh tests/budget/lowering.sh [PROGRAM]
# PROGRAM is the compiled tests/budget/lowering.cpp; without it, the script compiles it. Fails if the instructions per node (counted by
# callgrind) grow by more than half from 2,500 to 20,000 nodes, or if lowering 10,000 nodes or partitioning 100,000 nodes takes more than
# half a second. Counting needs valgrind.
set -eu
cd "$(dirname "$0")/../.."

program=${1-}
if [ -z "$program" ]; then
  mkdir -p build/budget
  program=build/budget/lowering
  "${CXX:-g++}" -std=c++20 -O2 -Iinclude tests/budget/lowering.cpp -o "$program"
fi

seconds() { # STAGE NODES
  "$program" "$2" | sed -n "s/.* $1 \([0-9.]*\) s.*/\1/p"
}
count() { # FUNCTION NODES
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect="$1" "$program" "$2" 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

status=0
within_half_a_second() { # STAGE NODES
  elapsed=$(seconds "$1" "$2")
  echo "$1 $2 nodes: $elapsed s"
  if awk "BEGIN { exit !($elapsed > 0.5) }"; then
    echo "$1 $2 nodes: more than half a second" >&2
    status=1
  fi
}
within_half_a_second lowering 10000
within_half_a_second by_support 100000

if ! command -v valgrind > /dev/null; then
  echo "the instructions are not counted, because valgrind is not installed"
  exit $status
fi
printf '%8s %10s %18s %18s\n' nodes seconds 'lowering/node' 'by_support/node'
for nodes in 1250 2500 5000 10000 20000; do
  lowering=$(($(count lower_once $nodes) / nodes))
  partitioning=$(($(count partition_once $nodes) / nodes))
  printf '%8s %10s %18s %18s\n' $nodes "$(seconds lowering $nodes)" $lowering $partitioning
  if [ $nodes -eq 2500 ]; then
    base_lowering=$lowering
    base_partitioning=$partitioning
  fi
done
for growth in "$lowering $base_lowering" "$partitioning $base_partitioning"; do
  set -- $growth
  if [ $((2 * $1)) -gt $((3 * $2)) ]; then
    echo "from 2,500 to 20,000 nodes, the instructions per node grow from $2 to $1, which is more than half" >&2
    status=1
  fi
done
exit $status
