#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Demonstrates Baton with a model: sh examples/demo.sh [MODEL]
# Installs missing packages (Debian). The C++ compiler ($CXX or g++) reads, partitions, lowers and plans the model. The script then prints
# the operators, the parts, the memory plan, and an inference. With the default model, it draws and recognizes handwritten digits. Later
# runs reuse the compiled program.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/tools/build.sh"

usage() {
  echo "usage: sh examples/demo.sh [MODEL]" >&2
  exit 2
}
if [ $# -gt 1 ]; then usage; fi
case ${1-none} in -* | '') usage ;; esac
digits=$root/examples/digits
model=${1:-$digits/digits_int8.tflite}
need_file "$model"

missing=''
if ! command -v cmake > /dev/null; then missing="$missing cmake"; fi
# shellcheck disable=SC2086 # a compiler and its flags
if ! $cxx --version > /dev/null 2>&1; then
  case $cxx in g++ | clang++*) missing="$missing $(printf '%s' "$cxx" | sed 's/clang++/clang/')" ;; *) fail "there is no compiler $cxx" ;; esac
  if [ ! -e /usr/include/boost/hana.hpp ]; then missing="$missing libboost-dev"; fi
elif ! finds_header boost/hana/tuple.hpp; then
  missing="$missing libboost-dev"
fi
if [ -n "$missing" ]; then
  command -v apt-get > /dev/null || fail "apt-get is not available; install these packages:$missing"
  sudo=''
  if [ "$(id -u)" != 0 ]; then sudo=sudo; fi
  echo "installing:$missing"
  # shellcheck disable=SC2086 # a list of words
  { $sudo env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing > /dev/null; } || fail "could not install:$missing"
fi

shows_progress=yes
folder=$build/demo/$(name_of "$model")
compile_model demo.cpp "$model" npu "$folder"
# shellcheck disable=SC2086 # a compiler and its flags
echo "$(name_of "$model"): $(wc -c < "$model") bytes. Read, partitioned, lowered, planned and compiled by $cxx $($cxx -dumpversion), without a backend and with"
echo "the example npu, in $((compile_time / 1000)).$((compile_time % 1000 / 100)) s. The following is read from the compiled programs."
echo
if [ $# = 0 ]; then
  set -- "$digits/samples.bin" "$digits/samples.txt" "$digits/expected.bin"
else
  set --
fi
exec "$folder/npu/program" "$@"
