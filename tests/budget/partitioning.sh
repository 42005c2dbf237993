#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Measures the cost of partitioning by program size, at run time and at compile time:
#   sh tests/budget/partitioning.sh [PROGRAM]    PROGRAM: the compiled tests/budget/partitioning.cpp; without it, the script compiles it.
#                                                With it, the script counts instructions only for 1,000 and 20,000 nodes, to save time.
#   sh tests/budget/partitioning.sh --steps      also prints Clang's constexpr steps per node, found by bisection; takes some minutes
# Fails in these cases:
# - The instructions per node grow by more than half from the smallest to the largest counted size.
# - 100,000 nodes take more than one second, or two seconds with two backends.
# - At compile time, 1,000 nodes (250 with two backends) exceed the compiler's default limits, or add more than three seconds to the time of
#   creating the program.
# The compilers are $CXX or g++, and clang++-19. Counting needs valgrind. Missing tools are skipped.
set -eu
cd "$(dirname "$0")/../.."

steps=
program=
sizes='125 250 500 1000'
counted_sizes='1000 10000 100000'
case "${1-}" in
  --steps) steps=yes ;;
  *) program=${1-} ;;
esac
if [ -n "$program" ]; then
  sizes='250 1000' # the sizes with limits
  counted_sizes='1000 20000'
else
  mkdir -p build/budget
  program=build/budget/partitioning
  "${CXX:-g++}" -std=c++20 -O2 -Iinclude tests/budget/partitioning.cpp -o "$program"
fi

status=0
fail() { # MESSAGE
  echo "$1" >&2
  status=1
}
exceeds() { # NUMBER LIMIT
  awk "BEGIN { exit !($1 > $2) }"
}

seconds() { # PARTITIONER NODES [tangled]
  "$program" "$2" "$1" ${3-} | sed -n 's/.* \([0-9.]*\) s$/\1/p'
}
instructions() { # PARTITIONER NODES [tangled]
  counted=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=partition_once "$program" "$2" "$1" ${3-} 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p')
  echo $((counted / $2))
}

echo 'at run time: instructions per node by number of nodes, and seconds; with residual links, or with random links (tangled)'
# shellcheck disable=SC2086 # a list of numbers
{
  printf '%-24s' partitioner
  printf ' %8s' $counted_sizes
  printf ' %12s\n' 's at 100000'
}
for row in by_support by_cost by_cost_of_two 'by_support tangled' 'by_cost tangled' 'by_cost_of_two tangled'; do
  partitioner=${row% tangled} links=${row#"${row% tangled}"} small='' large=-
  printf '%-24s' "$row"
  for size in $counted_sizes; do
    if command -v valgrind > /dev/null; then large=$(instructions $partitioner "$size" $links); fi
    printf ' %8s' "$large"
    small=${small:-$large}
  done
  if [ "$large" != - ] && [ $((2 * large)) -gt $((3 * small)) ]; then fail "$row: the instructions per node grow from $small to $large"; fi
  elapsed=$(seconds $partitioner 100000 $links)
  printf ' %12s\n' "$elapsed"
  max_seconds=1
  if [ $partitioner = by_cost_of_two ]; then max_seconds=2; fi
  if exceeds "$elapsed" $max_seconds; then fail "$row: 100,000 nodes took $elapsed s (at most $max_seconds s)"; fi
done

constant=tests/budget/partitioning_in_a_constant.cpp
# Prints the processor time in seconds, or nothing if it does not compile.
compile() { # COMPILER OPTION...
  if elapsed=$(sh -c '"$@" > /dev/null 2>&1 || exit; times' sh "$@" -std=c++20 -Iinclude -fsyntax-only $constant); then
    echo "$elapsed" | awk 'NR == 2 { gsub("s", ""); split($1, own, "m"); split($2, kernel, "m")
                         printf "%.2f\n", 60 * (own[1] + kernel[1]) + own[2] + kernel[2] }'
  fi
}
# Prints the smallest sufficient limit of constexpr steps, to one percent, divided by the number of nodes.
steps_per_node() { # COMPILER NODES OPTION...
  upper=4000000 lower=0 compiler=$1 nodes=$2
  shift 2
  while [ $((upper - lower)) -gt $((upper / 100)) ]; do
    middle=$(((upper + lower) / 2))
    if [ -n "$(compile "$compiler" "-DNODES=$nodes" "$@" "-fconstexpr-steps=$middle")" ]; then upper=$middle; else lower=$middle; fi
  done
  echo $((upper / nodes))
}

for compiler in "${CXX:-g++}" clang++-19; do
  command -v "$compiler" > /dev/null || continue
  echo
  echo "at compile time, $compiler with its default limits: seconds of includes and program, and the seconds that each partitioner adds"
  printf '%6s %9s %12s %12s %15s\n' nodes program by_support by_cost by_cost_of_two
  for nodes in $sizes; do
    alone=$(compile "$compiler" -DNODES=$nodes)
    row=$(printf '%6s %9s' $nodes "$alone")
    for partitioner in by_support by_cost by_cost_of_two; do
      elapsed=$(compile "$compiler" -DNODES=$nodes -DPARTITIONER=$partitioner)
      max_nodes=1000
      if [ $partitioner = by_cost_of_two ]; then max_nodes=250; fi
      cell='over limit'
      if [ -n "$elapsed" ]; then cell=$(awk "BEGIN { printf \"%.2f\", $elapsed - $alone }"); fi
      if [ $nodes -le $max_nodes ] && { [ -z "$elapsed" ] || exceeds "$cell" 3; }; then
        fail "$compiler: $partitioner with $nodes nodes: ${cell} (at most 3 s)"
      fi
      if [ -n "$steps" ] && [ "$compiler" = clang++-19 ]; then
        cell="$cell/$(steps_per_node "$compiler" $nodes -DPARTITIONER=$partitioner)"
      fi
      row="$row $(printf '%12s' "$cell")"
    done
    echo "$row"
  done
done
exit $status
