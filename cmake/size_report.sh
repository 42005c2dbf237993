#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Prints the flash and the RAM of a linked image by part: weights, delegates, tables and code of the kernels, arena, libraries, the other
# firmware, and the stack that the linker script reserves: sh size_report.sh [-o FILE] IMAGE MAP NAME...
# MAP is the map of GNU ld (-Wl,-Map=FILE). Each NAME is a model: the NAME of baton_model() or `baton compile`, or the stem of the source file
# that owns the model. Compile with -ffunction-sections and -fdata-sections. READELF is a readelf for the image (default: readelf).
# -o also writes the table to FILE.
# Exit status: 0: success. 1: a file cannot be read, or the image contains no part of the models. 2: wrong usage.
set -eu
output=/dev/null
if [ "${1-}" = -o ] && [ $# -gt 1 ]; then
  output=$2
  shift 2
fi
if [ $# -lt 3 ]; then
  echo "usage: sh size_report.sh [-o FILE] IMAGE MAP NAME..." >&2
  exit 2
fi
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
image=$1
map=$2
shift 2
for file in "$image" "$map"; do
  if [ ! -r "$file" ] || [ -d "$file" ]; then
    echo "size_report: cannot read $file" >&2
    exit 1
  fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
LC_ALL=C "${READELF:-readelf}" -SW "$image" > "$work/sections" || exit 1
status=0
LC_ALL=C awk -v models="$*" -v image="${image##*/}" -f "$here/size_report.awk" "$work/sections" "$map" > "$work/table" || status=$?
case $status in
  3) echo "size_report: $map is not a map of GNU ld; link with -Wl,-Map=FILE" >&2 ;;
  4) echo "size_report: $image contains no object file of the models ($*); pass the NAME of baton_model(), or the stem of the file that owns the model" >&2 ;;
esac
[ $status = 0 ] || exit 1
tee "$output" < "$work/table"
