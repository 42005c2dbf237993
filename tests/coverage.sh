#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Measures which lines of include/ the tests execute at run time: sh tests/coverage.sh [FOLDER...]
# The folders are those of tests/; the default is a sample that compiles in some minutes on two cores. Prints the lines of functions that
# are compiled, and the share that is executed, by room and in total. Lines that only constant expressions execute do not count. Templates
# that no test instantiates have no lines. With the default folders, fails below the floor in tests/coverage.txt.
# Needs clang++-16, llvm-profdata-16 and llvm-cov-16 (Debian: clang-16 libclang-rt-16-dev llvm-16), doctest, Boost.Hana and range-v3.
# build/coverage/html/index.html shows the lines.
set -u
cd "$(dirname "$0")/.." || exit 1

sample=$(sed -n 's/^folders: //p' tests/coverage.txt)
folders=${*:-$sample}
for folder in $folders; do
  [ -d "tests/$folder" ] || {
    echo "usage: sh tests/coverage.sh [FOLDER...]; there is no folder tests/$folder" >&2
    exit 2
  }
done
for tool in clang++-16 llvm-profdata-16 llvm-cov-16; do
  command -v $tool > /dev/null || {
    echo "$tool is not installed (Debian: clang-16 libclang-rt-16-dev llvm-16)" >&2
    exit 1
  }
done
work=build/coverage
mkdir -p "$work"
rm -rf "$work/html" "$work"/*.profraw
# Static assertions are left out: they only execute lines at compile time, and take most of the time of the compiler.
cat > "$work/compile.sh" <<'END'
source=$1
object=build/coverage/$(echo "$source" | tr / _).o
shared=../shared
[ -d "$shared" ] && shared=$(cd "$shared" && pwd) || shared=
[ -f "$object" ] && [ -z "$(find include tests examples \( -name '*.hpp' -o -name '*.cpp' \) -newer "$object" | head -n 1)" ] && exit 0
exec clang++-16 -std=c++20 -O0 -w -fprofile-instr-generate -fcoverage-mapping '-Dstatic_assert(...)=static_assert(true)' -Iinclude -Itests \
  -Iexamples "-DBATON_SHARED_DIR=\"$shared\"" "-DBATON_EXAMPLES_DIR=\"$PWD/examples\"" "-DBATON_NODES_DIR=\"$PWD/tests/nodes\"" \
  -c "$source" -o "$object"
END
sources=$(for folder in $folders; do ls "tests/$folder"/*_test.cpp; done)
# shellcheck disable=SC2086 # a list of files
printf '%s\n' tests/main.cpp $sources | xargs -P "${JOBS:-$(nproc)}" -n 1 sh "$work/compile.sh" || {
  echo "the tests do not compile" >&2
  exit 1
}
status=0
set --
for folder in $folders; do
  objects=$(for source in "tests/$folder"/*_test.cpp; do echo "$work/$(echo "$source" | tr / _).o"; done)
  # shellcheck disable=SC2086 # a list of files
  clang++-16 -fprofile-instr-generate $objects "$work/tests_main.cpp.o" -o "$work/$folder" || exit 1
  LLVM_PROFILE_FILE="$work/$folder.profraw" "$work/$folder" > "$work/$folder.log" 2>&1 || {
    echo "tests/$folder fails, see $work/$folder.log" >&2
    status=1
  }
  set -- "$@" -object "$work/$folder"
done
shift
llvm-profdata-16 merge "$work"/*.profraw -o "$work/tests.profdata" || exit 1
llvm-cov-16 export -summary-only -instr-profile "$work/tests.profdata" "$@" -sources include > "$work/summary.json" 2> "$work/cov.log" || exit 1
llvm-cov-16 show -format html -output-dir "$work/html" -instr-profile "$work/tests.profdata" "$@" -sources include > "$work/cov.log" 2>&1

# One line a file: its name, its lines, and the executed ones.
tr '{' '\n' < "$work/summary.json" | awk '
  /"filename":/ { sub(/.*"filename":"/, ""); sub(/".*/, ""); file = $0 }
  /"lines":$/ { is_next = 1; next }
  is_next { split($0, part, /[:,]/); if (file != "") print file, part[2], part[4]; file = ""; is_next = 0 }' > "$work/files.txt"
awk '{ name = $1; sub(/.*include\/baton\//, "", name); room = name ~ /\// ? substr(name, 1, index(name, "/") - 1) : "(doors)"
       lines[room] += $2; hit[room] += $3; all += $2; all_hit += $3 }
     END { for (room in lines) if (lines[room] > 0) printf "%-12s %6d lines %5.1f %%\n", room, lines[room], 100 * hit[room] / lines[room] | "sort"
           close("sort"); printf "%-12s %6d lines %5.1f %%\n", "total", all, 100 * all_hit / all }' "$work/files.txt" > "$work/table.txt"
cat "$work/table.txt"
if [ "$folders" = "$sample" ]; then
  while read -r room floor; do
    is=$(awk -v room="$room" '$1 == room { print $4 }' "$work/table.txt")
    awk "BEGIN { exit !(${is:-0} >= $floor) }" || {
      echo "$room: ${is:-0} % of the lines are executed, at least $floor % are required; see $work/html/index.html" >&2
      status=1
    }
  done << END
$(grep -v -e '^#' -e '^folders: ' tests/coverage.txt)
END
fi
exit $status
