#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Compiles a model into a program and runs it:
# sh examples/run_model.sh MODEL INPUT.bin OUTPUT.bin [--backend NAME] [--signature NAME] [--repeat N]
# The backends are `portable`, which is none but the portable kernels, and those of examples/choices: npu and others.
# The C++ compiler ($CXX, else g++) reads the model; build/run_model/<model's name>/program contains no importer. Inputs and outputs
# are raw little-endian tensors, several one after the other. An INPUT.bin of N inferences' inputs gives N inferences' outputs: they run one
# after another, and what the model keeps stays from one to the next; with --repeat, OUTPUT.bin holds those of the last time. A program for
# another machine is run by $RUN_WITH, an emulator with its arguments. Exit status 1 with a reason: the model cannot be compiled, a file
# cannot be read.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/examples/build.sh"

# backends: those that run here, `portable` first, with bars between.
backends() {
  printf portable
  for each in $(choices); do
    if [ "$each" != none ] && [ -z "$(choice_fact "$each" not-run-here)" ]; then printf '|%s' "$each"; fi
  done
}

usage() {
  echo "usage: sh examples/run_model.sh MODEL INPUT.bin OUTPUT.bin [--backend $(backends)] [--signature NAME] [--repeat N]" >&2
  echo "INPUT.bin holds the inputs of one inference, or of several, which run one after another" >&2
  exit 2
}

model='' input='' output='' backend=portable repeat=1 signature=''
while [ $# -gt 0 ]; do
  case $1 in
    --backend | --repeat | --signature)
      if [ $# -lt 2 ]; then usage; fi
      case $1 in --backend) backend=$2 ;; --repeat) repeat=$2 ;; *) signature=$2 ;; esac
      shift
      ;;
    --* | '') usage ;;
    *)
      if [ -z "$model" ]; then model=$1; elif [ -z "$input" ]; then input=$1; elif [ -z "$output" ]; then output=$1; else usage; fi
      ;;
  esac
  shift
done
choice=$backend
if [ "$backend" = portable ]; then
  choice=none
else
  choices | grep -v '^none$' | grep -Fxq -e "$backend" || usage
  why=$(choice_fact "$backend" not-run-here)
  if [ -n "$why" ]; then fail "a program for $backend does not run here: $why"; fi
fi
case $signature in *[!A-Za-z0-9_./:-]*) fail "a signature's name has letters, digits and _ . / : - in it: $signature" ;; esac
case $repeat in '' | *[!0-9]* | 0) usage ;; esac
if [ -z "$output" ]; then usage; fi

folder=$root/build/run_model/$(name_of "$model")
need_file "$input"
compile_model run_model.cpp "$model" "$choice" "$folder" "$signature"
# The program that was built last stands where the contract says, by renaming: nobody meets half of it.
cmp -s "$folder/$choice/program" "$folder/program" || {
  cp "$folder/$choice/program" "$folder/program.$$"
  mv -f "$folder/program.$$" "$folder/program"
}
# shellcheck disable=SC2086 # a command and its arguments
${RUN_WITH-} "$folder/$choice/program" "$input" "$output" --repeat "$repeat"
