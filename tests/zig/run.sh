#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Compiles models with Zig's C++ compiler (PyPI's ziglang: its own Clang, libc++ and musl) and compares their outputs with the reference:
#   sh tests/zig/run.sh
# native: this machine, with all its instructions. ubsan: the same, but undefined behavior stops the program. The other targets run under
# qemu-user, or PyPI's wasmtime.
# Needs python3 with venv, access to PyPI, cmake, Boost, and qemu-user. All files are in build/zig: 0.5 GB of packages, 0.3 GB of Zig's
# cache. The first run takes eight minutes, because Zig builds libc++ and musl for each target; later runs take two. Exit status 0 means
# that all outputs are exact.
set -eu
cd "$(dirname "$0")/../.."
zig_version=0.17.1
wasmtime_version=50.0.1
models="digits_int8 kws_ref_model hello_world_float"
targets="native ubsan aarch64-linux-musl riscv64-linux-musl wasm32-wasi"
shared=../shared
work=build/zig
# Relative, because $CXX and $RUN_WITH are split into words, and the path of the repository may have spaces.
python=$work/venv/bin/python
export ZIG_GLOBAL_CACHE_DIR="$PWD/$work/cache"

# Boost alone: a cross compile must not find this machine's headers.
mkdir -p $work/include
ln -sfn /usr/include/boost $work/include/boost
if [ ! -x $work/venv/bin/pip ]; then python3 -m venv $work/venv; fi
if ! $python -m pip install --quiet --disable-pip-version-check ziglang==$zig_version wasmtime==$wasmtime_version; then
  echo "zig: could not install ziglang $zig_version and wasmtime $wasmtime_version from PyPI" >&2
  exit 1
fi
if [ ! -d $shared/models ]; then
  echo "SKIPPED: no models in $shared/models; only digits_int8 is compiled"
  models=digits_int8
fi

# recorded MODEL input|output: prints the recorded inputs or outputs of all inferences, in the same order.
recorded() {
  case $1-$2 in
    digits_int8-input) cat examples/digits/samples.bin ;;
    digits_int8-output) cat examples/digits/expected.bin ;;
    *) cat "$shared/golden/$1/"*"$2"*.bin ;;
  esac
}

# check MODEL TARGET: compiles the model, runs it, and compares every byte.
check() {
  case $1 in
    digits_int8) file=examples/digits/$1.tflite ;;
    *) file=$shared/models/$1.tflite ;;
  esac
  case $2 in
    native) flags='' run='' ;;
    ubsan) flags=-fsanitize=undefined run='' ;;
    # Zig's libc++abi for WASI cannot throw.
    wasm32-wasi) flags="-target $2 -fno-exceptions" run="$python tests/zig/run_wasi.py" ;;
    *) flags="-target $2" run="qemu-${2%%-*}" ;;
  esac
  # A fused multiply-add rounds once; the reference rounds the product and the sum.
  case $1 in *_float) flags="$flags -ffp-contract=off" ;; esac
  rm -f $work/outputs.bin
  recorded "$1" input > $work/inputs.bin
  recorded "$1" output > $work/expected.bin
  CXX="$python -m ziglang c++ -isystem $work/include $warnings -Werror $flags" RUN_WITH=$run \
    sh examples/run_model.sh "$file" $work/inputs.bin $work/outputs.bin && cmp $work/outputs.bin $work/expected.bin
}

warnings=$(grep -o -e '-W[a-z-]*' cmake/warnings.cmake | tr '\n' ' ')
failed=''
for target in $targets; do
  for model in $models; do
    if check "$model" "$target"; then
      echo "zig: $model on $target: exact"
    else
      echo "zig: $model on $target: FAILED" >&2
      failed="$failed $model($target)"
    fi
  done
done
if [ -n "$failed" ]; then
  echo "zig: FAILED:$failed" >&2
  exit 1
fi
echo "zig: passed with Zig $zig_version: $models; on each of: $targets"
