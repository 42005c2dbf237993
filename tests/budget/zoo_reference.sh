#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Counts the instructions of one inference of TensorFlow Lite Micro for every model of the zoo that it runs, and writes zoo_reference.txt
# next to this script: sh tests/budget/zoo_reference.sh [MODEL...]
# With names, only prints the counts. The reference is the published Python package, with the reference kernels. callgrind counts between
# marks (zoo_reference.py). Takes a few minutes. Needs valgrind, ../shared, and the Python environment of tests/nodes/make.sh.
set -eu
cd "$(dirname "$0")/../.."
zoo=../shared/zoo
python=build/nodes/bin/python
if [ ! -d $zoo ] || [ ! -x $python ] || [ ! -e /usr/include/valgrind/callgrind.h ]; then
  echo "SKIPPED: needs ../shared/zoo, valgrind, and build/nodes, which sh tests/nodes/make.sh creates"
  exit 0
fi
work=build/zoo_reference
rm -rf $work
mkdir -p $work
printf '%s\n' '#include <valgrind/callgrind.h>' 'void mark(const char* label) { CALLGRIND_DUMP_STATS_AT(label); }' > $work/mark.c
cc -O1 -shared -fPIC $work/mark.c -o $work/mark.so
folders=
for model in ${*:-$(ls $zoo)}; do
  if [ -f "$zoo/$model/output_0.bin" ]; then folders="$folders $zoo/$model"; fi
done
# shellcheck disable=SC2086 # a list of folders
PYTHONDONTWRITEBYTECODE=1 valgrind --tool=callgrind --callgrind-out-file=$work/count $python tests/budget/zoo_reference.py \
  $work/mark.so $folders > $work/log 2>&1 || { tail -5 $work/log >&2; exit 1; }
# The dumps are in order. Two have the name of a model: the first is one inference, the second is three.
for dump in $(ls $work/count.* | sort -t. -k2n); do
  awk '/^desc: Trigger:/ { name = $NF } /^(totals|summary):/ { count = $2 } END { print name, count }' "$dump"
done | awk '$1 != "-" && ($1 in first) { printf "%s %.0f\n", $1, ($2 - first[$1]) / 2; next } { first[$1] = $2 }' > $work/counts
if [ $# = 0 ]; then
  { sed -n '2,3p' tests/budget/zoo_reference.sh && sort $work/counts; } > tests/budget/zoo_reference.txt
fi
cat $work/counts
