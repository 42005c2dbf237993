#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# shellcheck disable=SC2317 # functions that are called by name
#
# Compares the report of an image with the numbers of size and nm: sh size_report_test.sh IMAGE MAP REPORT MODEL
# IMAGE contains the model MODEL and was linked with GNU ld. REPORT is what baton_size_report() has written for it.
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
image=$1 map=$2 written=$3 of_model=$4
# shellcheck source=examples/expect.sh
. "$root/examples/expect.sh"
trap 'rm -rf "$work"' EXIT
export READELF=arm-none-eabi-readelf
report() { sh "$root/cmake/size_report.sh" "$@"; }
# flash PART, ram PART: prints the bytes of a row of the table.
flash() { sed -n "s/^$1 *\([0-9]*\) *\([0-9]*\).*/\1/p" "$work/table"; }
ram() { sed -n "s/^$1 *\([0-9]*\) *\([0-9]*\).*/\2/p" "$work/table"; }
# symbols PATTERN: prints the sum of the sizes of all symbols that match.
symbols() {
  sum=0
  for size in $(arm-none-eabi-nm -S "$image" | awk -v pattern="$1" 'NF == 4 && $4 ~ pattern { print "0x" $2 }'); do sum=$((sum + size)); done
  echo $sum
}

expect 0 "a report" report -o copy "$image" "$map" "$of_model"
cp out "$work/table"
check "the report of the build" cmp out "$written"
check "the file" cmp out copy
arm-none-eabi-size "$image" | awk 'NR == 2 { print $1 + $2, $2 + $3 }' > totals
check "the totals of size" [ "$(flash total) $(ram total)" = "$(cat totals)" ]
check "parts whose sum is the flash" [ "$(awk 'NR > 1 && !/^total/ { sub(/^[^0-9]*/, ""); sum += $1 } END { print sum }' table)" = "$(flash total)" ]
check "parts whose sum is the RAM" [ "$(awk 'NR > 1 && !/^total/ { sub(/^[^0-9]*/, ""); sum += $2 } END { print sum }' table)" = "$(ram total)" ]
# Sections are aligned to words, symbols are not.
weights=$(symbols '14constant_bytesI|17prepared_elementsI|15frozen_constantI')
check "weights of the size of their symbols" [ "$weights" -gt 1000 ]
check "all of them, with their alignment" [ "$(flash weights)" -ge "$weights" -a "$(flash weights)" -le $((weights + 64)) ]
check "the arena" [ "$(ram arena)" = "$(symbols '^_ZN.*_GLOBAL__N_1.*3netE$')" ]
check "code" [ "$(flash 'code of kernels')" -gt 1000 ]
check "the stack of the linker script" [ "$(ram stack)" = 4096 ]
check "the memory of the weights" grep -q '^weights .*  flash$' table

# The name of the model does not matter for kernels, which are in the namespace baton.
printf 'int main(void) { return 0; }\n' > empty.c
arm-none-eabi-gcc --specs=nosys.specs empty.c -Wl,-Map=empty.map -o empty.elf 2> /dev/null
expect 1 "an image without a model" report empty.elf empty.map "$of_model"
check "its sentence" grep -q "^size_report: empty.elf contains no object file of the models ($of_model)" err
# Kernels of CMSIS-NN are of the model, in the library of Arm, of `baton firmware`, and of baton::cmsis_nn.
printf 'int kernel(int x) { return x / 3; }\n' > kernel.c
printf 'int kernel(int x);\nint main(int count, char** words) { return kernel(count); }\n' > owner.c
arm-none-eabi-gcc -c kernel.c owner.c
for library in libcmsis-nn.a libcmsis_nn.a libbaton_cmsis_nn_library.a; do
  arm-none-eabi-ar rc $library kernel.o
  arm-none-eabi-gcc --specs=nosys.specs owner.o $library -Wl,-Map=owner.map -o owner.elf 2> /dev/null
  expect 0 "the kernels in $library" report owner.elf owner.map "$of_model"
done
# A model can be the stem of any source file of C++, with the names of objects that build systems give.
for object in owner.o owner.obj owner.cc.o owner.cxx.obj owner.c++.o; do
  [ -e $object ] || cp owner.o $object
  arm-none-eabi-gcc --specs=nosys.specs $object kernel.o -Wl,-Map=owner.map -o owner.elf 2> /dev/null
  expect 0 "a model in $object" report owner.elf owner.map owner
done
printf 'const char file[300] __attribute__((section(".model"), used)) = "TFL3";\n' >> owner.c
arm-none-eabi-gcc -c owner.c
arm-none-eabi-gcc --specs=nosys.specs owner.o kernel.o -Wl,-Map=owner.map -o owner.elf 2> /dev/null
expect 0 "a model in a section of its own" report owner.elf owner.map owner
cp out "$work/table"
check "the bytes of its file" [ "$(flash weights)" = 300 ]
expect 1 "a file that is no map" report "$image" "$root/LICENSE" "$of_model"
check "its sentence" grep -q '/LICENSE is not a map of GNU ld; link with -Wl,-Map=FILE$' err
expect 1 "no such image" report nowhere "$map" "$of_model"
check "its sentence" grep -q '^size_report: cannot read nowhere$' err
expect 2 "no models" report "$image" "$map"
exit $failed
