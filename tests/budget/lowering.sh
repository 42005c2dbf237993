#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# The cost of lowering at run time against the size of the program: sh tests/budget/lowering.sh PROGRAM, or without PROGRAM to
# compile tests/budget/lowering.cpp first. Instructions a node, counted by callgrind, grow by half at most from 2,500 to 20,000 nodes;
# 10,000 nodes are lowered, and 100,000 partitioned, in half a second at most. Counting needs valgrind.
set -eu
cd "$(dirname "$0")/../.."

program=${1-}
if [ -z "$program" ]; then
  mkdir -p build/budget
  program=build/budget/lowering
  "${CXX:-g++}" -std=c++20 -O2 -Iinclude tests/budget/lowering.cpp -o "$program"
fi

seconds() { # what nodes
  "$program" "$2" | sed -n "s/.* $1 \([0-9.]*\) s.*/\1/p"
}
count() { # what nodes
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect="$1" "$program" "$2" 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

status=0
within_half_a_second() { # what nodes
  taken=$(seconds "$1" "$2")
  echo "$1 $2 nodes: $taken s"
  if awk "BEGIN { exit !($taken > 0.5) }"; then
    echo "$1 $2 nodes took more than half a second" >&2
    status=1
  fi
}
within_half_a_second lowering 10000
within_half_a_second by_support 100000

if ! command -v valgrind > /dev/null; then
  echo "no valgrind: the curve is not measured"
  exit $status
fi
printf '%8s %10s %18s %18s\n' nodes seconds 'lowering, a node' 'by_support, a node'
for nodes in 1250 2500 5000 10000 20000; do
  lowering=$(($(count lower_once $nodes) / nodes))
  partitioning=$(($(count partition_once $nodes) / nodes))
  printf '%8s %10s %18s %18s\n' $nodes "$(seconds lowering $nodes)" $lowering $partitioning
  if [ $nodes -eq 2500 ]; then
    min_lowering=$lowering
    min_partitioning=$partitioning
  fi
done
for growth in "$lowering $min_lowering" "$partitioning $min_partitioning"; do
  set -- $growth
  if [ $((2 * $1)) -gt $((3 * $2)) ]; then
    echo "from 2,500 to 20,000 nodes a node's instructions grow from $2 to $1: by more than half" >&2
    status=1
  fi
done
exit $status
