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

`sh tests/formats/onnx_node_tests.sh` runs the node tests of ONNX 1.12 (Debian's `libonnx-testdata`): it imports each model, applies the
default passes, and runs the portable kernels. Each test runs in three forms, because weights, shapes and axes of real models are constants:
unchanged, with constants in place of all inputs except the first, and with constants in place of all inputs. A form is correct if it has the
expected outputs: float32 within 1e-6 plus 1e-3 of the number, bfloat16 truncated or rounded, other types exactly. The files of ONNX 1.12 truncate
bfloat16, and the kernels round half to even. A test passes if one form is correct and the other forms are correct or refused.

HEAD
  cat "$work/table"
} > "$root/docs/onnx.md"
grep "node tests of one operator" "$work/table"
exit "$status"
