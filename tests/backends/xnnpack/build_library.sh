#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds XNNPACK as a static library from a source folder and installs it to OUTPUT/prefix:
#   sh tests/backends/xnnpack/build_library.sh SOURCE OUTPUT
# Environment variables:
#   XNNPACK_OPTIONS  CMake options of XNNPACK, such as -DXNNPACK_ENABLE_AVX512F=OFF. XNNPACK downloads its dependencies unless these
#                    options are set: -DCPUINFO_SOURCE_DIR=, -DPTHREADPOOL_SOURCE_DIR=, -DFXDIV_SOURCE_DIR=, -DFP16_SOURCE_DIR=
#   XNNPACK_JOBS     number of parallel jobs (default: 2)
# Compiles about 900 files, which takes a quarter of an hour on two cores. A second run compiles only changed files.
set -eu
source=${1:-}
output=${2:-}
if [ -z "$source" ] || [ -z "$output" ]; then
  echo "xnnpack: no source folder is given; set XNNPACK_SOURCE to a checkout of github.com/google/XNNPACK" >&2
  exit 2
fi
if [ ! -f "$source/include/xnnpack.h" ] || [ ! -f "$source/CMakeLists.txt" ]; then
  echo "xnnpack: $source has no include/xnnpack.h or no CMakeLists.txt; set XNNPACK_SOURCE to a checkout of github.com/google/XNNPACK" >&2
  exit 2
fi
# Deletes the output of another source folder.
source=$(cd "$source" && pwd)
if [ "$(cat "$output/source" 2> /dev/null)" != "$source" ]; then rm -rf "$output"; fi
mkdir -p "$output"
echo "$source" > "$output/source"
output=$(cd "$output" && pwd)
build() {
  # shellcheck disable=SC2086 # a list of words
  cmake -S "$source" -B "$output/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$output/prefix" \
    -DCMAKE_INSTALL_LIBDIR=lib -DXNNPACK_LIBRARY_TYPE=static -DXNNPACK_BUILD_TESTS=OFF -DXNNPACK_BUILD_BENCHMARKS=OFF \
    -DXNNPACK_BUILD_ALL_MICROKERNELS=OFF ${XNNPACK_OPTIONS:-} || return
  cmake --build "$output/build" --parallel "${XNNPACK_JOBS:-2}" || return
  cmake --install "$output/build"
}
if ! build > "$output/log" 2>&1; then
  tail -n 20 "$output/log" >&2
  echo "xnnpack: building the library failed; see $output/log" >&2
  exit 1
fi
echo "xnnpack: built from $source"
