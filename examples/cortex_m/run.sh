#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Compiles a model into a firmware image, runs it under QEMU, and prints its cost:
# sh examples/cortex_m/run.sh MODEL INPUT.bin OUTPUT.bin [--board mps2-an386] [--kernels cortex_m] [--policy no_overlap] [--backend npu] [-O2]
#   [--profile]
# INPUT.bin and OUTPUT.bin are raw little-endian tensors of one or several inferences, as for run_model.sh. Files with tensors of an ONNX
# model are read from its folder. The compiler is $CXX or arm-none-eabi-g++, with $CXXFLAGS after the other flags. A Clang uses the headers
# of arm-none-eabi-g++. The images are in build/cortex_m.
# --backend selects a choice of examples/choices, such as npu, which is simulated in software.
# --kernels cmsis_nn needs BATON_CMSIS_NN_DIR, a checkout of Arm's CMSIS-NN. Prints a message with exit status 1 for wrong arguments, a file
# that cannot be read, a model that does not compile or does not fit, and a missing tool.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
. "$root/examples/build.sh"

boards="mps2-an385 mps2-an386 mps2-an500 mps2-an505 mps3-an547 microbit"
lists="portable helium cmsis_nn cortex_m_small cortex_m"
policies="no_overlap no_reuse in_place row_streaming"
backends="portable npu dense_unit"

# one_of KIND WORD WORDS: stops unless WORD is one of WORDS.
one_of() {
  for each in $3; do if [ "$each" = "$2" ]; then return 0; fi; done
  fail "there is no $1 \"$2\"; there are: $3"
}
usage() {
  fail "$1
usage: sh examples/cortex_m/run.sh MODEL INPUT.bin OUTPUT.bin [--board NAME] [--kernels LIST] [--policy NAME] [--backend NAME] [-O0|-O1|-O2|-O3|-Os|-Og] [--profile]
boards: $boards
kernels: $lists
policies: $policies
backends: $backends"
}

model='' input='' output='' board=mps2-an386 kernels='' policy=no_overlap backend=portable optimize=-O2 profile=''
while [ $# -gt 0 ]; do
  case $1 in
    --board | --kernels | --policy | --backend)
      if [ $# -lt 2 ]; then usage "no value is given for $1"; fi
      case $1 in --board) board=$2 ;; --kernels) kernels=$2 ;; --policy) policy=$2 ;; *) backend=$2 ;; esac
      shift
      ;;
    --profile) profile=-DPROFILE ;;
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
one_of board "$board" "$boards"
# The Cortex-M kernels need the DSP extension to be fast, and the Helium kernels need Helium. Without it, they are exact, but slow.
if [ -z "$kernels" ]; then
  case $board in *-an385 | microbit) kernels=portable ;; mps3-an547) kernels=helium ;; *) kernels=cortex_m ;; esac
fi
one_of "list of kernels" "$kernels" "$lists"
one_of policy "$policy" "$policies"
one_of backend "$backend" "$backends"

choice=none lowering=''
if [ "$backend" != portable ]; then choice=$backend lowering=", backend $backend"; fi

# The core, its flags, and the frequency of the clock that SysTick counts.
case $board in
  mps2-an385) core=Cortex-M3 cpu="-mcpu=cortex-m3" clock=25000000 ;;
  mps2-an386) core=Cortex-M4 cpu="-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16" clock=25000000 ;;
  mps2-an500) core=Cortex-M7 cpu="-mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-sp-d16" clock=25000000 ;;
  mps2-an505) core=Cortex-M33 cpu="-mcpu=cortex-m33 -mfloat-abi=hard -mfpu=fpv5-sp-d16" clock=20000000 ;;
  mps3-an547) core=Cortex-M55 cpu="-mcpu=cortex-m55 -mfloat-abi=hard" clock=32000000 ;;
  microbit) core=Cortex-M0 cpu="-mcpu=cortex-m0" clock=16000000 ;;
esac
cpu="$cpu -mthumb"

need_file "$model"
need_file "$input"
if [ -d "$output" ]; then fail "cannot write $output: it is a folder"; fi
need_tool() { command -v "$1" > /dev/null || fail "there is no $1; install it (apt-get install $2)"; }
need_tool arm-none-eabi-g++ "gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib"
need_tool qemu-system-arm qemu-system-arm
need_tool cmake cmake
cxx=${CXX:-arm-none-eabi-g++}
need_compiler
case $cxx in
  *clang*) ;;
  *) case $($cxx -dumpmachine) in arm-none-eabi) ;; *) fail "$cxx compiles for $($cxx -dumpmachine); a firmware needs arm-none-eabi-g++ or a Clang" ;; esac ;;
esac
for folder in "${BOOST_ROOT:-/usr}/include" "${BOOST_ROOT:-/usr}" /usr/local/include; do
  if [ -e "$folder/boost/hana.hpp" ]; then break; fi
done
if [ ! -e "$folder/boost/hana.hpp" ]; then fail "there is no boost/hana.hpp; install it (apt-get install libboost-dev) or set BOOST_ROOT"; fi
# A link to Boost only, because the other headers of that folder belong to another C library.
mkdir -p "$root/build/cortex_m/include"
[ "$(readlink "$root/build/cortex_m/include/boost")" = "$folder/boost" ] || ln -sfn "$folder/boost" "$root/build/cortex_m/include/boost"

flags="-std=c++20 $optimize $cpu -fno-exceptions -fno-rtti -fno-threadsafe-statics -ffunction-sections -fdata-sections"
case $cxx in
  *clang*)
    flags="$flags --target=arm-none-eabi -nostdlibinc"
    # shellcheck disable=SC2086 # lists of words
    for folder in $(LC_ALL=C arm-none-eabi-g++ $cpu -xc++ -E -v /dev/null 2>&1 | sed -n '/^#include <...>/,/^End/s/^ //p'); do
      # Clang has its own versions of the headers in lib/gcc.
      folder=$(cd "$folder" && pwd -P)
      case $folder in */lib/gcc/*) ;; *) flags="$flags -isystem $folder" ;; esac
    done
    ;;
esac
case " ${CXXFLAGS-} " in *" -flto"*) fail "with -flto, the linker map does not show which bytes belong to the model; remove -flto from CXXFLAGS" ;; esac
flags="$flags ${CXXFLAGS-}"

# The library that a list of kernels calls.
library='' includes=''
if [ "$kernels" = cmsis_nn ]; then
  # shellcheck disable=SC2086 # a list of words
  library=$(sh "$here/cmsis_nn.sh" "$root/build/cortex_m/cmsis_nn" $optimize $cpu) || exit 1
  includes="-isystem $BATON_CMSIS_NN_DIR/Include"
fi

find_files "$model"
print=$(fingerprint cortex_m/inference.cpp "$model" "$files_print" "$board" "$kernels" "$policy" "$backend" "$profile" "$here/main.cpp" "$here/startup.cpp" "$here/emulated.cpp" "$here/sections.ld" "$here/boards/$board.ld" "$library")
# The folder depends on the fingerprint, so that concurrent runs with different models of the same name do not conflict.
target=$root/build/cortex_m/$(name_of "$model")/$board.$kernels.$policy${lowering:+.$backend}$optimize${profile:+.profile}.$(printf '%s' "$print" | cut -c 1-12)

# part NAME FLAG...: compiles the source NAME.cpp of this folder.
part() {
  part=$1
  shift
  # shellcheck disable=SC2086 # lists of words
  LC_ALL=C $cxx $flags $collect_late -isystem "$root/build/cortex_m/include" -I "$root/include" -I "$root/examples" -DBOARD_CLOCK_HZ="$clock" "$@" -c "$here/$part.cpp" -o "$work/$part.o" > "$work/compile.log" 2>&1
}

mkdir -p "$target"
work=$(mktemp -d "$root/build/cortex_m/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
if ! is_fresh "$target" "$print"; then
  rm -f "$target/fingerprint"
  embed_model "$model" "$work"
  for source in startup emulated main; do
    part $source || fail "$source.cpp does not compile: $(cat "$work/compile.log")"
  done
  status=0
  # In a subshell, so that the time of its children is that of the compiler.
  (
    status=0
    # shellcheck disable=SC2086 # a list of words
    part inference -I "$work" $includes "-DIMPORTERS=$importers" "-DKERNELS=$kernels" "-DPOLICY=$policy" "-DCHOICE=$choice" "-DCHOICE_HEADER=\"choices/$choice.hpp\"" $profile || status=1
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
  # shellcheck disable=SC2086 # a list of words
  if ! LC_ALL=C arm-none-eabi-g++ $cpu "$work/startup.o" "$work/emulated.o" "$work/main.o" "$work/inference.o" $library --specs=nano.specs -nostartfiles \
    -Wl,--gc-sections -Xlinker -Map -Xlinker "$work/map" -L "$here" -T "$here/boards/$board.ld" -o "$work/program" > "$work/link.log" 2>&1; then
    rm -f "$target/program"
    over=$(sed -n "s/.*region \`\([a-z]*\)' overflowed by \([0-9]*\) bytes.*/\2 bytes too many for its \1/p" "$work/link.log" | head -n 1)
    if [ -n "$over" ]; then fail "$model does not fit $board: $over (with $kernels kernels, policy $policy, $optimize; the policies in_place and row_streaming need less RAM)"; fi
    fail "the image does not link: $(grep -v '^collect2' "$work/link.log" | head -n 1)"
  fi
  mv -f "$work/map" "$target/map"
  mv -f "$work/program" "$target/program"
  printf '%s\n' "$print" > "$target/fingerprint"
fi

# The image reads and writes files with fixed names, so it runs in a separate folder.
cp -- "$input" "$work/input.bin"
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
grep -v '^arena: ' "$work/said"
awk -v arena="$(sed -n 's/^arena: \([0-9]*\),.*/\1/p' "$work/said")" -v min_arena="$(sed -n 's/^arena: .* at least //p' "$work/said")" \
  -f "$here/footprint.awk" "$target/map"
