#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# shellcheck disable=SC2154 # variables of build.sh and cross.sh
#
# Runs the random networks of tests/plan/plan_within_test.cpp in slices, within limits of slices, of the arena and of flash:
#   sh tests/plan/stepped_networks/run.sh [--measure] [FIRST [LAST]]
# FIRST and LAST are seeds, 1 and 200 by default. Compares the outputs with whole runs on this machine; with --measure, on a Cortex-M4 under
# QEMU, where it also compares the longest slice with the estimate of the plan. A network compiles in ten user seconds. BATCH is the number of
# networks of a program, CXX the compiler.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)
cd "$root"
board='' first='' last=''
for word in "$@"; do
  case $word in
    --measure) board=mps2-an386 ;;
    *) if [ -z "$first" ]; then first=$word; else last=$word; fi ;;
  esac
done
first=${first:-1} last=${last:-200}
tests=tests/plan/stepped_networks
mkdir -p build
work=$(mktemp -d build/stepped_networks.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# compile_quietly COMMAND: prints only the beginning of the messages, because a message can contain a whole network.
compile_quietly() {
  "$@" > "$work/compile.log" 2>&1 && return
  head -c 3000 "$work/compile.log"
  exit 1
}
compile_quietly "${CXX:-g++}" -std=c++20 -O1 -I include -I tests $tests/min_limits.cpp -o "$work/min_limits"
if [ -n "$board" ]; then
  . "$root/tools/build.sh"
  . "$root/tools/cross.sh"
  . tests/firmware/image.sh
  need_tool qemu-system-arm qemu-system-arm
  CXX='' use_core Cortex-M4
fi
failed=0
while [ "$first" -le "$last" ]; do
  end=$((first + ${BATCH:-4} - 1))
  if [ "$end" -gt "$last" ]; then end=$last; fi
  "$work/min_limits" "$first" "$end" > "$work/networks.hpp"
  if [ -n "$board" ]; then
    compile_quietly compile_image $board "$work/program" -I "$work" $tests/main.cpp examples/cortex_m/emulated.cpp
    set -- run_emulated $board
  else
    compile_quietly "${CXX:-g++}" -std=c++20 -O0 -I include -I tests -I "$work" $tests/main.cpp -o "$work/program"
    set --
  fi
  if said=$("$@" "$work/program" 2>&1); then echo "seeds $first to $end: $said"; else
    echo "seeds $first to $end: FAILED: $said"
    failed=1
  fi
  first=$((end + 1))
done
exit $failed
