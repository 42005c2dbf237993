#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: baton run MODEL INPUT.bin OUTPUT.bin [--backend NAME] [--signature NAME] [--dimension NAME=SIZE]... [--repeat R]
#        baton run MODEL INPUT.npy OUTPUT.npy --npy [--integers] [--backend NAME] [--signature NAME] [--dimension NAME=SIZE]...
#        baton run MODEL.bpte --check [--rtol NUMBER] [--atol NUMBER] [--backend NAME] [--signature NAME]
#
# Compiles a model into a program and runs it. The C++ compiler ($CXX or g++) reads the model, so the program contains no importer. It is
# in $BATON_CACHE/run_model/<the model's name>/program, and is compiled again only if the model or the compiler changes.
# INPUT.bin and OUTPUT.bin are raw little-endian tensors, concatenated. If INPUT.bin has the inputs of N inferences, they run in order and
# keep the state of the model, and OUTPUT.bin gets the outputs of N inferences.
# --backend    `portable` (default): no backend, only the portable kernels. Or the name of a file in examples/choices, such as npu or xnnpack
# --signature  an entry point: a signature of TensorFlow Lite, a method of ExecuTorch, or a program of torch.export
# --dimension  the size of a symbolic dimension of an ONNX model or of an archive of torch.export
# --repeat     runs all inferences R times; OUTPUT.bin has the outputs of the last repetition
# --npy        INPUT.npy and OUTPUT.npy are files of numpy.save; a model with several inputs or outputs has a list separated by commas.
#              Real numbers (float32, float64) are quantized with the scale of the input, and outputs become float32, unless --integers
#              is given. An array may have the inputs of N inferences: [N, ...] if the model has [1, ...], or one more dimension
# --check      runs the recorded cases of a bundled program of ExecuTorch, of all methods or of the one that --signature names, and compares
#              the outputs. The cases of a method run in order and keep its state. Prints a line for each case. The file states no
#              tolerances; the default ones are those of ExecuTorch: --rtol 1e-5 --atol 1e-8
# Files with tensors of a model are read from its folder. If $CXX compiles for another machine, $RUN_WITH is an emulator with its arguments.
# Exit status: 0: success. 1: the model does not compile, a file cannot be read or written, an output of --check differs. 2: wrong usage.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/tools/build.sh"

model='' input='' output='' backend=portable repeat=1 signature='' dimensions='' check='' npy='' integers='' tolerances=''
while [ $# -gt 0 ]; do
  case $1 in
    --backend | --repeat | --signature | --dimension | --rtol | --atol)
      if [ $# -lt 2 ]; then usage "no value is given for $1"; fi
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
    --npy) npy=yes ;;
    --integers) integers=--integers ;;
    '') usage "the name of a file is empty" ;;
    --*) usage "there is no option $1" ;;
    *)
      if [ -z "$model" ]; then model=$1; elif [ -z "$input" ]; then input=$1; elif [ -z "$output" ]; then output=$1; else usage "unknown argument $1"; fi
      ;;
  esac
  shift
done
check_backend "$backend"
check_entry "$signature" "$dimensions"
case $repeat in '' | *[!0-9]* | 0) usage "write --repeat as a positive number, not $repeat" ;; esac
if [ -n "$check" ]; then
  if [ -z "$model" ] || [ -n "$input" ]; then usage "--check needs a model, and no other file"; fi
  need_file "$model"
  if [ "$(identifier "$model")" != BP08 ]; then fail "$model has no recorded cases; --check needs a bundled program of ExecuTorch (.bpte)"; fi
  folder=$build/check_model/$(name_of "$model")
  # shellcheck disable=SC2086 # a list of words
  compile_model check_model.cpp "$model" "$choice" "$folder" "$signature" $dimensions
  # shellcheck disable=SC2086 # a command and its arguments
  ${RUN_WITH-} "$folder/$choice/program" $tolerances
  exit
fi
if [ -z "$output" ]; then usage "a model, an input and an output are needed"; fi
if [ -n "$tolerances" ]; then usage "--rtol and --atol need --check"; fi

if [ -n "$integers" ] && [ -z "$npy" ]; then usage "--integers needs --npy"; fi
if [ -n "$npy" ]; then
  if [ "$repeat" != 1 ]; then usage "--repeat cannot be used with --npy"; fi
  folder=$build/run_arrays/$(name_of "$model")
  # shellcheck disable=SC2086 # a list of words
  compile_model run_arrays.cpp "$model" "$choice" "$folder" "$signature" $dimensions
  # shellcheck disable=SC2086 # a command and its arguments
  ${RUN_WITH-} "$folder/$choice/program" arrays "$input" "$output" $integers
  exit
fi

folder=$build/run_model/$(name_of "$model")
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
