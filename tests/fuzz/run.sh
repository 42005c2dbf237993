#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzes the functions that read files and processed bytes, with libFuzzer: sh tests/fuzz/run.sh [SECONDS] [TARGET...]
# SECONDS is the time of each target, 60 by default. The targets are the sources in tests/fuzz/libfuzzer, and the
# backends with a fuzz_target.cpp in tests/backends; the default is all of them.
# Needs clang-16 or clang-19 with its run-time library (Debian: clang-16 libclang-rt-16-dev). Works in build/fuzz:
#   corpus/TARGET      inputs, kept from run to run. The first ones are small files of this repository, and files that seeds.cpp writes;
#                      small files of ../shared are added if it is there.
#   findings/TARGET    inputs that break a property. Run the program of the target with one as its argument.
# Exit status: 0 nothing found, 1 found or not built, 2 usage.
set -u
cd "$(dirname "$0")/../.." || exit 1

seconds=${1:-60}
[ $# -eq 0 ] || shift
source_of() { # TARGET
  if [ -f "tests/fuzz/libfuzzer/$1.cpp" ]; then echo "tests/fuzz/libfuzzer/$1.cpp"; else echo "tests/backends/$1/fuzz_target.cpp"; fi
}
all=$(for source in tests/fuzz/libfuzzer/*.cpp tests/backends/*/fuzz_target.cpp; do echo "${source%/fuzz_target.cpp}"; done |
  sed 's|.*/||; s|[.]cpp$||' | grep -v '^seeds$' | tr '\n' ' ')
targets=${*:-$all}
for target in $targets; do
  case " $all" in *" $target "*) ;; *) seconds=none ;; esac
done
case $seconds in
  '' | 0 | *[!0-9]*)
    echo "usage: sh tests/fuzz/run.sh [SECONDS] [TARGET...]; the targets are: $all" >&2
    exit 2
    ;;
esac
compiler=
for each in ${CXX:-} clang++-16 clang++-19; do
  if echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
    "$each" -fsanitize=fuzzer,address -x c++ - -o /dev/null 2> /dev/null; then
    compiler=$each
    break
  fi
done
if [ -z "$compiler" ]; then
  echo "no Clang with libFuzzer; install clang-16 and libclang-rt-16-dev" >&2
  exit 1
fi

work=build/fuzz
mkdir -p "$work/corpus" "$work/findings"
# The sanitizers of the preset clang-16.
compile() { # NAME OPTION...
  name=$1
  shift
  if [ -x "$work/$name" ] && [ -z "$(find include tests examples \( -name '*.hpp' -o -name '*.cpp' \) -newer "$work/$name" | head -n 1)" ]; then return; fi
  echo "== compiling $name with $compiler"
  "$compiler" -std=c++20 -O1 -g1 -fno-omit-frame-pointer "$@" -Iinclude -Itests -Iexamples "$(source_of "$name")" -o "$work/$name"
}
compile seeds -O0 && "$work/seeds" "$work/corpus" || exit 1
copy() { # TARGET FILE...
  target=$1
  shift
  for file in "$@"; do
    [ ! -f "$file" ] || cp "$file" "$work/corpus/$target/$(echo "$file" | tr '/' '_')"
  done
}
copy tflite tests/nodes/*/*_rank_4.tflite tests/nodes/variables/*.tflite tests/nodes/recurrent/*.tflite tests/consume/*.tflite \
  examples/digits/*.tflite examples/ethos_u/mixed_vela.tflite
copy onnx tests/consume/*.onnx
copy pt2 examples/digits/*.pt2
copy pte examples/digits/*.pte tests/consume/*.bpte
for target in onnx pt2 pte; do
  for file in ../shared/formats/*/model.$target ../shared/formats/damaged/*.$target; do
    [ ! -f "$file" ] || [ "$(wc -c < "$file")" -gt 24576 ] || copy $target "$file"
  done
done

status=0
for target in $targets; do
  if ! compile "$target" -fsanitize=fuzzer,address,undefined -fno-sanitize=null,vptr,function -fno-sanitize-recover=all; then
    status=1
    continue
  fi
  mkdir -p "$work/corpus/$target" "$work/findings/$target"
  if "$work/$target" -max_total_time="$seconds" -max_len=65536 -timeout=25 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$work/findings/$target/" "$work/corpus/$target" > "$work/$target.log" 2>&1; then
    result='nothing found'
  else
    result="FOUND, see $work/$target.log and $work/findings/$target"
    status=1
  fi
  echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$target.log") executions," \
    "$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$work/$target.log" | tail -n 1) edges, $result"
done
exit $status
