# shellcheck shell=sh disable=SC2034,SC2154 # variables of the tests that source this, and $root
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Shared functions of the tests of scripts. Set $root before sourcing this file. The file changes to a new folder with a model, its input and its
# expected output, and sets $failed to 0. A failed test sets $failed to 1.
digits=$root/examples/digits
mkdir -p "$root/build"
work=$(mktemp -d "$root/build/commands_test.XXXXXX")
model="it's a model; (1) & \$HOME.tflite" # names may have any characters
cd "$work" || exit 1
cp "$digits/digits_int8.tflite" "$model"
head -c 64 "$digits/samples.bin" > input.bin
head -c 10 "$digits/expected.bin" > expected.bin
failed=0

# expect STATUS NAME COMMAND...: tests that a command has this exit status. Writes its output to `out` and `err`.
expect() {
  wanted=$1
  name=$2
  shift 2
  status=0
  "$@" > out 2> err || status=$?
  if [ $status != "$wanted" ]; then
    echo "$name: expected exit status $wanted, actual $status"
    cat out err
    failed=1
  fi
}
# check NAME COMMAND...: tests that a command succeeds.
check() {
  name=$1
  shift
  if ! "$@"; then
    echo "$name: failed: $*"
    cat out err
    failed=1
  fi
}
