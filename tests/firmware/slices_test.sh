#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs int8 models of ../shared/zoo in slices of at most 20,000 instructions under QEMU. Checks the longest slice against the limit, and the
# outputs of the first inference against the recorded ones: sh tests/firmware/slices_test.sh [MODEL...]
set -eu
cd "$(dirname "$0")/../.."
zoo=../shared/zoo
if [ ! -d "$zoo" ] || ! command -v qemu-system-arm > /dev/null || ! command -v arm-none-eabi-g++ > /dev/null; then
  echo "SKIPPED: needs ../shared/zoo, arm-none-eabi-g++ and qemu-system-arm"
  exit 0
fi
if [ $# = 0 ]; then set -- esphome_v2_okay_nabu mltk_anomaly_detection tflm_mnist_lstm_int8; fi
limit=20000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for name in "$@"; do
  sh examples/cortex_m/run.sh "$zoo/$name/$name.tflite" "$zoo/$name/input_0.bin" "$work/output.bin" --slice $limit > "$work/said"
  longest=$(sed -n 's/^the watchdog must wait \([0-9]*\) instructions$/\1/p' "$work/said")
  slices=$(sed -n 's/^slices of one inference: \(.*\)/\1/p' "$work/said")
  said="$name: longest slice ${longest:-unknown} of $limit instructions; slices: $slices"
  if ! cmp "$work/output.bin" "$zoo/$name/output_0.bin"; then
    echo "FAILED: $said: the outputs differ"
    failed=1
  elif [ "${longest:-999999999}" -gt $limit ]; then
    echo "FAILED: $said"
    failed=1
  else
    echo "$said"
  fi
done
exit $failed
