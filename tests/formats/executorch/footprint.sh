#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Measures the flash and the RAM that programs need with this library on a Cortex-M4: sh tests/formats/executorch/footprint.sh FOLDER...
# Each FOLDER has a model.pte and an input_0.bin. Prints a line for each folder: its name, the bytes of flash and of RAM as
# examples/cortex_m/run.sh prints them, or the reason if the model does not compile for a Cortex-M4.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { sh "$root/examples/cortex_m/run.sh" "$1/model.pte" "$2" "$work/output.bin" > "$work/said" 2>&1; }
for folder in "$@"; do
  set -- "$folder"/input*_0.bin
  # The golden input of a program with a dynamic dimension has another size; then the input is zeros.
  if ! run "$folder" "$1"; then
    bytes=$(sed -n 's/.*the input must have \([0-9]*\) bytes.*/\1/p' "$work/said")
    if [ -n "$bytes" ]; then
      head -c "$bytes" /dev/zero > "$work/input.bin"
      run "$folder" "$work/input.bin" || :
    fi
  fi
  flash=$(sed -n 's/^flash: \([0-9]*\) .*/\1/p' "$work/said")
  ram=$(sed -n 's/^RAM: \([0-9]*\) .*/\1/p' "$work/said")
  if [ -n "$ram" ]; then
    echo "$(basename "$folder") $flash $ram"
  else
    echo "$(basename "$folder") none: $(tail -n 1 "$work/said" | cut -c 1-200)"
  fi
done
