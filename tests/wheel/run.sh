#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# shellcheck disable=SC2317 # functions that are called by name
#
# Builds the wheel, installs it in an empty virtual environment, and runs its commands and those of docs/tool.md: sh tests/wheel/run.sh
# Needs python3 with venv, access to PyPI, cmake, ninja, make, Boost and g++; the commands for a Cortex-M also arm-none-eabi-g++ and
# qemu-system-arm. Exit status 0 means that all tests passed.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
# shellcheck source=examples/expect.sh
. "$root/examples/expect.sh"
trap 'umount "$work/small" 2> /dev/null; rm -rf "$work"' EXIT
version=$(sh "$root/tools/baton" --version | sed 's/^baton //')

# With ccache, a second run compiles little.
if command -v ccache > /dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_NOHASHDIR=true CCACHE_BASEDIR="$root"; fi
python3 -m venv empty || exit 1
expect 0 "the wheel" empty/bin/pip --disable-pip-version-check wheel --quiet --no-deps --wheel-dir . "$root"
check "its name, with the version of the header" sh -c "ls baton-$version-py3-none-*.whl"
expect 0 "its installation" empty/bin/pip --disable-pip-version-check install --quiet --no-index "$work"/baton-*.whl
python=$work/empty/bin/python
expect 0 "the folder of the headers" "$python" -c 'import baton; print(baton.get_include())'
check "a header" test -f "$(cat out)/baton/baton.hpp"
expect 0 "the folder of the package" "$python" -c 'import baton; print(baton.get_cmake_dir())'
package=$(cat out)
expect 0 "the version" "$python" -c 'import baton; print(baton.__version__)'
check "that of the header" [ "$(cat out)" = "$version" ]

# A project that finds the package.
mkdir project
cp "$digits/digits_int8.tflite" project
cat > project/CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
find_package(baton 0.1 CONFIG REQUIRED)
add_executable(user main.cpp)
baton_model(user digits_int8.tflite)
END
cat > project/main.cpp << 'END'
#include <digits_int8.hpp>
int main() { return digits_int8::output_0::size == 10 ? 0 : 1; }
END
expect 0 "configuring a project" cmake -S project -B project/build -G Ninja "-Dbaton_DIR=$package"
expect 0 "building it" cmake --build project/build
expect 0 "running it" project/build/user

# The commands of docs/tool.md, in a folder with the files that they name. `pip` was called above.
PATH=$work/empty/bin:$PATH
export BATON_CACHE="$work/cache"
cp "$digits/digits_int8.tflite" digits.tflite
for class in 0 1 2 3 4 5 6 7 8 9; do
  mkdir -p samples/$class
  dd if="$digits/samples.bin" of=samples/$class/a.bin bs=64 skip=$class count=1 2> /dev/null
done
# Ten inputs as real numbers.
expect 0 "an array of NumPy" "$python" - "$digits/samples.bin" << 'END'
import struct, sys
data = open(sys.argv[1], "rb").read()
header = "{'descr': '<f4', 'fortran_order': False, 'shape': (10, 8, 8, 1), }"
header += " " * (-(len(header) + 11) % 64) + "\n"
reals = [(number + 128) * 0.003921569 for number in struct.unpack(f"{len(data)}b", data)]
with open("input.npy", "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(data)}f", *reals))
END
has_board=yes
for tool in arm-none-eabi-g++ qemu-system-arm; do
  command -v $tool > /dev/null || has_board=''
done
if [ -z "$has_board" ]; then echo "SKIPPED: the commands for a Cortex-M, because arm-none-eabi-g++ or qemu-system-arm is missing"; fi
sed -n '/^```sh$/,/^```$/p' "$root/docs/tool.md" | grep -E '^(baton|python) ' > commands
check "the commands" [ "$(wc -l < commands)" -ge 15 ]
while IFS= read -r line; do
  case $line in *"baton firmware"* | *cortex* | *--input*) if [ -z "$has_board" ]; then continue; fi ;; esac
  echo "$line"
  expect 0 "$line" sh -c "$line" < /dev/null
  case $line in
    "baton run digits.tflite input.bin output.bin" | "baton firmware"*) check "its output" cmp output.bin expected.bin ;;
    *--npy) check "its outputs, ten real numbers for each" [ "$(wc -c < output.npy)" = 528 ] ;;
    *evaluate*) check "its accuracy" grep -q '^accuracy: 10 of 10, 100.00 %$' out ;;
    *--html*) check "a page" grep -q '"baton_report": 1,' report.html ;;
    *npu*in_place) check "two nodes columns" grep -q '^npu  *in_place  *[0-9]*  npu 6, portable kernels 1$' out ;;
    *--input*) check "flash and instructions" grep -Eq '^none +cortex_m +in_place +[0-9]+ +[0-9]+ +[0-9]+  kernels 7$' out ;;
    *cortex-m4*) check "an object file for it" sh -c 'arm-none-eabi-nm model_m4/digits.o | grep -q " T "' ;;
  esac
done < commands
expect 0 "integers" baton run digits.tflite input.npy integers.npy --npy --integers
check "those of the model" sh -c "tail -c 100 integers.npy | cmp - '$digits/expected.bin'"

# A program that links the object file, and the exported folders.
cat > main.cpp << 'END'
#include "model/digits.hpp"
int main() { digits::run(); }
END
expect 0 "a caller of the object file" g++ -std=c++20 main.cpp model/digits.o -Wl,-Map=main.map -o main
expect 0 "its run" ./main
expect 0 "its sizes" baton size -o sizes.txt main main.map digits
check "the code of the model" grep -q '^code of kernels  *[1-9][0-9]* ' sizes.txt
expect 2 "an arena that start-up code does not clear" baton compile digits.tflite -o model --arena .ccmram
check "its sentence" grep -q '^the section of the arena is .bss, or begins with .bss., ' err
expect 0 "the exported folder" make -C for_a_colleague CFLAGS='-Wall -Wextra -Wpedantic -Werror'
expect 0 "its program" for_a_colleague/digits
check "ten scores" [ "$(wc -l < out)" = 10 ]
check "the same source for Arduino" cmp for_a_colleague/digits.cpp for_a_board/src/digits.cpp
check "the same header for Arduino" cmp for_a_colleague/baton/baton.hpp for_a_board/src/baton/baton.hpp
cat > Arduino.h << 'END'
#include <cstddef>
#include <cstdint>
struct serial { void begin(long); void println(int); };
extern serial Serial;
void delay(unsigned long);
END
expect 0 "the sketch" g++ -std=gnu++20 -Wall -Werror -include Arduino.h -I for_a_board/src -fsyntax-only -x c++ for_a_board/examples/digits/digits.ino

# Every command states how to use it.
for command in inspect compare run evaluate compile export firmware size; do
  expect 0 "help of $command" baton $command --help
  check "its usage" grep -q "^usage: baton $command " out
  check "its exit statuses" grep -q '^Exit status: 0: ' out
  expect 0 "help of $command after a model" baton $command digits.tflite --help
  check "the same usage" grep -q "^usage: baton $command " out
  expect 2 "no arguments, $command" baton $command
  check "its usage" grep -q "^usage: baton $command " err
  expect 2 "an unknown option, $command" baton $command digits.tflite --colour
  check "its name" grep -q -e '--colour' err
done
expect 2 "no command" baton
check "how to use it" grep -q '^usage: baton COMMAND ' err
expect 2 "an unknown command" baton train
check "its name" grep -q '^there is no command train$' err

# Bad files.
head -c 5000 digits.tflite > broken.tflite
: > empty.tflite
printf 'not a model' > text.tflite
for bad in broken.tflite empty.tflite text.tflite missing.tflite samples; do
  for command in "inspect $bad" "compare $bad" "run $bad input.bin output.bin" "compile $bad -o bad" "export $bad -o bad --c" "evaluate $bad samples"; do
    # Omitted, because the tests of run_model.sh check these messages, and the commands would compile.
    case $command in "run broken"* | "run empty"* | "run text"* | "evaluate broken"* | "evaluate empty"* | "evaluate text"*) continue ;; esac
    # shellcheck disable=SC2086 # a list of words
    expect 1 "baton $command" baton $command
    check "a sentence" [ -s err ]
    check "no folder" [ ! -e bad ]
  done
done
printf 'NUMPY' > text.npy
expect 1 "an array that is none" baton run digits.tflite text.npy output.npy --npy
check "its sentence" grep -q '^text.npy: it is not a file of numpy.save (.npy)$' err
expect 1 "a full disk, an array" baton run digits.tflite input.npy /dev/full --npy
check "its sentence" grep -q '^cannot write /dev/full: No space left on device$' err
expect 1 "a full disk, bytes" baton run digits.tflite input.bin /dev/full
check "its sentence" grep -q '^cannot write /dev/full: No space left on device$' err
expect 1 "a full disk, a page" baton inspect digits.tflite --html /dev/full
check "its sentence" grep -q '^cannot write /dev/full: No space left on device$' err
expect 1 "a full disk, a report" sh -c 'baton inspect digits.tflite > /dev/full'
check "its sentence" grep -q '^cannot write the report: No space left on device$' err
# A disk that is too small for the results. Only root may mount one.
mkdir small
if mount -t tmpfs -o size=64k tmpfs small 2> /dev/null; then
  mkdir small/old
  head -c 40000 /dev/zero > small/old/other
  for command in "compile digits.tflite -o small/new --no-object" "compile digits.tflite -o small/old --no-object" "export digits.tflite -o small/new --c"; do
    # shellcheck disable=SC2086 # a list of words
    expect 1 "a full disk, $command" baton $command
    check "its sentence" grep -q '^cannot write to small/.*: No space left on device$' err
    check "nothing else on the disk" [ "$(find small | sort | tr '\n' ' ')" = "small small/old small/old/other " ]
  done
  expect 1 "a full disk, compiled programs" env BATON_CACHE="$work/small/cache" baton run digits.tflite input.bin output.bin
  check "its sentence" grep -q '^there is not enough space in .*/small/cache, the folder for compiled programs; ' err
  umount small
else
  echo "SKIPPED: a full disk, because this user cannot mount a file system"
fi
expect 1 "an output that is a file" baton compile digits.tflite -o main.cpp
check "its sentence" grep -q '^cannot write to main.cpp: it is not a folder$' err
expect 1 "a folder that is not empty" baton export digits.tflite -o model --c
check "its sentence" grep -q '^cannot write to model: it is not an empty folder$' err
expect 1 "no rights" env BATON_CACHE=/proc/baton baton run digits.tflite input.bin output.bin
check "its sentence" grep -q '^cannot write /proc/baton, the folder for compiled programs; set BATON_CACHE to another folder$' err
cp -r samples more
cp samples/0/a.bin more/3/b.bin
expect 1 "a low accuracy" baton evaluate digits.tflite more --min-accuracy 95
check "its sentence" grep -q '^the accuracy is 90.91 %, less than 95 %$' err
expect 1 "a folder without samples" baton evaluate digits.tflite empty
check "its sentence" grep -q '^empty has no samples ' err

# An interrupted build leaves no program, and the next call builds it.
cat > slow << 'END'
#!/bin/sh
for word in "$@"; do
  case $word in *run_model.cpp) kill -TERM "$(cat pid)" && sleep 2 ;; esac
done
exec g++ "$@"
END
chmod +x slow
expect 1 "an interrupted build" env CXX="$work/slow" BATON_CACHE="$work/interrupted" sh -c 'echo $$ > pid && exec baton run digits.tflite input.bin output.bin'
check "no program" [ ! -e interrupted/run_model/digits/none/program ]

# Progress is printed to a terminal.
if command -v script > /dev/null; then
  expect 0 "a terminal" script -qec "BATON_CACHE=$work/interrupted baton run digits.tflite input.bin output.bin" /dev/null
  check "progress" grep -q 'compiling digits.tflite with g++' out
  check "the program that was interrupted" cmp output.bin expected.bin
fi

# A machine without a compiler: a folder of programs without g++ and cmake.
mkdir programs
for program in sh sed awk dirname readlink paste cat grep tr head tail date mktemp rm wc mkdir env; do ln -s "$(command -v $program)" programs; done
alone() { PATH=$work/programs "$work/empty/bin/baton" "$@"; }
expect 0 "inspecting without a compiler" alone inspect digits.tflite --partitioner npu
check "its report" grep -q '^node assignment: 6 of 7 nodes delegated, in 1 part$' out
expect 0 "comparing without a compiler" alone compare digits.tflite
expect 1 "running without a compiler" alone run digits.tflite input.bin output.bin
check "what is missing, and what can be had" grep -q '^there is no compiler g++; install it .*; baton inspect, compare, and compile --no-object need none$' err
expect 1 "a partitioner that needs a library" alone inspect digits.tflite --partitioner xnnpack
check "what is missing" grep -q '^there is no compiler g++; ' err

# Headers of another version than the wheel.
config=$(dirname "$package")/../../include/baton/core/config.hpp
sed -i 's/^\(#define BATON_VERSION_PATCH\) .*/\1 77/' "$config"
expect 1 "headers of another version" baton inspect digits.tflite
check "both versions" grep -q "^the command baton is version $version, but its headers in .* are version [0-9.]*77; install baton again" err
exit $failed
