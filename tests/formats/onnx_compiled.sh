#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Compiles ONNX models of ../shared/formats with run_model.sh, with half of the compiler's default limit of constant evaluation, and compares
# the outputs with those of ONNX Runtime: sh tests/formats/onnx_compiled.sh [CASE...]
# Without an argument, it compiles all cases, which takes some minutes, so CI does not run it. $CXX is the compiler, g++ by default. Outputs of
# quantized models are equal in every byte; float32 outputs differ by at most the tolerance of the case. The exit status is 1 if one differs.
set -eu
cd "$(dirname "$0")/../.."

cases=../shared/formats
if [ ! -d "$cases" ]; then
  echo "SKIPPED: needs ../shared/formats"
  exit 0
fi
compiler=${CXX:-g++}
case $compiler in *clang*) limit=-fconstexpr-steps=524288 ;; *) limit=-fconstexpr-ops-limit=16777216 ;; esac
mkdir -p build/onnx_compiled
work=$(mktemp -d build/onnx_compiled/run.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
if [ $# = 0 ]; then
  for manifest in "$cases"/onnx_*/manifest.json; do set -- "$@" "$(basename "$(dirname "$manifest")")"; done
fi

# number CASE NAME: prints a number of the manifest.
number() { grep -o "\"$2\": [0-9.e+-]*" "$cases/$1/manifest.json" | sed -n '1s/.* //p'; }
# floats FILE: prints the float32 numbers of the file, one per line.
floats() { od -An -v -tf4 -w4 "$1"; }
# is_output CASE K FILE: true if the file has the recorded output K. The end of a stack that a loop did not fill is 0.
is_output() {
  cmp -s "$3" "$cases/$1/output_$2.bin" && return 0
  case $1 in *_s8 | *_u8) return 1 ;; esac
  floats "$cases/$1/output_$2.bin" > "$work/expected"
  floats "$3" > "$work/actual"
  awk -v absolute="$(number "$1" atol)" -v relative="$(number "$1" rtol)" -v file="$work/expected" '
    { expected = 0; if ((getline expected < file) <= 0) expected = 0
      difference = $1 - expected; size = expected < 0 ? -expected : expected + 0
      if (!(difference <= absolute + relative * size && -difference <= absolute + relative * size)) exit 1 }
    END { if ((getline expected < file) > 0) exit 1 }' "$work/actual"
}

status=0
for case in "$@"; do
  set --
  case $case in *_dyn_*) set -- --dimension "batch=$(($(wc -c < "$cases/$case/input_0.bin") / 256))" ;; esac
  result=equal
  for k in 0 1 2 3; do
    case $case in *_dyn_*) if [ "$k" != 0 ]; then continue; fi ;; esac
    if ! CXX="$compiler $limit" BATON_CACHE="$PWD/$work/cache" sh examples/run_model.sh "$cases/$case/model.onnx" "$cases/$case/input_$k.bin" \
      "$work/output.bin" "$@" > "$work/log" 2>&1; then
      cat "$work/log"
      result="does not compile or run"
      break
    fi
    is_output "$case" $k "$work/output.bin" || result="output $k differs"
  done
  echo "$case: $result"
  if [ "$result" != equal ]; then status=1; fi
  rm -rf "$work/cache"
done
exit $status
