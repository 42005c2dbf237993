# shellcheck shell=sh disable=SC2034,SC2154 # variables of the tests that read this, and $root
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# What tests of commands share; they read it with $root set: an empty folder to work in, with a model, its input and its expected output, and
# `failed`, which becomes 1.
digits=$root/examples/digits
mkdir -p "$root/build"
work=$(mktemp -d "$root/build/commands_test.XXXXXX")
model="it's a model; (1) & \$HOME.tflite" # names may hold anything
cd "$work" || exit 1
cp "$digits/digits_int8.tflite" "$model"
head -c 64 "$digits/samples.bin" > input.bin
head -c 10 "$digits/expected.bin" > expected.bin
failed=0

# expect STATUS WHAT COMMAND...: runs a command, its output in `out` and `err`.
expect() {
  wanted=$1
  what=$2
  shift 2
  status=0
  "$@" > out 2> err || status=$?
  if [ $status != "$wanted" ]; then
    echo "$what: exit status $status, not $wanted"
    cat out err
    failed=1
  fi
}
# check WHAT COMMAND...: a command that must pass.
check() {
  what=$1
  shift
  if ! "$@"; then
    echo "$what: not so: $*"
    cat out err
    failed=1
  fi
}
