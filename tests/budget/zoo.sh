#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Compiles every model of the zoo with run_model.sh, and writes the table of docs/zoo.md: sh tests/budget/zoo.sh [MODEL...]
# With names, prints the rows of these models and does not change the page. callgrind counts the instructions as the difference between runs
# of 1 and 3 inferences. zoo_reference.txt, which zoo_reference.sh writes, has the instructions of the reference. Needs valgrind and ../shared, and g++ or
# $CXX. Takes twenty minutes.
set -eu
cd "$(dirname "$0")/../.."
zoo=../shared/zoo
if [ ! -d $zoo ] || ! command -v valgrind > /dev/null; then
  echo "SKIPPED: needs ../shared/zoo and valgrind"
  exit 0
fi
work=build/budget
mkdir -p $work

count() { # program input repeats
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" "$2" $work/zoo.bin --repeat "$3" 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}
# computed FILE...: prints the processor time of all commands between the first and the last file, in seconds. `times` writes the files.
computed() { awk 'FNR == 2 { split($1, t, /[ms]/); was = now; now = 60 * t[1] + t[2] } END { printf "%.1f", now - was }' "$@"; }
number() { sed -n "s/.*\"$2\": *\([0-9]*\).*/\1/p" "$1" | head -n 1; }
text_bytes() { size -A "$1" | awk '$1 == ".text" { print $2 }'; }

row() {
  name=$1
  model=$zoo/$name/$name.tflite
  sh examples/inspect.sh "$model" --format json -o $work/zoo.json
  operators=$(awk -v name="\"$name\"," '$1 == "\"name\":" { is_it = $2 == name } is_it && /"operators"/ { on = 1; next }
    on && /\]/ { exit } on { gsub(/[",]/, ""); sub(/CUSTOM\./, ""); printf "%s%s", sep, tolower($1); sep = " " }' $zoo/manifest.json)
  rm -rf "build/run_model/$name"
  times > $work/before # not in a pipe or $(), because their subshells count only their own commands
  sh examples/run_model.sh "$model" "$zoo/$name/input_0.bin" $work/zoo.bin
  times > $work/after
  seconds=$(computed $work/before $work/after)
  program=build/run_model/$name/program
  one=$(count $program "$zoo/$name/input_0.bin" 1)
  three=$(count $program "$zoo/$name/input_0.bin" 3)
  ours=$(((three - one) / 2))
  reference=$(awk -v name="$name" '$1 == name { print $2 }' tests/budget/zoo_reference.txt)
  ratio=$(awk -v a=$ours -v b="${reference:-0}" 'BEGIN { if (b > 0) printf "%.3f", a / b; else print "?" }')
  echo "| \`$name\` | $operators | $(number $work/zoo.json nodes) | $(number $work/zoo.json arena_bytes) | $(number $work/zoo.json lower_bound)" \
    "| $(text_bytes $program) | $ours | ${reference:-not measured} | $ratio | $seconds |"
}

if [ $# != 0 ]; then
  for name in "$@"; do row "$name"; done
  exit 0
fi
: > $work/zoo.rows
for folder in "$zoo"/*/; do
  name=$(basename "$folder")
  if [ -f "$folder/output_0.bin" ]; then row "$name" | tee -a $work/zoo.rows; fi
done
# The rows are between the heading of the table and the next empty line.
awk '/^\| model/ { mine = 1 } mine && /^\|---/ { print; table = 1; mine = 0; while ((getline row < rows) > 0) print row; next } table && /^\|/ { next } { table = 0; print }' \
  rows=$work/zoo.rows docs/zoo.md > $work/zoo.md
mv $work/zoo.md docs/zoo.md
