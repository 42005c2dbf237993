#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# shellcheck disable=SC2154 # variables of build.sh and cross.sh
#
# Compares runs with and without interrupts that change registers, on boards of QEMU: sh tests/firmware/interrupts/run.sh [BOARD...]
# Without names, uses all boards: a Cortex-M0, M3, M4, M7, M33 and M55. KERNELS is portable, cortex_m or helium; the default depends on the
# board. MODEL is the file of a model, POLICY a memory policy.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)
cd "$root"
. "$root/tools/build.sh"
. "$root/tools/cross.sh"
. tests/firmware/image.sh
if [ $# = 0 ]; then set -- microbit mps2-an385 mps2-an386 mps2-an500 mps2-an505 mps3-an547; fi
model=${MODEL:-examples/digits/digits_int8.tflite}
need_tool qemu-system-arm qemu-system-arm
need_cmake
work=''
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failed=0
for board in "$@"; do
  kernels=cortex_m
  case $board in
    mps2-an385) core=Cortex-M3 ;;
    mps2-an386) core=Cortex-M4 ;;
    mps2-an500) core=Cortex-M7 ;;
    mps2-an505) core=Cortex-M33 ;;
    mps3-an547) core=Cortex-M55 kernels=helium ;;
    microbit) core=Cortex-M0 ;;
    *) fail "there is no board $board" ;;
  esac
  use_core "$core"
  if [ -z "$work" ]; then work=$(mktemp -d "$build/interrupts.XXXXXX"); fi
  embed "$model" "$work/model.hpp" model
  compile_image "$board" "$work/program" -I "$work" -DKERNELS="${KERNELS:-$kernels}" -DPOLICY="${POLICY:-no_overlap}" tests/firmware/interrupts/main.cpp
  if said=$(run_emulated "$board" "$work/program" 2>&1); then
    echo "$core, ${KERNELS:-$kernels} kernels: $said"
  else
    echo "$core, ${KERNELS:-$kernels} kernels: FAILED: $said"
    failed=1
  fi
done
exit $failed
