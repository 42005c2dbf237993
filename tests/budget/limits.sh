#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Prints the cost of one inference on a Cortex-M4 within limits of the arena, and compares the outputs with the recorded outputs:
# sh tests/budget/limits.sh [MODEL BYTES]...
# The models are those of ../shared/models and ../shared/zoo. Without arguments, prints the rows of docs/figures.md.
# Fails if an image needs a larger arena than its limit, or if an output differs. The images are built by examples/cortex_m/run.sh.
set -eu
cd "$(dirname "$0")/../.."
shared=../shared
if [ ! -d "$shared/models" ] || ! command -v qemu-system-arm > /dev/null || ! command -v arm-none-eabi-g++ > /dev/null; then
  echo "SKIPPED: needs ../shared/models, arm-none-eabi-g++ and qemu-system-arm"
  exit 0
fi
if [ $# = 0 ]; then
  set -- ad01_int8 1000 kws_ref_model 9000 kws_ref_model 6000 kws_ref_model 5200 pretrainedResnet_quant 20000 vww_96_int8 28000 person_detect 15000 \
    esphome_v2_alexa 7136
fi
mkdir -p build/budget
work=$(mktemp -d build/budget/limits.XXXXXX)
trap 'rm -rf "$work"' EXIT
failed=0
printf '%-24s %8s %8s %12s %s\n' model limit arena instructions output
while [ $# -ge 2 ]; do
  golden=$shared/golden/$1
  model=$shared/models/$1.tflite
  if [ ! -f "$model" ]; then
    golden=$shared/zoo/$1
    model=$golden/$1.tflite
  fi
  sh examples/cortex_m/run.sh "$model" "$golden/input_0.bin" "$work/output" --kernels cortex_m --arena "$2" -O2 > "$work/said"
  instructions=$(sed -n 's/^instructions of one inference: \([0-9]*\).*/\1/p' "$work/said")
  arena=$(sed -n 's/^RAM: .*(arena \([0-9]*\),.*/\1/p' "$work/said")
  output=exact
  if ! cmp -s "$work/output" "$golden/output_0.bin"; then output=DIFFERENT failed=1; fi
  if [ "$arena" -gt "$2" ]; then output="$output, ABOVE THE LIMIT" failed=1; fi
  printf '%-24s %8s %8s %12s %s\n' "$1" "$2" "$arena" "$instructions" "$output"
  shift 2
done
exit $failed
