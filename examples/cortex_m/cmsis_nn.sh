#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Compiles the int8 functions of Arm's CMSIS-NN, and the functions that they call, once for each set of flags. Prints the path of the
# library:
# sh examples/cortex_m/cmsis_nn.sh FOLDER FLAG...
# FOLDER contains the libraries. BATON_CMSIS_NN_DIR is a checkout of CMSIS-NN. If it is missing or does not compile, prints a message; the
# exit status is 1.
set -eu
folder=$1
shift
from=${BATON_CMSIS_NN_DIR-}
if [ -z "$from" ]; then
  echo "the kernels cmsis_nn need Arm's CMSIS-NN; set BATON_CMSIS_NN_DIR to a checkout of it" >&2
  exit 1
fi
if [ ! -e "$from/Include/arm_nnfunctions.h" ]; then
  echo "BATON_CMSIS_NN_DIR is $from, which has no Include/arm_nnfunctions.h; set it to a checkout of CMSIS-NN" >&2
  exit 1
fi
library=$folder/$(printf '%s\n' "$from" "$@" | sha256sum | cut -c 1-12)/libcmsis_nn.a
if [ ! -e "$library" ]; then
  mkdir -p "${library%/*}"
  work=$(mktemp -d "${library%/*}/work.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  for source in "$from"/Source/*/arm_*s8*.c "$from"/Source/*/arm_*_with_offset.c; do
    arm-none-eabi-gcc "$@" -w -ffunction-sections -fdata-sections -I "$from/Include" -c "$source" -o "$work/$(basename "$source" .c).o" >&2 || {
      echo "$source does not compile" >&2
      exit 1
    }
  done
  arm-none-eabi-ar rcs "$work/libcmsis_nn.a" "$work"/*.o
  mv -f "$work/libcmsis_nn.a" "$library"
fi
printf '%s\n' "$library"
