#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Measures the smallest limit of constant evaluation that compiles an ONNX model: reading, the default passes, and the executor. The limit
# applies to each constant, so it is the cost of the most expensive one.
#   sh tests/budget/onnx_limits.sh            fails if a limit is more than 2 % off its row of onnx_limits.txt, or more than half of the
#                                             compiler's default, or if a model does not compile
#   sh tests/budget/onnx_limits.sh --write    finds the limits by bisection, within 0.5 %, and writes the file; takes some minutes
# The limits are those of GCC 12 (-fconstexpr-ops-limit) and of Clang 16 and 19 (-fconstexpr-steps) with libstdc++ 12. Rows of other
# compilers are skipped.
set -eu
cd "$(dirname "$0")/../.."

rows=tests/budget/onnx_limits.txt
cases=../shared/formats
if [ ! -d "$cases" ]; then
  echo "SKIPPED: needs ../shared/formats"
  exit 0
fi
mkdir -p build/budget
work=$(mktemp -d build/budget/onnx_limits.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# compiles COMPILER CASE LIMIT: true if the model compiles with this limit.
compiles() {
  case $1 in clang*) flag=-fconstexpr-steps ;; *) flag=-fconstexpr-ops-limit ;; esac
  if [ ! -f "$work/$2/model.onnx.hpp" ]; then
    mkdir -p "$work/$2"
    cmake "-DINPUT=$cases/$2/model.onnx" "-DOUTPUT=$work/$2/model.onnx.hpp" -P cmake/embed_file.cmake
  fi
  "$1" -std=c++20 -Iinclude "-I$work/$2" -fsyntax-only "$flag=$3" tests/budget/onnx_limits.cpp > "$work/log" 2>&1
}
default_of() { case $1 in clang*) echo 1048576 ;; *) echo 33554432 ;; esac; }

if [ "${1-}" = --write ]; then
  {
    echo '# case compiler: the smallest limit that compiles the model'
    grep -v '^#' $rows | while read -r case compiler limit; do
      upper=$(default_of "$compiler") lower=0
      while [ $(((upper - lower) * 200)) -gt "$upper" ]; do
        middle=$(((upper + lower) / 2))
        if compiles "$compiler" "$case" $middle < /dev/null; then upper=$middle; else lower=$middle; fi
      done
      echo "$case $compiler $upper"
    done
  } > "$work/rows"
  mv "$work/rows" $rows
  cat $rows
  exit 0
fi

status=0
while read -r case compiler limit; do
  if [ "$case" = '#' ]; then continue; fi
  if ! command -v "$compiler" > /dev/null; then
    echo "$case $compiler: skipped, because the compiler is not installed"
    continue
  fi
  default=$(default_of "$compiler")
  echo "$case $compiler: $limit, $((100 * limit / default)) % of the default"
  if [ $((2 * limit)) -gt "$default" ]; then
    echo "$case $compiler: more than half of the default limit" >&2
    status=1
  fi
  if ! compiles "$compiler" "$case" $((limit + limit / 50)); then
    grep -m 1 error: "$work/log" >&2 || true
    echo "$case $compiler: needs more than $((limit + limit / 50)); if this is intended, run: sh tests/budget/onnx_limits.sh --write" >&2
    status=1
  elif compiles "$compiler" "$case" $((limit - limit / 50)); then
    echo "$case $compiler: needs less than $((limit - limit / 50)); run: sh tests/budget/onnx_limits.sh --write" >&2
    status=1
  fi
done < $rows
exit $status
