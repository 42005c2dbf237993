#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Writes an ETDump of three runs of a method on this machine: sh tests/formats/executorch/etdump.sh PACKAGE MODEL METHOD ETDUMP
# PACKAGE is the folder of the PyPI package `executorch`; PyTorch is not needed. MODEL is a program (.pte). The inputs are zeros.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)
if [ $# != 4 ]; then
  sed -n '/^# Writes/,/^set/{s/^# //p}' "$0" >&2
  exit 2
fi
package=$1
shift
mkdir -p "$root/build/executorch"
program=$root/build/executorch/etdump
${CXX:-g++} -std=c++20 -O1 -isystem "$package/include" -isystem "$package/include/executorch/runtime/core/portable_type/c10" \
  -DC10_USING_CUSTOM_GENERATED_MACROS -DET_EVENT_TRACER_ENABLED -Wno-deprecated-declarations "$root/tests/formats/executorch/etdump.cpp" \
  -o "$program" -L "$package/lib" -Wl,-rpath,"$package/lib" -Wl,--no-as-needed -lexecutorch -lexecutorch_etdump \
  -lexecutorch_kernels_optimized -lexecutorch_kernels_quantized -lexecutorch_backend_xnnpack
exec "$program" "$@"
