#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs the node tests of ONNX and writes docs/onnx.md: sh tests/formats/onnx_node_tests.sh [FOLDER]
# FOLDER has one folder for each test. Without it, Debian's package libonnx-testdata is downloaded and unpacked in build/onnx_node_tests.
# $CXX or g++ compiles the program that imports, legalizes and runs the models. The exit status is 1 if a result is wrong.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
work=$root/build/onnx_node_tests
mkdir -p "$work"
folder=${1-}
if [ -z "$folder" ]; then
  folder=$work/data/usr/share/libonnx-testdata/data/node
  if [ ! -d "$folder" ]; then
    (cd "$work" && apt-get download libonnx-testdata && dpkg -x libonnx-testdata_*.deb data)
  fi
fi
"${CXX:-g++}" -std=c++20 -I"$root/include" -I"$root/tests" "$root/tests/formats/onnx_node_tests.cpp" -o "$work/run"
status=0
"$work/run" "$folder" > "$work/table" || status=$?
if [ "$status" -gt 1 ]; then exit "$status"; fi
{
  cat << 'HEAD'
<!-- SPDX-FileCopyrightText: The Baton authors -->
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Made by tests/formats/onnx_node_tests.sh. Do not edit. -->
# Operators of ONNX

The node tests of ONNX 1.12 (Debian's `libonnx-testdata`), run by `sh tests/formats/onnx_node_tests.sh`: import, default passes, portable
kernels. Each test runs as it is, with constants in place of all inputs but the first, and with constants alone, because weights, shapes
and axes of models are constants. A test passes if one of these has the expected outputs (float32 within 1e-3 of the number, other types
exactly) and the others are refused or equal.

HEAD
  cat "$work/table"
} > "$root/docs/onnx.md"
grep "node tests of one operator" "$work/table"
exit "$status"
