#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Compiles the ExecuTorch programs of ../shared/formats with run_model.sh, within the default limits of the compiler ($CXX or g++) for
# constant expressions, runs the recorded inputs, and compares the outputs: sh tests/formats/executorch/run_cases.sh [CASE...]
# A case is the name of a folder; by default all that run without an accelerator. Prints a line for each method. Outputs must be equal, or
# within the tolerance of the manifest if it has one. Takes about 20 s of CPU for each method, so no test runs it; ctest checks the same
# outputs at run time (pte_outputs_test).
# Not in the list: Ethos-U (formats.pte_ds_cnn_ethosu55); methods that share a state and run alternately; inputs that are smaller than their bounds;
# and the demo delegates whose files lack data (pte_demo_delegates_test).
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)
cases=$root/../shared/formats
if [ ! -d "$cases" ]; then
  echo "SKIPPED: needs ../shared/formats"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
if [ $# = 0 ]; then
  for folder in "$cases"/pte_*; do
    case ${folder##*/} in
      *_ethosu* | pte_shared_state_* | pte_autoencoder_dyn_* | pte_own_* | *_demo_ndm | *_demo_all) ;;
      *) set -- "$@" "${folder##*/}" ;;
    esac
  done
fi

# methods_of MANIFEST: a line for each method with recorded outputs: its name, the absolute and the relative tolerance.
methods_of() {
  awk '
    function number(key) { return match($0, "\"" key "\": [0-9.e-]+") ? substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4) : "" }
    function finish() { if (name != "") print name, atol, rtol; name = "" }
    /^ "golden": \{/ { inside = 1; next }
    inside && /^ \}/ { finish(); inside = 0 }
    inside && /^  "[^"]*": \{/ { finish(); name = $1; gsub(/[":]/, "", name); atol = rtol = 0 }
    inside && number("atol") != "" { atol = number("atol") }
    inside && number("rtol") != "" { rtol = number("rtol") }' "$1"
}
# differences ACTUAL EXPECTED ATOL RTOL: the number of words of four bytes that differ, as float32 numbers beyond the tolerance.
differences() {
  for each in "$1" "$2"; do
    od -An -v -tx4 -w4 "$each" > "$each.words"
    od -An -v -tf4 -w4 "$each" > "$each.numbers"
  done
  paste -d ' ' "$1.words" "$2.words" "$1.numbers" "$2.numbers" | awk -v atol="$3" -v rtol="$4" '
    function size(x) { return x < 0 ? -x : x }
    $1 != $2 && !(size($3 - $4) <= atol + rtol * size($4)) { count++ }
    END { print count + 0 }'
}

status=0
for case in "$@"; do
  backend=portable
  case $case in *_demo_*) backend=executorch_demo ;; esac
  methods_of "$cases/$case/manifest.json" > "$work/methods"
  while read -r method atol rtol; do
    part=${method}_
    if [ "$method" = forward ]; then part=''; fi
    for k in 0 1 2 3; do cat "$cases/$case/input_$part$k.bin"; done > "$work/input"
    for k in 0 1 2 3; do cat "$cases/$case/output_$part$k.bin"; done > "$work/expected"
    if ! sh "$root/examples/run_model.sh" "$cases/$case/model.pte" "$work/input" "$work/output" --backend $backend \
      --signature "$method" 2> "$work/log" < /dev/null; then
      echo "$case $method: $(grep -v '^cannot compile' "$work/log" | head -n 1)"
      status=1
    elif cmp -s "$work/output" "$work/expected"; then
      echo "$case $method: equal"
    elif [ "$(wc -c < "$work/output")" = "$(wc -c < "$work/expected")" ] &&
      [ "$(differences "$work/output" "$work/expected" "$atol" "$rtol")" = 0 ]; then
      echo "$case $method: equal within $atol + $rtol of the number"
    else
      echo "$case $method: different"
      status=1
    fi
  done < "$work/methods"
done
exit $status
