#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Measures the memory that ExecuTorch's runtime needs for programs, on a Cortex-M4 under QEMU:
# sh tests/formats/executorch/measure.sh EXECUTORCH FLATBUFFERS FOLDER...
# EXECUTORCH is a checkout of github.com/pytorch/executorch. FLATBUFFERS is a folder with bin/flatc and include/flatbuffers, for example /usr
# with Debian's flatbuffers-compiler and libflatbuffers-dev. Each FOLDER has a model.pte, and optionally a .ptd file. Prints a line for each
# method: the folder's name, the method, the planned bytes, and the bytes of the method allocator. The first line is the size of the linked
# runtime in bytes: code and constants, and static memory without the table of kernels. -Os, no logging, no verification, no kernels.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)
if [ $# -lt 3 ]; then
  sed -n '/^# Measures/,/^set/{s/^# //p}' "$0" >&2
  exit 2
fi
source=$1 flatbuffers=$2
shift 2

build=$root/build/executorch
rm -rf "$build"
mkdir -p "$build/src/executorch/extension"
cp -R "$source/runtime" "$source/schema" "$build/src/executorch"
cp -R "$source/extension/data_loader" "$source/extension/flat_tensor" "$build/src/executorch/extension"
cd "$build"
library=$flatbuffers/lib/x86_64-linux-gnu
for schema in schema/program schema/scalar_type extension/flat_tensor/serialize/flat_tensor extension/flat_tensor/serialize/scalar_type; do
  LD_LIBRARY_PATH=$library "$flatbuffers/bin/flatc" --cpp --cpp-std c++11 --gen-mutable --scoped-enums \
    -o "src/executorch/$(dirname $schema)" "src/executorch/$schema.fbs"
done
sed 's/@[A-Z_]*@/0/g' src/executorch/runtime/core/version.h.in > src/executorch/runtime/core/version.h
# ExecuTorch declares `Vector` of FlatBuffers 24, which has a second parameter.
if ! grep -q 'typename SizeT' "$flatbuffers/include/flatbuffers/vector.h"; then
  sed -i 's/template <typename T, typename [A-Za-z]*>/template <typename T>/; s/, uint32_t>;/>;/' src/executorch/runtime/executor/pte_data_map.h
fi

cpu='-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 -mthumb'
flags="$cpu -Os -fno-exceptions -fno-rtti -fno-threadsafe-statics -ffunction-sections -fdata-sections"
includes="-Isrc -Isrc/executorch/runtime/core/portable_type/c10 -isystem $flatbuffers/include"
defines='-DET_LOG_ENABLED=0 -DET_ENABLE_PROGRAM_VERIFICATION=0 -DC10_USING_CUSTOM_GENERATED_MACROS -DFLATBUFFERS_MAX_ALIGNMENT=1024'
runtime='runtime/executor/method runtime/executor/method_meta runtime/executor/program runtime/executor/pte_data_map
  runtime/executor/tensor_parser_exec_aten runtime/executor/tensor_parser_portable runtime/core/evalue runtime/core/tag
  runtime/core/tensor_layout runtime/core/portable_type/tensor_impl runtime/core/exec_aten/util/tensor_util_portable
  runtime/core/exec_aten/util/tensor_shape_to_c_string runtime/core/device_allocator runtime/core/device_memory_buffer
  runtime/kernel/operator_registry runtime/backend/interface runtime/platform/abort runtime/platform/log runtime/platform/profiler
  runtime/platform/runtime runtime/platform/platform runtime/platform/default/minimal schema/extended_header
  extension/flat_tensor/flat_tensor_data_map extension/flat_tensor/serialize/flat_tensor_header'
objects=
for each in $runtime; do
  object=executorch_$(basename "$each").o
  # shellcheck disable=SC2086 # lists of words
  arm-none-eabi-g++ -std=c++17 $flags $defines $includes -c "src/executorch/$each.cpp" -o "$object"
  objects="$objects $object"
done
# shellcheck disable=SC2086
for each in startup emulated; do
  arm-none-eabi-g++ -std=c++20 $flags -I"$root/examples" -DBOARD_CLOCK_HZ=25000000 -c "$root/examples/cortex_m/$each.cpp" -o $each.o
done
# shellcheck disable=SC2086
arm-none-eabi-g++ -std=c++20 $flags $defines $includes -I"$root/examples" -c "$root/tests/formats/executorch/measure.cpp" -o measure.o
# shellcheck disable=SC2086
arm-none-eabi-g++ $cpu startup.o emulated.o measure.o $objects --specs=nano.specs --specs=nosys.specs -nostartfiles -Wl,--gc-sections -Wl,--defsym=end=bss_end \
  -Xlinker -Map -Xlinker map -L "$root/examples/cortex_m" -T "$root/examples/cortex_m/boards/mps2-an386.ld" -o program 2> link.log || {
  cat link.log >&2
  exit 1
}
# Lines of the map: a section, its address, its size and its object. If the name is long, the last three are on the next line.
awk '
  function number(text, value, i) {
    text = tolower(text)
    for (i = 3; i <= length(text); i++) value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
    return value
  }
  /^Linker script and memory map/ { is_map = 1 }
  /^\.[A-Za-z]/ { outside = $1 }
  is_map && /^ \.[^ ]+$/ { name = $1; next }
  is_map && /executorch_[a-z_]*\.o$/ && $(NF - 1) ~ /^0x/ && outside ~ /^\.(text|constructors|rodata|data|bss|ARM)/ {
    if (NF == 4) name = $1
    if (outside == ".bss") { if ($NF !~ /operator_registry/) memory += number($(NF - 1)) } else flash += number($(NF - 1))
    name = ""
  }
  END { print "runtime " flash + 0 " " memory + 0 }' map
for folder in "$@"; do
  cp "$folder/model.pte" model.pte
  rm -f data.ptd
  for each in "$folder"/*.ptd; do
    if [ -e "$each" ]; then cp "$each" data.ptd; fi
  done
  timeout 60 qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none -semihosting-config enable=on,target=native -kernel program 2>&1 |
    sed "s/^/$(basename "$folder") /"
done
