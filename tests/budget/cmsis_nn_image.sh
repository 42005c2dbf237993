# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# A shell function that compiles a source with CMSIS-NN and runs it under QEMU. Source this file in the root of the repository.
# shellcheck shell=sh

BATON_CMSIS_NN_DIR=${BATON_CMSIS_NN_DIR-$PWD/../shared/third-party/cmsis-nn}
export BATON_CMSIS_NN_DIR
if [ ! -e "$BATON_CMSIS_NN_DIR/Include/arm_nnfunctions.h" ] || ! command -v qemu-system-arm > /dev/null || ! command -v arm-none-eabi-g++ > /dev/null; then
  echo "SKIPPED: needs a checkout of CMSIS-NN (BATON_CMSIS_NN_DIR), arm-none-eabi-g++ and qemu-system-arm"
  exit 0
fi

# run_image SOURCE BOARD: compiles SOURCE at -O2 with the digits model, the start-up code of examples/cortex_m and CMSIS-NN, and runs it.
run_image() {
  case $2 in
    mps2-an386) cpu="-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 -mthumb" clock=25000000 ;;
    mps3-an547) cpu="-mcpu=cortex-m55 -mfloat-abi=hard -mthumb" clock=32000000 ;;
    *)
      echo "there is no board \"$2\"; there are: mps2-an386 mps3-an547" >&2
      return 2
      ;;
  esac
  for folder in "${BOOST_ROOT:-/usr}/include" "${BOOST_ROOT:-/usr}" /usr/local/include; do
    if [ -e "$folder/boost/hana.hpp" ]; then break; fi
  done
  mkdir -p build/budget build/cortex_m/include
  [ "$(readlink build/cortex_m/include/boost)" = "$folder/boost" ] || ln -sfn "$folder/boost" build/cortex_m/include/boost
  work=$(mktemp -d build/budget/image.XXXXXX)
  trap 'rm -rf "$work"' EXIT
  around=examples/cortex_m
  # shellcheck disable=SC2086 # a list of words
  library=$(sh $around/cmsis_nn.sh build/cortex_m/cmsis_nn -O2 $cpu)
  cmake -DINPUT=examples/digits/digits_int8.tflite -DOUTPUT="$work/digits_int8.tflite.hpp" -DNAME=digits_int8_tflite -P cmake/embed_file.cmake
  # shellcheck disable=SC2086 # a list of words
  arm-none-eabi-g++ -std=c++20 -O2 $cpu -fno-exceptions -fno-rtti -fno-threadsafe-statics -ffunction-sections -fdata-sections \
    -DBOARD_CLOCK_HZ=$clock -isystem build/cortex_m/include -isystem "$BATON_CMSIS_NN_DIR/Include" -Iinclude -Iexamples -Itests -I"$work" \
    "$1" $around/startup.cpp $around/emulated.cpp "$library" --specs=nano.specs -nostartfiles -Wl,--gc-sections \
    -L $around -T "$around/boards/$2.ld" -o "$work/program"
  qemu-system-arm -M "$2" -nographic -monitor none -serial none -semihosting-config enable=on,target=native -icount shift=0 \
    -kernel "$work/program" 2>&1
}
