#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: sh stack.sh [--path] IMAGE FUNCTION...
#
# Prints the maximum stack of functions of a linked image for a Cortex-M, in bytes, with all functions that they call:
# sh stack.sh firmware.elf inference::run
# The frames are those of the machine code, so it makes no difference whether they come from a compiler, from assembly or from a library.
# --path  also prints the calls of the deepest path, and the bytes of each function
# A call through a pointer may call every function whose address is in the code or in the sections .rodata and .data. Two functions are
# excluded: the reset handler, and functions that call FUNCTION again. Interrupts are not included: add the stack of their handlers.
# There is no bound for recursive functions, for frames of variable size, and for calls through pointers to unknown functions.
# OBJDUMP is an objdump for the image (default: arm-none-eabi-objdump).
# Exit status: 0: success. 1: the image cannot be read, or it has no such function. 2: wrong usage. 3: a function has no bound.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
is_path=0
if [ "${1-}" = --path ]; then
  is_path=1
  shift
fi
if [ $# -lt 2 ]; then
  echo "usage: sh stack.sh [--path] IMAGE FUNCTION..." >&2
  exit 2
fi
image=$1
shift
if [ ! -r "$image" ] || [ -d "$image" ]; then
  echo "cannot read $image" >&2
  exit 1
fi
objdump=${OBJDUMP:-arm-none-eabi-objdump}
if ! command -v "$objdump" > /dev/null; then
  echo "there is no tool $objdump; set OBJDUMP to an objdump for the image" >&2
  exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
LC_ALL=C "$objdump" -f "$image" > "$work/header" || exit 1
LC_ALL=C "$objdump" -d -C --no-show-raw-insn "$image" > "$work/code" || exit 1
# Fails if the image has none of these sections.
LC_ALL=C "$objdump" -s -j .rodata -j .data "$image" > "$work/constants" 2> /dev/null || :
LC_ALL=C awk -v wanted="$(printf '%s\n' "$@")" -v is_path="$is_path" -f "$here/stack.awk" "$work/header" "$work/code" "$work/constants"
