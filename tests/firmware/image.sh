# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Shell functions that compile a program for a board of QEMU and run it. Source tools/build.sh and tools/cross.sh before this file, in the
# root of the repository, and call use_core before compile_image.
# shellcheck shell=sh disable=SC2154 # variables of build.sh and cross.sh

# compile_image BOARD PROGRAM WORDS...: compiles the sources and flags WORDS at -O2, with the start-up code of examples/cortex_m.
compile_image() {
  image_board=$1 image=$2
  shift 2
  # shellcheck disable=SC2086 # lists of words
  LC_ALL=C $cxx -std=c++20 -O2 $cpu -fno-exceptions -fno-rtti -fno-threadsafe-statics -ffunction-sections -fdata-sections $core_includes $collect_late \
    -isystem "$boost_links" -I include -I tests -I examples "$@" examples/cortex_m/startup.cpp --specs=nano.specs -nostartfiles \
    -Wl,--gc-sections -L examples/cortex_m -T "examples/cortex_m/boards/$image_board.ld" -o "$image"
}

# run_emulated BOARD PROGRAM: runs a program for at most 300 seconds. -icount counts one nanosecond for each instruction.
run_emulated() {
  timeout 300 qemu-system-arm -M "$1" -nographic -monitor none -serial none -semihosting-config enable=on,target=native -icount shift=0 -kernel "$2"
}
