#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests that a model compiles and that its outputs are exact, on targets, with compilers and with flags that the other tests do not cover:
#   sh tests/firmware/other_targets.sh TARGET [MODEL.tflite INPUTS.bin OUTPUTS.bin]
# cortex_m0: unaligned loads fault. riscv64: a program under an operating system. frame_pointer: -Og and -O0, which reserve r7. traps:
# undefined behavior stops the image. clang: another compiler. The default model is that of examples/digits.
set -eu
cd "$(dirname "$0")/../.."
digits=examples/digits
target=${1-}
model=${2:-$digits/digits_int8.tflite}
inputs=${3:-$digits/samples.bin}
outputs=${4:-$digits/expected.bin}
mkdir -p build
result=$(mktemp build/other_targets.XXXXXX)
trap 'rm -f "$result"' EXIT

image() {
  sh examples/cortex_m/run.sh "$model" "$inputs" "$result" "$@"
  cmp "$result" "$outputs"
}

case $target in
  cortex_m0)
    image --board microbit
    image --board microbit --kernels cortex_m
    ;;
  frame_pointer)
    image -Og
    image -O0
    ;;
  # Without three checks, because GCC does not accept some constant expressions with them.
  traps)
    CXXFLAGS='-fsanitize=undefined -fno-sanitize=null,nonnull-attribute,returns-nonnull-attribute -fsanitize-undefined-trap-on-error'
    export CXXFLAGS
    image
    ;;
  clang)
    CXX=${CLANG:-clang++-16}
    export CXX
    image
    ;;
  riscv64)
    mkdir -p build/riscv64/include
    [ -e build/riscv64/include/boost ] || ln -sfn /usr/include/boost build/riscv64/include/boost
    CXX="riscv64-linux-gnu-g++ -static -isystem $PWD/build/riscv64/include" RUN_WITH=qemu-riscv64 sh examples/run_model.sh "$model" "$inputs" "$result"
    cmp "$result" "$outputs"
    ;;
  *)
    echo "usage: sh tests/firmware/other_targets.sh cortex_m0|riscv64|frame_pointer|traps|clang [MODEL.tflite INPUTS.bin OUTPUTS.bin]" >&2
    exit 2
    ;;
esac
