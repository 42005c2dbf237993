#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Compiles a model into a program and runs it:
# sh examples/run_model.sh MODEL INPUT.bin OUTPUT.bin [--backend NAME] [--signature NAME] [--dimension NAME=SIZE]... [--repeat R]
# sh examples/run_model.sh MODEL.bpte --check [--rtol NUMBER] [--atol NUMBER] [--backend NAME] [--signature NAME]
# The backends are `portable` (no backend, only the portable kernels) and those of examples/choices: npu and others.
# --signature selects an entry point: a signature of TensorFlow Lite, a method of ExecuTorch, or a program of torch.export. --dimension sets
# the size of a symbolic dimension of an ONNX model or of an archive of torch.export. Files with tensors of a model are read from its folder.
# The C++ compiler ($CXX or g++) reads the model, so build/run_model/<model's name>/program contains no importer.
# INPUT.bin and OUTPUT.bin are raw little-endian tensors, concatenated. If INPUT.bin has the inputs of N inferences, they run in order and
# keep the state of the model, and OUTPUT.bin gets the outputs of N inferences. --repeat R runs all of them R times; OUTPUT.bin has the
# outputs of the last time. $RUN_WITH is an emulator, with its arguments, for a program for another machine. If the model does not compile,
# or a file cannot be read, prints the reason; the exit status is 1.
# --check runs the recorded cases of a bundled program of ExecuTorch, of all methods or of the one that --signature names, and compares the
# outputs. The cases of a method run in order and keep its state. Prints a line for each case; the exit status is 1 if an output differs.
# The file states no tolerances; the default ones are those of ExecuTorch, rtol 1e-5 and atol 1e-8.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/examples/build.sh"

# backends: prints the backends that run on this machine, `portable` first, separated by bars.
backends() {
  printf portable
  for each in $(choices); do
    if [ "$each" != none ] && [ -z "$(choice_fact "$each" not-run-here)" ]; then printf '|%s' "$each"; fi
  done
}

usage() {
  echo "usage: sh examples/run_model.sh MODEL INPUT.bin OUTPUT.bin [--backend $(backends)] [--signature NAME] [--dimension NAME=SIZE]... [--repeat N]" >&2
  echo "       sh examples/run_model.sh MODEL.bpte --check [--rtol NUMBER] [--atol NUMBER] [--backend NAME] [--signature NAME]" >&2
  echo "INPUT.bin has the inputs of one inference, or of several, which run in order" >&2
  exit 2
}

model='' input='' output='' backend=portable repeat=1 signature='' dimensions='' check='' tolerances=''
while [ $# -gt 0 ]; do
  case $1 in
    --backend | --repeat | --signature | --dimension | --rtol | --atol)
      if [ $# -lt 2 ]; then usage; fi
      case $1 in
        --backend) backend=$2 ;;
        --repeat) repeat=$2 ;;
        --signature) signature=$2 ;;
        --rtol | --atol) tolerances="$tolerances $1 $2" ;;
        *) dimensions="$dimensions $2" ;;
      esac
      shift
      ;;
    --check) check=yes ;;
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
case $signature in *[!A-Za-z0-9_./:-]*) fail "the name of a signature may only have letters, digits and _ . / : -: $signature" ;; esac
for dimension in $dimensions; do
  case ${dimension%=*} in '' | *[!A-Za-z0-9_.:-]*) fail "the name of a dimension may only have letters, digits and _ . : -: $dimension" ;; esac
  case $dimension in *=*) ;; *) fail "write a dimension as NAME=SIZE, not $dimension" ;; esac
  case ${dimension##*=} in '' | *[!0-9]*) fail "write a dimension as NAME=SIZE, not $dimension" ;; esac
done
case $repeat in '' | *[!0-9]* | 0) usage ;; esac
if [ -n "$check" ]; then
  if [ -z "$model" ] || [ -n "$input" ]; then usage; fi
  need_file "$model"
  if [ "$(identifier "$model")" != BP08 ]; then fail "$model has no recorded cases; --check needs a bundled program of ExecuTorch (.bpte)"; fi
  folder=$root/build/check_model/$(name_of "$model")
  # shellcheck disable=SC2086 # a list of words
  compile_model check_model.cpp "$model" "$choice" "$folder" "$signature" $dimensions
  # shellcheck disable=SC2086 # a command and its arguments
  ${RUN_WITH-} "$folder/$choice/program" $tolerances
  exit
fi
if [ -z "$output" ] || [ -n "$tolerances" ]; then usage; fi

folder=$root/build/run_model/$(name_of "$model")
need_file "$input"
# shellcheck disable=SC2086 # a list of words
compile_model run_model.cpp "$model" "$choice" "$folder" "$signature" $dimensions
# Copies the program to its documented path, and renames it there, so that it is never incomplete.
cmp -s "$folder/$choice/program" "$folder/program" || {
  cp "$folder/$choice/program" "$folder/program.$$"
  mv -f "$folder/program.$$" "$folder/program"
}
# shellcheck disable=SC2086 # a command and its arguments
${RUN_WITH-} "$folder/$choice/program" "$input" "$output" --repeat "$repeat"
