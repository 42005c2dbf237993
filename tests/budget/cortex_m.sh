#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Prints the cost of one inference on a Cortex-M4, or on $BOARD, for each kernel list and memory policy. Fails if the computed stack is less
# than the measured one. The Helium kernels run on a Cortex-M55. Also prints the figures of the reference runtime, with its own kernels and
# with CMSIS-NN (../shared/baseline.json). Compares every output with the recorded outputs:
# sh tests/budget/cortex_m.sh [MODEL...]
#   --zoo [MODEL...]   the models of ../shared/zoo that fit the board
#   --check 'MODEL KERNELS POLICY -O2'   fails if a figure differs by more than 2 % from this row of gates.json, or if an output differs
#   --write            writes the current figures of these rows into gates.json
# The rows are instructions of one inference, bytes of the arena, and bytes of code and tables without the C library.
# The images are built by examples/cortex_m/run.sh, and stay in build/cortex_m. Instructions, bytes and stack are equal on every machine.
# The seconds are those of the compiler. BATON_CMSIS_NN_DIR is a checkout of CMSIS-NN (default: the one in ../shared/third-party).
set -eu
cd "$(dirname "$0")/../.."

shared=../shared
run=examples/cortex_m/run.sh
gates=tests/budget/gates.json
board=${BOARD:-mps2-an386}
BATON_CMSIS_NN_DIR=${BATON_CMSIS_NN_DIR-$shared/third-party/cmsis-nn}
export BATON_CMSIS_NN_DIR
if [ ! -d "$shared/models" ] || ! command -v qemu-system-arm > /dev/null || ! command -v arm-none-eabi-g++ > /dev/null; then
  echo "SKIPPED: needs ../shared/models, arm-none-eabi-g++ and qemu-system-arm"
  exit 0
fi
mkdir -p build/budget
work=$(mktemp -d build/budget/cortex_m.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
heading='%-24s %-10s %-8s %12s %9s %8s %8s %8s %6s %6s %8s  %s\n'
failed=0

# board_of KERNELS: prints $BOARD, or a board with a Cortex-M55 for the Helium kernels.
board_of() { case $1 in helium) echo mps3-an547 ;; *) echo "$board" ;; esac; }

# measure MODEL KERNELS POLICY -O: sets $instructions, $arena, $weights, $code (with tables), $stack (measured), $bound (computed) and
# $seconds, or $why if it does not run.
measure() {
  golden=$shared/golden/$1
  model=$shared/models/$1.tflite
  if [ ! -f "$model" ]; then
    golden=$shared/zoo/$1
    model=$golden/$1.tflite
  fi
  why=''
  sh $run "$model" "$golden/input_0.bin" "$work/output.bin" --board "$(board_of "$2")" --kernels "$2" --policy "$3" "$4" > "$work/said" 2> "$work/why" || {
    why=$(head -n 2 "$work/why" | tr '\n' ' ')
    return 0
  }
  instructions=$(sed -n 's/^instructions of one inference: \([0-9]*\).*/\1/p' "$work/said")
  arena=$(sed -n 's/^RAM: .*(arena \([0-9]*\),.*/\1/p' "$work/said")
  weights=$(sed -n 's/^flash: .*(weights \([0-9]*\),.*/\1/p' "$work/said")
  code=$(($(sed -n 's/^flash: .* tables \([0-9]*\), code \([0-9]*\)).*/\1 + \2/p' "$work/said")))
  stack=$(sed -n 's/^stack: \([0-9]*\).*/\1/p' "$work/said")
  bound=$(sed -n 's/^stack: .*, at most \([0-9]*\)$/\1/p' "$work/said")
  seconds=$(sed -n '1s/.*compiled in \([0-9.]*\) s$/\1/p' "$work/said")
  compare "$1" "$2" "$3" "$4"
}

# compare MODEL KERNELS POLICY -O: runs the inferences that have recorded outputs, in order, and sets $exact.
compare() {
  : > "$work/inputs"
  : > "$work/outputs"
  inferences=0
  for input in "$golden"/input_[0-9].bin "$golden"/extra_input_[0-9].bin; do
    if [ ! -f "$input" ]; then continue; fi
    cat "$input" >> "$work/inputs"
    cat "$(printf '%s\n' "$input" | sed 's/\(.*\)input_/\1output_/')" >> "$work/outputs"
    inferences=$((inferences + 1))
  done
  sh $run "$model" "$work/inputs" "$work/output.bin" --board "$(board_of "$2")" --kernels "$2" --policy "$3" "$4" > /dev/null
  exact="$inferences of $inferences exact"
  if cmp -s "$work/output.bin" "$work/outputs"; then return 0; fi
  exact=DIFFERENT
  case $1 in
    *_float | tmc_lstm2) # float32 may differ by 1e-5 of the largest magnitude; all other models must be exact
      if as_floats "$work/output.bin" "$work/outputs"; then exact="$inferences of $inferences within 1e-5"; fi
      ;;
  esac
}

as_floats() {
  od -An -v -w4 -tf4 "$1" > "$work/left"
  od -An -v -w4 -tf4 "$2" > "$work/right"
  paste "$work/left" "$work/right" | awk '
    function size(x) { return x < 0 ? -x : x }
    NF != 2 || $1 !~ /^[-+.0-9e]+$/ || $2 !~ /^[-+.0-9e]+$/ { wrong = 1 }
    { if (size($2) > largest) largest = size($2); if (size($1 - $2) > most) most = size($1 - $2) }
    END { exit wrong || NR == 0 || most > 1e-5 * largest }'
}

# baseline SECTION MODEL FIGURE: prints a figure of the Cortex-M4 in baseline.json, or nothing.
baseline() {
  awk -v section="\"$1\": {" -v model="\"$2\": {" -v figure="\"$3\":" '
    /"cortex_m4": \{/ { in_core = 1 }
    in_core && index($0, section) { in_section = 1 }
    in_section && index($0, model) { in_model = 1 }
    in_model && $1 == figure { print $2 + 0; exit }
    in_model && /\}/ { exit }' "$shared/baseline.json"
}

# line MODEL KERNELS POLICY REFERENCE: prints a row of the table from the results of `measure`. REFERENCE: the instructions with CMSIS-NN,
# or empty.
line() {
  if [ -n "$why" ]; then
    printf '%-24s %-10s %-8s %s\n' "$1" "$2" "$3" "$why"
    return 0
  fi
  # shellcheck disable=SC2059 # the same format for all
  printf "$heading" "$1" "$2" "$3" "$instructions" "$(ratio "$instructions" "$4")" "$arena" "$weights" "$code" "$stack" "$bound" "$seconds" "$exact"
  case $exact in DIFFERENT) failed=1 ;; esac
  bounds_stack "$1 $2 $3"
}
bounds_stack() {
  if [ "${bound:-0}" -ge "$stack" ]; then return 0; fi
  echo "the computed stack of $1 is ${bound:-unbounded}, the measured one $stack" >&2
  failed=1
}
ratio() { if [ -n "$2" ]; then awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a / b }'; fi; }
# shellcheck disable=SC2059 # the same format for all
head_line() { printf "$heading" model kernels policy instructions CMSIS-NN arena weights code stack 'at most' compile output; }

lists=$(sed -n 's/^lists="\(.*\)"$/\1/p' tools/firmware.sh)
policies=$(sed -n 's/^policies="\(.*\)"$/\1/p' tools/firmware.sh)

# Prints a row of gates.json as MODEL KERNELS POLICY -O2 INSTRUCTIONS ARENA CODE, and nothing for other lines.
words() { sed -n 's/^ *{ "gate": "cortex_m", \(.*\) }.*$/\1/p' | sed 's/"[a-z_]*": //g; s/[",]//g; s/ O\([0-9s]\) / -O\1 /'; }

case ${1-} in
  --check)
    row=$(words < $gates | grep "^$2 ") || {
      echo "$gates has no row \"$2\"" >&2
      exit 1
    }
    # shellcheck disable=SC2086 # the words of a row
    set -- $row
    if [ "$2" = cmsis_nn ] && [ ! -d "$BATON_CMSIS_NN_DIR" ]; then
      echo "SKIPPED: needs CMSIS-NN; set BATON_CMSIS_NN_DIR to a checkout of it"
      exit 0
    fi
    measure "$1" "$2" "$3" "$4"
    if [ -n "$why" ]; then
      echo "$why" >&2
      exit 1
    fi
    echo "$1 $2 $3 $4 $instructions $arena $code: $exact"
    off=$(awk -v was="$5 $6 $7" -v is="$instructions $arena $code" 'BEGIN {
      split(was, a); split(is, b); split("instructions arena code", name)
      for (i = 1; i <= 3; i++) if (b[i] < 0.98 * a[i] || b[i] > 1.02 * a[i]) printf "%s %d instead of %d; ", name[i], b[i], a[i] }')
    if [ -n "$off" ]; then
      echo "these figures differ from $gates by more than 2 %: $off""if this is intended, run: sh tests/budget/cortex_m.sh --write" >&2
      exit 1
    fi
    if [ "$exact" = DIFFERENT ]; then
      echo "an output differs from the recorded output" >&2
      exit 1
    fi
    bounds_stack "$1 $2 $3"
    ;;
  --write)
    while IFS= read -r line; do
      row=$(printf '%s\n' "$line" | words)
      if [ -n "$row" ]; then
        # shellcheck disable=SC2086 # the words of a row
        set -- $row
        measure "$1" "$2" "$3" "$4" < /dev/null
        if [ -n "$why" ]; then
          echo "$why" >&2
          exit 1
        fi
        line=$(printf '%s\n' "$line" | sed "s/\(\"instructions\": \)[0-9]*/\1$instructions/; s/\(\"arena_bytes\": \)[0-9]*/\1$arena/; s/\(\"code_bytes\": \)[0-9]*/\1$code/")
      fi
      printf '%s\n' "$line"
    done < $gates > "$work/gates.json"
    cp "$work/gates.json" $gates
    ;;
  --zoo)
    shift
    if [ $# = 0 ]; then
      for folder in "$shared"/zoo/*/; do
        if [ -f "$folder/output_0.bin" ]; then set -- "$@" "$(basename "$folder")"; fi
      done
    fi
    last=${lists##* } # the fastest list
    head_line
    for name in "$@"; do
      measure "$name" "$last" no_overlap -O2
      line "$name" "$last" no_overlap ''
    done
    ;;
  -*)
    echo "usage: sh tests/budget/cortex_m.sh [MODEL...] | --zoo [MODEL...] | --check 'MODEL KERNELS POLICY -O2' | --write" >&2
    exit 2
    ;;
  *)
    if [ $# = 0 ]; then set -- ad01_int8 kws_ref_model pretrainedResnet_quant vww_96_int8 person_detect; fi
    head_line
    for name in "$@"; do
      cmsis=$(baseline "CMSIS-NN, kernels -O2" "$name" instructions)
      for runtime in "reference, kernels -O2" "CMSIS-NN, kernels -O2"; do
        instructions=$(baseline "$runtime" "$name" instructions)
        if [ -z "$instructions" ]; then continue; fi
        # shellcheck disable=SC2059 # the same format for all
        printf "$heading" "$name" "${runtime%%,*}" '' "$instructions" "$(ratio "$instructions" "$cmsis")" "$(baseline "$runtime" "$name" arena_bytes)" '' \
          "$(baseline "$runtime" "$name" code_bytes)" "$(baseline "$runtime" "$name" stack_bytes)" '' '' ''
      done
      for kernels in $lists; do
        for policy in $policies; do
          if [ "$policy" = no_reuse ]; then continue; fi # only for debugging
          measure "$name" "$kernels" "$policy" -O2
          line "$name" "$kernels" "$policy" "$cmsis"
        done
      done
    done
    ;;
esac
exit $failed
