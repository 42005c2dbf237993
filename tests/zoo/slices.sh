#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Compares every output byte of inferences in slices and of whole runs, and prints the number of slices:
#   sh tests/zoo/slices.sh [--host] [MODEL...]
# The policies are no_overlap, row_streaming, and in_place with nodes that are cut into rows. Without names, uses all models of ../shared/zoo
# and ../shared/models with recorded inputs. Needs g++ or $CXX. A model takes some ten seconds. With arm-none-eabi-g++ and qemu-system-arm,
# also prints the longest slice with a limit of 20,000 instructions, except with --host.
set -eu
cd "$(dirname "$0")/../.."
shared=../shared
if [ ! -d "$shared/zoo" ]; then
  echo "SKIPPED: needs ../shared/zoo"
  exit 0
fi
is_measured=1
if [ "${1-}" = --host ]; then
  is_measured=0
  shift
fi
if [ $# = 0 ]; then
  for folder in "$shared"/zoo/*/ "$shared"/golden/*/; do
    if [ -f "$folder/input_0.bin" ]; then set -- "$@" "$(basename "$folder")"; fi
  done
fi
mkdir -p build
work=$(mktemp -d build/zoo_slices.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
for name in "$@"; do
  inputs=$shared/zoo/$name
  model=$inputs/$name.tflite
  if [ ! -f "$model" ]; then
    inputs=$shared/golden/$name
    model=$shared/models/$name.tflite
  fi
  set -- "$inputs"/input_[0-9].bin
  if [ -f "$inputs/sequence_input.bin" ]; then set -- "$@" "$inputs/sequence_input.bin"; fi
  cmake -DINPUT="$model" -DOUTPUT="$work/sliced_model.hpp" -DNAME=model -P cmake/embed_file.cmake
  if ! ${CXX:-g++} -std=c++20 -O1 -I include -I "$work" tests/zoo/slices.cpp -o "$work/program" 2> "$work/errors"; then
    head -n 3 "$work/errors" | cut -c1-200
    echo "$name: does not compile"
    failed=1
    continue
  fi
  for policy in no_overlap row_streaming in_rows; do
    if said=$("$work/program" $policy "$@"); then echo "$name, $policy: $said"; else
      echo "$name, $policy: FAILED: $said"
      failed=1
    fi
  done
  if [ $is_measured = 1 ] && command -v qemu-system-arm > /dev/null && command -v arm-none-eabi-g++ > /dev/null; then
    if CXX='' sh examples/cortex_m/run.sh "$model" "$inputs/input_0.bin" "$work/output.bin" --slice 20000 > "$work/said" 2>&1; then
      echo "$name, at most 20000 instructions: $(sed -n 's/^the watchdog must wait \([0-9]*\) instructions$/longest slice \1/p' "$work/said")"
    else
      echo "$name, at most 20000 instructions: $(tail -n 1 "$work/said" | cut -c1-200)"
    fi
  fi
done
exit $failed
