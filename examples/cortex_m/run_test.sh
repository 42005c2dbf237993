#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# shellcheck disable=SC2317 # functions that are called by name
#
# Tests run.sh: outputs on every board, and a message with exit status 1 for each error.
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
# shellcheck source=examples/expect.sh
. "$root/examples/expect.sh"
trap 'rm -rf "$work" "$root/build/cortex_m/${model%.tflite}" "$root/build/cortex_m/broken" "$root/build/cortex_m/large" "$root/build/cortex_m/digits" "$root/build/cortex_m/digits_cortex_m"' EXIT
run() { sh "$here/run.sh" "$@"; }
# bounds_stack: true if the computed stack in `out` is at least the measured stack, and at most 128 bytes more.
bounds_stack() {
  awk '/^stack: [1-9][0-9]* bytes, at most [1-9][0-9]*$/ { is_bound = $6 >= $2 + 0 && $6 <= $2 + 128 } END { exit !is_bound }' out
}
# costs INSTRUCTIONS FLASH RAM: true if the figures in `out` differ by at most 2 % from these.
costs() {
  awk -v wanted="$1 $2 $3" '
    /^instructions of one inference: / { is[1] = $5 }
    /^flash: / { is[2] = $2 }
    /^RAM: / { is[3] = $2 }
    END {
      split(wanted, was)
      for (i = 1; i <= 3; i++) if (!(is[i] >= 0.98 * was[i] && is[i] <= 1.02 * was[i])) exit 1
    }' out
}

for board in mps2-an385 mps2-an386 mps2-an500 mps2-an505 mps3-an547 microbit; do
  rm -f output.bin
  expect 0 "the model on $board" run "$model" input.bin output.bin --board $board -Os
  check "its output on $board" cmp output.bin expected.bin
  check "its instructions on $board" grep -q '^instructions of one inference: [1-9]' out
  check "no instructions before the first inference on $board" grep -q '^before the first inference: 0 instructions, 0 bytes copied to RAM$' out
  check "its flash on $board" grep -q '^flash: [0-9]* bytes (weights [1-9][0-9]*, delegates 0, tables [0-9]*, code [1-9]' out
  check "its RAM on $board" grep -q '^RAM: [0-9]* bytes (arena [1-9][0-9]*, lower bound [1-9][0-9]*; rest [0-9]*)' out
  check "its stack on $board" bounds_stack
done
rm -f output.bin
expect 0 "ten inferences in one file" run "$model" "$digits/samples.bin" output.bin --profile
check "the outputs of all" cmp output.bin "$digits/expected.bin"
check "instructions by node" grep -q '^  [1-9][0-9]* tfl.fully_connected fully_connected$' out

rm -f output.bin
expect 0 "ten inferences in slices" run "$model" "$digits/samples.bin" output.bin --slices
check "their outputs" cmp output.bin "$digits/expected.bin"
check "the longest slice is shorter than the inference" awk '
  /^slices of one inference: / { slices = $5; whole = $8 }
  /^the watchdog must wait / { longest = $5 }
  /^the queue of the sensor must hold / { queued = $8; frame = $10 }
  END { exit !(slices + 0 > 1 && longest > 0 && longest < whole && queued > 0 && queued < frame) }' out
nodes=$(sed -n 's/^slices of one inference: \([0-9]*\),.*/\1/p' out) # without a limit, a slice is a node

rm -f output.bin
expect 0 "ten inferences in slices of at most 10,000 instructions" run "$model" "$digits/samples.bin" output.bin --slice 10000
check "their outputs" cmp output.bin "$digits/expected.bin"
check "more slices than nodes, within the limit" awk -v nodes="$nodes" '
  /^slices of one inference: / { slices = $5 }
  /^the watchdog must wait / { longest = $5 }
  END { exit !(nodes + 0 > 1 && slices + 0 > nodes + 0 && longest > 0 && longest <= 10000) }' out
expect 0 "slices of at most 10,000 instructions by a named policy" run "$model" input.bin output.bin --slice 10000 --policy in_place
check "their outputs" cmp output.bin expected.bin
check "both in the first line" grep -q ', policy within_slice_10000_by_in_place, ' out
expect 2 "a limit of slices that is not a number" run "$model" input.bin output.bin --slice x
check "its sentence" grep -q '^--slice needs a number of instructions$' err
expect 2 "a profile of slices" run "$model" input.bin output.bin --slices --profile
check "its sentence" grep -q '^--profile observes whole inferences, so it cannot be combined with --slices$' err

expect 0 "a program of torch.export, one layer of which a backend computes as exported" run "$digits/digits.pt2" "$digits/images.bin" output.bin --backend dense_unit
check "its outputs, those of PyTorch" cmp output.bin "$digits/scores.bin"
check "its delegates" grep -q '^flash: [0-9]* bytes (weights [1-9][0-9]*, delegates 700, ' out
# These figures are in README.md and docs/pt2.md.
check "its figures" costs 35960 10120 1280
expect 0 "a program of torch.export" run "$digits/digits.pt2" "$digits/images.bin" output.bin
check "its outputs, those of PyTorch" cmp output.bin "$digits/scores.bin"
check "its figures" costs 31760 10192 1280
expect 0 "the same program, lowered by ExecuTorch" run "$digits/digits_cortex_m.pte" "$digits/images.bin" output.bin
check "its figures" costs 32760 10320 1280
onnx=$root/../shared/formats/onnx_digits_cnn_qdq_s8
if [ -e "$onnx" ]; then
  expect 0 "an ONNX model" run "$onnx/model.onnx" "$onnx/input_1.bin" output.bin
  check "its output, that of ONNX Runtime" cmp output.bin "$onnx/output_1.bin"
fi

expect 2 "no arguments" run
check "how to use it" grep -q '^usage: ' err
expect 2 "an unknown option" run "$model" input.bin output.bin --speed
check "its name" grep -q '^there is no option --speed$' err
expect 1 "an unknown board" run "$model" input.bin output.bin --board abacus
check "its name" grep -q '^there is no board "abacus"; there are: mps2-an385 ' err
expect 1 "an unknown list of kernels" run "$model" input.bin output.bin --kernels none
check "its name" grep -q '^there is no list of kernels "none"; there are: portable' err
BATON_CMSIS_NN_DIR='' expect 1 "no checkout of CMSIS-NN" run "$model" input.bin output.bin --kernels cmsis_nn
check "its sentence" grep -q '^the kernels cmsis_nn need .*; set BATON_CMSIS_NN_DIR to a checkout of it$' err
BATON_CMSIS_NN_DIR=/nowhere expect 1 "a folder that is not a checkout" run "$model" input.bin output.bin --kernels cmsis_nn
check "its sentence" grep -q '^BATON_CMSIS_NN_DIR is /nowhere, which has no Include/arm_nnfunctions.h; set it to a checkout of CMSIS-NN$' err
expect 1 "an unknown policy" run "$model" input.bin output.bin --policy none
check "its name" grep -q '^there is no policy "none"; there are: no_overlap ' err
expect 1 "an unknown backend" run "$model" input.bin output.bin --backend abacus
check "its sentence" grep -q '^there is no backend "abacus"; there are: portable ' err
expect 1 "a model that is not there" run missing.tflite input.bin output.bin
check "its sentence" grep -q '^cannot read missing.tflite: there is no such file$' err
expect 1 "an input that is a folder" run "$model" . output.bin
check "its sentence" grep -q '^cannot read .: it is a folder$' err
head -c 100 "$digits/samples.bin" > uneven.bin
expect 1 "an input that is too long for one inference, too short for two" run "$model" uneven.bin output.bin -Os
check "its sentence" grep -q '^uneven.bin: the input must have 64 bytes, .*; it has 100$' err
expect 1 "an output that cannot be written" run "$model" input.bin nowhere/output.bin -Os
check "its sentence" grep -q '^cannot write nowhere/output.bin$' err
head -c 5000 "$model" > broken.tflite
large=$root/../shared/models/ad01_int8.tflite
if [ -e "$large" ]; then
  expect 1 "a model that is too large" run "$large" input.bin output.bin --board microbit
  check "its sentence" grep -q '^[^ ]*ad01_int8.tflite does not fit microbit: [0-9]* bytes too many for its [a-z]* (with ' err
fi
expect 1 "a damaged model" run broken.tflite input.bin output.bin
check "its sentence" grep -q '^baton damaged_model: ' err
CXX=no-such-compiler expect 1 "a compiler that is not there" run "$model" input.bin output.bin
check "its sentence" grep -q '^there is no compiler no-such-compiler' err

# The commands of README.md build the same image in a copy of the folder.
mkdir copy
cp -r "$here/." copy
sed -n '/^cpu=/,/^```$/p' "$here/README.md" | grep -v '^```$' > copy/build.sh
cp input.bin copy
cd copy || exit 1
expect 0 "the commands of README.md" env "MODEL=../$model" "BATON=$root" sh -e build.sh
expect 0 "the image of the copied folder" qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none -semihosting-config enable=on,target=native -icount shift=0 -kernel firmware.elf
check "its instructions" grep -q '^instructions of one inference: [1-9]' err
check "its output" cmp output.bin ../expected.bin
# The linker script compares the size of the stack, 4,096 bytes, with the stated need.
expect 0 "the stack of its main()" sh stack.sh firmware.elf main
check "more than that of the inference" [ "$(sed 's/^main: //' out)" -gt 400 ]
sed -n '1p;$s/$/ -Wl,--defsym=needed_stack_bytes=$NEEDED/p' build.sh > link.sh
expect 0 "a sufficient stack" env NEEDED=4096 sh -e link.sh
expect 1 "a stack that is too small" env NEEDED=4097 sh -e link.sh
check "its sentence" grep -q ': the stack is too small; increase stack_bytes to needed_stack_bytes$' err
cd ..

CXX=g++ expect 1 "a compiler for this machine" run "$model" input.bin output.bin
check "its sentence" grep -q '^g++ compiles for .*; a firmware needs arm-none-eabi-g++ or a Clang$' err
mkdir folder
expect 1 "an output that is a folder" run "$model" input.bin folder
check "its sentence" grep -q '^cannot write folder: it is a folder$' err
expect 1 "two boards at once" run "$model" input.bin output.bin --board "mps2-an385 mps2-an386"
check "its sentence" grep -q '^there is no board "mps2-an385 mps2-an386"' err
CXXFLAGS=-flto expect 1 "an image whose map has no figures" run "$model" input.bin output.bin
check "its sentence" grep -q '^with -flto, the linker map ' err
exit $failed
