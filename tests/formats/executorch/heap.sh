#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Measures the heap that ExecuTorch's runtime needs for programs on this machine: sh tests/formats/executorch/heap.sh PACKAGE FOLDER...
# PACKAGE is the folder of the PyPI package `executorch`. Each FOLDER has a model.pte, and optionally a .ptd file. Prints a line for each method:
# the folder's name, the method, and the bytes of the heap after loading and after the first execution. Each folder is a process.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)
if [ $# -lt 2 ]; then
  sed -n '/^# Measures/,/^set/{s/^# //p}' "$0" >&2
  exit 2
fi
package=$1
shift
mkdir -p "$root/build/executorch"
program=$root/build/executorch/heap
${CXX:-g++} -std=c++20 -O1 -isystem "$package/include" -isystem "$package/include/executorch/runtime/core/portable_type/c10" \
  -DC10_USING_CUSTOM_GENERATED_MACROS "$root/tests/formats/executorch/heap.cpp" -o "$program" -L "$package/lib" -Wl,-rpath,"$package/lib" \
  -Wl,--no-as-needed -lexecutorch -lexecutorch_kernels_optimized -lexecutorch_kernels_quantized -lexecutorch_backend_xnnpack
for folder in "$@"; do "$program" "$folder"; done
