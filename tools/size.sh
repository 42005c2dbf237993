#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: baton size [-o FILE] IMAGE MAP NAME...
#
# Prints the flash and the RAM of a linked image by part: weights, delegates, tables and code of the kernels, arena, libraries, the other
# firmware, and the stack that the linker script reserves. It is the report of the CMake function baton_size_report().
# MAP is the map of GNU ld (-Wl,-Map=FILE). Each NAME is a model: the NAME of `baton compile`, or the stem of the source file that owns it.
# -o         also writes the table to FILE
# READELF is a readelf that reads the image (default: readelf).
# Exit status: 0: success. 1: a file cannot be read, or the image contains no part of the models. 2: wrong usage.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/tools/build.sh"
for word in "$@"; do
  case $word in -o) ;; -*) usage "there is no option $word" ;; esac
done
if [ $# -lt 3 ]; then usage "an image, its map and the names of models are needed"; fi
exec sh "$cmake_files/size_report.sh" "$@"
