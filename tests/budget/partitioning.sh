#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# What partitioning costs against the size of the program, at run time and in a constant:
#   sh tests/budget/partitioning.sh [PROGRAM]    PROGRAM: tests/budget/partitioning.cpp, compiled; otherwise it is compiled first
#   sh tests/budget/partitioning.sh --steps      besides, Clang's steps a node in a constant, found by trial: some minutes
# Fails where a node's instructions grow by more than half from 1,000 to 100,000 nodes, where 100,000 nodes take more than a second (two
# backends: two), where a constant of 1,000 nodes (two backends: 250) takes more than three seconds of a compiler beyond making the program, or
# exceeds its default limits. Compilers: $CXX or g++, and clang++-19; counting needs valgrind; what is missing is skipped.
set -eu
cd "$(dirname "$0")/../.."

steps=
program=
sizes='125 250 500 1000'
case "${1-}" in
  --steps) steps=yes ;;
  *) program=${1-} ;;
esac
if [ -n "$program" ]; then
  sizes='250 1000' # what is promised
else
  mkdir -p build/budget
  program=build/budget/partitioning
  "${CXX:-g++}" -std=c++20 -O2 -Iinclude tests/budget/partitioning.cpp -o "$program"
fi

status=0
fail() { # what
  echo "$1" >&2
  status=1
}
exceeds() { # number most
  awk "BEGIN { exit !($1 > $2) }"
}

seconds() { # partitioner nodes [tangled]
  "$program" "$2" "$1" ${3-} | sed -n 's/.* \([0-9.]*\) s$/\1/p'
}
instructions() { # partitioner nodes [tangled]
  counted=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=partition_once "$program" "$2" "$1" ${3-} 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p')
  echo $((counted / $2))
}

echo 'at run time: instructions a node at so many nodes, and seconds; residual links, and random ones (tangled)'
printf '%-24s %8s %8s %8s %12s\n' partitioner 1,000 10,000 100,000 's at 100,000'
for row in by_support by_cost by_cost_of_two 'by_support tangled' 'by_cost tangled' 'by_cost_of_two tangled'; do
  partitioner=${row% tangled} links=${row#"${row% tangled}"} least=- more=- most=-
  if command -v valgrind > /dev/null; then
    least=$(instructions $partitioner 1000 $links)
    more=$(instructions $partitioner 10000 $links)
    most=$(instructions $partitioner 100000 $links)
    if [ $((2 * most)) -gt $((3 * least)) ]; then fail "$row: a node's instructions grow from $least to $most"; fi
  fi
  taken=$(seconds $partitioner 100000 $links)
  printf '%-24s %8s %8s %8s %12s\n' "$row" "$least" "$more" "$most" "$taken"
  max_seconds=1
  if [ $partitioner = by_cost_of_two ]; then max_seconds=2; fi
  if exceeds "$taken" $max_seconds; then fail "$row: 100,000 nodes took $taken s"; fi
done

constant=tests/budget/partitioning_in_a_constant.cpp
# Seconds of the processor; nothing if it does not compile.
compile() { # compiler options...
  if taken=$(sh -c '"$@" > /dev/null 2>&1 || exit; times' sh "$@" -std=c++20 -Iinclude -fsyntax-only $constant); then
    echo "$taken" | awk 'NR == 2 { gsub("s", ""); split($1, own, "m"); split($2, kernel, "m")
                         printf "%.2f\n", 60 * (own[1] + kernel[1]) + own[2] + kernel[2] }'
  fi
}
# The least limit of steps that is enough, to a hundredth, by the number of nodes.
steps_a_node() { # compiler nodes options...
  enough=4000000 little=0 compiler=$1 nodes=$2
  shift 2
  while [ $((enough - little)) -gt $((enough / 100)) ]; do
    middle=$(((enough + little) / 2))
    if [ -n "$(compile "$compiler" "-DNODES=$nodes" "$@" "-fconstexpr-steps=$middle")" ]; then enough=$middle; else little=$middle; fi
  done
  echo $((enough / nodes))
}

for compiler in "${CXX:-g++}" clang++-19; do
  command -v "$compiler" > /dev/null || continue
  echo
  echo "in a constant, $compiler with its default limits: seconds of includes and program, and what each partitioner adds"
  printf '%6s %9s %12s %12s %15s\n' nodes program by_support by_cost by_cost_of_two
  for nodes in $sizes; do
    alone=$(compile "$compiler" -DNODES=$nodes)
    row=$(printf '%6s %9s' $nodes "$alone")
    for partitioner in by_support by_cost by_cost_of_two; do
      taken=$(compile "$compiler" -DNODES=$nodes -DPARTITIONER=$partitioner)
      promised=1000
      if [ $partitioner = by_cost_of_two ]; then promised=250; fi
      cell='over limit'
      if [ -n "$taken" ]; then cell=$(awk "BEGIN { printf \"%.2f\", $taken - $alone }"); fi
      if [ $nodes -le $promised ] && { [ -z "$taken" ] || exceeds "$cell" 3; }; then
        fail "$compiler: $partitioner of $nodes nodes: ${cell} (at most 3 s)"
      fi
      if [ -n "$steps" ] && [ "$compiler" = clang++-19 ]; then
        cell="$cell/$(steps_a_node "$compiler" $nodes -DPARTITIONER=$partitioner)"
      fi
      row="$row $(printf '%12s' "$cell")"
    done
    echo "$row"
  done
done
exit $status
