#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: baton firmware MODEL INPUT.bin OUTPUT.bin [--board NAME] [--kernels LIST] [--policy NAME] [--backend NAME]
#          [--arena BYTES] [--flash BYTES] [--slice INSTRUCTIONS] [-O0|-O1|-O2|-O3|-Os|-Og]
#          [--profile | --slices]
#
# Compiles a model into a firmware image, runs it under QEMU, and prints its cost: instructions, stack, flash and RAM. The stack is the
# measured one, and the maximum that examples/cortex_m/stack.sh computes from the machine code.
# INPUT.bin and OUTPUT.bin are raw little-endian tensors of one or several inferences, as for `baton run`. Files with tensors of an ONNX
# model are read from its folder. The images are in $BATON_CACHE/cortex_m.
# --board    mps2-an385, mps2-an386 (default), mps2-an500, mps2-an505, mps3-an547 or microbit
# --kernels  portable, helium, cmsis_nn, cortex_m_small or cortex_m; the default depends on the board. cmsis_nn needs BATON_CMSIS_NN_DIR,
#            a checkout of Arm's CMSIS-NN
# --policy   no_overlap (default), no_reuse, in_place or row_streaming: plans the memory
# --backend  portable (default), or a choice of examples/choices: npu or dense_unit, which are simulated in software
# --arena    limits the arena, and --flash the constants and kernels: selects kernels of the list, and the policy, by the costs of a
#            Cortex-M55 on mps3-an547, and of a Cortex-M4 on other boards (docs/plan.md). With --policy,
#            selects only kernels
# --profile  also counts the instructions of each node
# --slices   runs each inference in slices, in a main loop that feeds a watchdog and reads a sensor, which are simulated. Prints the longest
#            slice instead of instructions and stack
# --slice    the same, and limits the instructions of a slice, by the same costs: cuts nodes into slices of rows or chunks
# The compiler is $CXX or arm-none-eabi-g++, with $CXXFLAGS after the other flags. A Clang uses the headers of arm-none-eabi-g++.
# Exit status: 0: success. 1: a name is unknown, a file cannot be read, the model does not compile or does not fit, or a tool is missing.
# 2: wrong usage.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
here=$root/examples/cortex_m
. "$root/tools/build.sh"
. "$root/tools/cross.sh"

boards="mps2-an385 mps2-an386 mps2-an500 mps2-an505 mps3-an547 microbit"
lists="portable helium cmsis_nn cortex_m_small cortex_m"
policies="no_overlap no_reuse in_place row_streaming"
backends="portable npu dense_unit"

# one_of KIND WORD WORDS: stops unless WORD is one of WORDS.
one_of() {
  for each in $3; do if [ "$each" = "$2" ]; then return 0; fi; done
  fail "there is no $1 \"$2\"; there are: $3"
}

model='' input='' output='' board=mps2-an386 kernels='' policy='' backend=portable optimize=-O2 profile='' main=main arena='' flash='' slice=''
while [ $# -gt 0 ]; do
  case $1 in
    --board | --kernels | --policy | --backend)
      if [ $# -lt 2 ]; then usage "no value is given for $1"; fi
      case $1 in --board) board=$2 ;; --kernels) kernels=$2 ;; --policy) policy=$2 ;; *) backend=$2 ;; esac
      shift
      ;;
    --arena | --flash)
      case ${2-} in '' | *[!0-9]*) usage "$1 needs a number of bytes" ;; esac
      case $1 in --arena) arena=$2 ;; *) flash=$2 ;; esac
      shift
      ;;
    --slice)
      case ${2-} in '' | *[!0-9]*) usage "$1 needs a number of instructions" ;; esac
      slice=$2 main=main_loop
      shift
      ;;
    --profile) profile=-DPROFILE ;;
    --slices) main=main_loop ;;
    -O0 | -O1 | -O2 | -O3 | -Os | -Og) optimize=$1 ;;
    -*) usage "there is no option $1" ;;
    '') usage "the name of a file is empty" ;;
    *)
      if [ -z "$model" ]; then model=$1; elif [ -z "$input" ]; then input=$1; elif [ -z "$output" ]; then output=$1; else usage "unknown argument \"$1\""; fi
      ;;
  esac
  shift
done
if [ -z "$output" ]; then usage "a model, an input and an output are needed"; fi
slices=''
if [ $main = main_loop ]; then
  if [ -n "$profile" ]; then usage "--profile observes whole inferences, so it cannot be combined with --slices"; fi
  slices=-DSLICES
fi
one_of board "$board" "$boards"
# The Cortex-M kernels need the DSP extension to be fast, and the Helium kernels need Helium. Without it, they are exact, but slow.
if [ -z "$kernels" ]; then
  case $board in *-an385 | microbit) kernels=portable ;; mps3-an547) kernels=helium ;; *) kernels=cortex_m ;; esac
fi
one_of "list of kernels" "$kernels" "$lists"
one_of policy "${policy:-no_overlap}" "$policies"
within=${arena:+.arena_bytes = $arena, }${flash:+.flash_bytes = $flash, }${slice:+.slice_instructions = $slice}
planning=-DPOLICY=${policy:-no_overlap}
if [ -n "$within" ]; then
  planning="-DWITHIN=$within"
  only_policy=${policy:+-DONLY_POLICY=$policy}
  policy=within${arena:+_arena_$arena}${flash:+_flash_$flash}${slice:+_slice_$slice}${policy:+_by_$policy}
else
  policy=${policy:-no_overlap} only_policy=''
fi
one_of backend "$backend" "$backends"

choice=none lowering=''
if [ "$backend" != portable ]; then choice=$backend lowering=", backend $backend"; fi

# The core, and the frequency of the clock that SysTick counts.
case $board in
  mps2-an385) core=Cortex-M3 clock=25000000 ;;
  mps2-an386) core=Cortex-M4 clock=25000000 ;;
  mps2-an500) core=Cortex-M7 clock=25000000 ;;
  mps2-an505) core=Cortex-M33 clock=20000000 ;;
  mps3-an547) core=Cortex-M55 clock=32000000 ;;
  microbit) core=Cortex-M0 clock=16000000 ;;
esac
case $core in Cortex-M55) costs=cortex_m55_costs ;; *) costs=cortex_m4_costs ;; esac

need_file "$model"
need_file "$input"
if [ -d "$output" ]; then fail "cannot write $output: it is a folder"; fi
need_tool qemu-system-arm qemu-system-arm
need_cmake
use_core "$core"
flags="-std=c++20 $optimize $cpu -fno-exceptions -fno-rtti -fno-threadsafe-statics -ffunction-sections -fdata-sections $core_includes"
case " ${CXXFLAGS-} " in *" -flto"*) fail "with -flto, the linker map does not show which bytes belong to the model; remove -flto from CXXFLAGS" ;; esac
flags="$flags ${CXXFLAGS-}"

# The library that a list of kernels calls.
library='' includes=''
if [ "$kernels" = cmsis_nn ]; then
  # shellcheck disable=SC2086 # a list of words
  library=$(sh "$here/cmsis_nn.sh" "$build/cortex_m/cmsis_nn" $optimize $cpu) || exit 1
  includes="-isystem $BATON_CMSIS_NN_DIR/Include"
fi

find_files "$model"
print=$(fingerprint cortex_m/inference.cpp "$model" "$files_print" "$board" "$kernels" "$policy" "$backend" "$profile" "$here/$main.cpp" "$here/startup.cpp" "$here/emulated.cpp" "$here/sections.ld" "$here/boards/$board.ld" "$library")
# The folder depends on the fingerprint, so that concurrent runs with different models of the same name do not conflict.
target=$build/cortex_m/$(name_of "$model")/$board.$kernels.$policy${lowering:+.$backend}$optimize${profile:+.profile}${slices:+.slices}.$(printf '%s' "$print" | cut -c 1-12)

# part NAME FLAG...: compiles the source NAME.cpp of this folder.
part() {
  part=$1
  shift
  # shellcheck disable=SC2086 # lists of words
  LC_ALL=C $cxx $flags $collect_late -isystem "$boost_links" -I "$root/include" -I "$root/examples" -DBOARD_CLOCK_HZ="$clock" "$@" -c "$here/$part.cpp" -o "$work/$part.o" > "$work/compile.log" 2>&1
}

mkdir -p "$target"
work=$(mktemp -d "$build/cortex_m/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
if ! is_fresh "$target" "$print"; then
  rm -f "$target/fingerprint"
  progress "compiling $model with $cxx"
  embed_model "$model" "$work"
  for source in startup emulated $main; do
    part $source || fail "$source.cpp does not compile: $(cat "$work/compile.log")"
  done
  status=0
  # In a subshell, so that the time of its children is that of the compiler.
  (
    status=0
    # shellcheck disable=SC2086 # a list of words
    part inference -I "$work" $includes "-DIMPORTERS=$importers" "-DKERNELS=$kernels" "-DCOSTS=$costs" "$planning" ${only_policy:+"$only_policy"} "-DCHOICE=$choice" "-DCHOICE_HEADER=\"choices/$choice.hpp\"" $profile $slices || status=1
    times > "$work/times"
    exit $status
  ) || status=1
  awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); sum += 60 * t[1] + t[2] } printf "%.1f\n", sum }' "$work/times" > "$target/seconds"
  cp "$work/compile.log" "$target/compile.log"
  if [ $status != 0 ]; then
    rm -f "$target/program"
    explain_failure "$model" "$target/compile.log"
  fi
  # Without -lrdimon and -lnosys, so that an image that uses stdio or a heap does not link.
  link() {
    # shellcheck disable=SC2086 # a list of words
    LC_ALL=C arm-none-eabi-g++ $cpu "$work/startup.o" "$work/emulated.o" "$work/$main.o" "$work/inference.o" $library --specs=nano.specs -nostartfiles \
      -Wl,--gc-sections -Xlinker -Map -Xlinker "$work/map" -L "$here" -T "$here/boards/$board.ld" "$@" -o "$work/program" > "$work/link.log" 2>&1
  }
  if ! link; then
    rm -f "$target/program"
    over=$(sed -n "s/.*region \`\([a-z]*\)' overflowed by \([0-9]*\) bytes.*/\2 bytes too many for its \1/p" "$work/link.log" | head -n 1)
    if [ -n "$over" ]; then fail "$model does not fit $board: $over (with $kernels kernels, policy $policy, $optimize; the policies in_place and row_streaming need less RAM)"; fi
    fail "the image does not link: $(grep -v '^collect2' "$work/link.log" | head -n 1)"
  fi
  # Links again, so that the linker script compares the size of the stack with the computed maximum: that of main(), and that of the interrupt of
  # SysTick with the registers that the hardware saves. If there is no maximum, the script compares nothing.
  if sh "$here/stack.sh" "$work/program" main tick_handler > "$work/bounds"; then
    stack_bytes=$(awk '{ sum += $2 } END { print sum + 108 }' "$work/bounds")
    if ! link "-Wl,--defsym=needed_stack_bytes=$stack_bytes"; then
      rm -f "$target/program"
      fail "$model needs a stack of $stack_bytes bytes on $board: $(sed -n 's/.*: \(the stack is too small; .*\)/\1/p' "$work/link.log")"
    fi
  elif [ $? != 3 ]; then
    exit 1
  fi
  mv -f "$work/map" "$target/map"
  mv -f "$work/program" "$target/program"
  printf '%s\n' "$print" > "$target/fingerprint"
fi

# The image reads and writes files with fixed names, so it runs in a separate folder.
cp -- "$input" "$work/input.bin"
progress "running on $board"
status=0
(cd "$work" && timeout "${SECONDS_AT_MOST:-300}" qemu-system-arm -M "$board" -nographic -monitor none -serial none -semihosting-config enable=on,target=native \
  -icount shift=0 -kernel "$target/program") > "$work/said" 2>&1 || status=$?
case $status in
  0) ;;
  1) fail "$input: $(head -n 1 "$work/said")" ;;
  99) fail "the image stopped with a fault on $board" ;;
  124) fail "the image did not end within ${SECONDS_AT_MOST:-300} seconds on $board; set SECONDS_AT_MOST to a larger number" ;;
  *) fail "qemu-system-arm ended with $status: $(head -n 1 "$work/said")" ;;
esac
{ cp -- "$work/output.bin" "$output"; } 2> /dev/null || fail "cannot write $output"

printf '%s on %s, a %s: %s kernels%s, policy %s, %s, compiled in %s s\n' "$(name_of "$model")" "$board" "$core" "$kernels" "$lowering" "$policy" "$optimize" "$(cat "$target/seconds")"
if [ "$kernels" = helium ] && [ "$core" != Cortex-M55 ]; then echo "the $core has no Helium, so these kernels run as plain loops"; fi
# The computed maximum of the stack, or the reason why there is none. An image with slices has no function `run`, and does not print its stack.
bound=''
if [ -z "$slices" ]; then
  sh "$here/stack.sh" "$target/program" inference::run > "$work/bound" || [ $? = 3 ] || exit 1
  bound=$(sed 's/^inference::run: //; s/^[0-9]/at most &/' "$work/bound")
fi
grep -v '^arena: ' "$work/said" | awk -v bound="$bound" '/^stack: / { $0 = $0 ", " bound } { print }'
READELF=arm-none-eabi-readelf sh "$cmake_files/size_report.sh" "$target/program" "$target/map" inference > "$work/table" || exit 1
awk -v arena="$(sed -n 's/^arena: \([0-9]*\),.*/\1/p' "$work/said")" -v min_arena="$(sed -n 's/^arena: .* lower bound //p' "$work/said")" \
  -f "$here/footprint.awk" "$work/table"
