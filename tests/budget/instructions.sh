#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Compares the instructions of one inference for each shared model: the portable kernels, and the reference runtime:
# sh tests/budget/instructions.sh
# callgrind counts the difference between runs of 1 and 3 inferences, so that start-up and file access do not count. Fails if a model needs
# more than 0.4 times the instructions of the reference. Needs valgrind and ../shared.
set -eu
cd "$(dirname "$0")/../.."

shared=../shared
if [ ! -d "$shared/models" ] || ! command -v valgrind > /dev/null; then
  echo "SKIPPED: needs ../shared/models and valgrind"
  exit 0
fi
work=build/budget
mkdir -p "$work"

count() { # program input repeats
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" "$2" "$work/out.bin" --repeat "$3" 2>&1 |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

status=0
printf '%-24s %14s %14s %7s\n' model instructions reference ratio
for model in "$shared"/models/*.tflite; do
  name=$(basename "$model" .tflite)
  sh examples/run_model.sh "$model" "$shared/golden/$name/input_0.bin" "$work/out.bin" > /dev/null
  program=build/run_model/$name/program
  one=$(count "$program" "$shared/golden/$name/input_0.bin" 1)
  three=$(count "$program" "$shared/golden/$name/input_0.bin" 3)
  ours=$(((three - one) / 2))
  reference=$(sed -n '/"host_O2_ndebug_instructions"/,/}/p' "$shared/baseline.json" | sed -n "s/.*\"$name\": *\([0-9]*\).*/\1/p")
  if [ -z "$reference" ]; then
    echo "baseline.json has no figure for $name" >&2
    exit 1
  fi
  ratio=$(awk "BEGIN { printf \"%.3f\", $ours / $reference }")
  printf '%-24s %14s %14s %7s\n' "$name" "$ours" "$reference" "$ratio"
  if awk "BEGIN { exit !($ratio > 0.4) }"; then
    echo "$name: more than 0.4 times the instructions of the reference" >&2
    status=1
  fi
done
exit $status
