#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds and runs all tests: sh tests/run.sh [--quick] [PRESET...]
# Installs missing packages (Debian 12), checks the formatting, then configures, builds and tests the given presets of CMakePresets.json.
# The default is the presets of CI. --quick is the preset gcc. Exit status 0 means that all tests passed.
#   gcc             GCC 12: models, examples, the package, and the tests of rooms whose constant expressions depend on the compiler
#   clang-16        Clang 16 with sanitizers: tests at run time, with a sample of the models; no conformance tests, laws and examples
#   single-header   Clang 19 with libc++: a third of the examples, and one folder of tests, with the single header
#   arm-none-eabi   GCC for Cortex-M: tests without an operating system, under QEMU
# Not in CI:
#   clang, clang-libcxx   Clang 19 with libstdc++ or libc++: everything except measurements
#   xnnpack-current       the tests of the backend XNNPACK, with a library that tests/backends/xnnpack/build_library.sh builds from source:
#                         XNNPACK_SOURCE=FOLDER sh tests/run.sh xnnpack-current
#   wheel                 `pip install`, and the commands of docs/tool.md in an empty virtual environment (tests/wheel/run.sh)
#   site                  the documentation site: links, the commands of the tutorial, the pages in a browser (tests/site/run.sh)
#   zig                   models that PyPI's Zig compiles, on this machine, aarch64, riscv64 and wasm32 (tests/zig/run.sh)
set -u
cd "$(dirname "$0")/.." || exit 1

all="gcc clang-16 single-header arm-none-eabi"
presets=""
for word in "$@"; do
  case " $all clang clang-libcxx xnnpack-current site wheel zig --quick " in
    *" $word "*) ;;
    *)
      echo "usage: sh tests/run.sh [--quick] [PRESET...]; the presets are: $all clang clang-libcxx xnnpack-current site wheel zig" >&2
      exit 2
      ;;
  esac
  if [ "$word" = --quick ]; then word=gcc; fi
  presets="$presets $word"
done
presets=${presets:-$all}

# Only the packages that the chosen presets need.
packages="cmake ninja-build ccache g++ libboost-dev librange-v3-dev doctest-dev clang-format-19"
for preset in $presets; do
  case $preset in
    gcc) packages="$packages valgrind chromium nodejs libxnnpack-dev libpthreadpool-dev" ;;
    clang) packages="$packages clang-19" ;;
    clang-16) packages="$packages clang-16 libclang-rt-16-dev llvm-16 libxnnpack-dev libpthreadpool-dev" ;;
    xnnpack-current) packages="$packages gcc python3" ;;
    wheel) packages="$packages make python3-venv gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib qemu-system-arm" ;;
    site)
      packages="$packages git doxygen chromium python3-venv"
      packages="$packages gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib qemu-system-arm"
      ;;
    zig) packages="$packages python3-venv qemu-user" ;;
    single-header | clang-libcxx) packages="$packages clang-19 libc++-19-dev libc++abi-19-dev" ;;
    arm-none-eabi)
      packages="$packages gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib qemu-system-arm"
      # Templates of boards, then other targets and compilers (tests/firmware/other_targets.sh).
      packages="$packages make clang-16 g++-riscv64-linux-gnu qemu-user"
      ;;
  esac
done
if command -v apt-get > /dev/null; then
  missing=""
  for package in $packages; do
    case " $missing " in *" $package "*) continue ;; esac
    dpkg-query -W -f='${Status}' "$package" 2> /dev/null | grep -q '^install ok installed' || missing="$missing $package"
  done
  if [ -n "$missing" ]; then
    sudo=""
    if [ "$(id -u)" != 0 ]; then sudo="sudo"; fi
    echo "== installing:$missing"
    # shellcheck disable=SC2086 # a list of words
    if ! $sudo env DEBIAN_FRONTEND=noninteractive apt-get update -qq ||
      ! $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing > /dev/null; then
      echo "could not install:$missing" >&2
      exit 1
    fi
  fi
else
  echo "== apt-get is not available; these packages must be installed: $packages"
fi

failed=""

echo "== formatting"
# Headers generated from models are not formatted.
find include tests examples packaging \( -name '*.hpp' -o -name '*.cpp' \) ! -name '*.tflite.hpp' -print0 2> /dev/null |
  xargs -0 -r clang-format-19 --dry-run -Werror --ferror-limit=3 || {
  echo "formatting: these files are not formatted; run clang-format-19 -i on them"
  failed="$failed formatting"
}

for preset in $presets; do
  echo "== $preset"
  case $preset in
    site | wheel | zig)
      sh "tests/$preset/run.sh" || failed="$failed $preset"
      continue
      ;;
  esac
  if [ "$preset" = xnnpack-current ]; then
    if ! sh tests/backends/xnnpack/build_library.sh "${XNNPACK_SOURCE:-}" build/xnnpack-library; then
      failed="$failed $preset(library)"
      continue
    fi
    rm -f "build/$preset/CMakeCache.txt" # it may name the parts of another version of the library
  fi
  if cmake --preset "$preset" && cmake --build --preset "$preset"; then
    ctest --preset "$preset" || failed="$failed $preset(tests)"
  else
    failed="$failed $preset(build)"
  fi
done

# On success, prints nothing more, so that the last line is that of CTest or of tests/zig/run.sh.
if [ -n "$failed" ]; then
  echo "FAILED:$failed" >&2
  exit 1
fi
