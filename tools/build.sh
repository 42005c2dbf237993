# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Shell functions of the commands that compile. They build a program if its inputs have changed, and explain why a model does not compile.
# Set $root to the repository, or to the folder of the installed command, before sourcing this file.
# shellcheck shell=sh disable=SC2034,SC2154 # variables of the scripts
# shellcheck source=tools/common.sh
. "$root/tools/common.sh"

cxx=${CXX:-g++} # one or more words, as in `clang++-19 -stdlib=libc++`
flags="-std=c++20 -O2"

# The folders of compiled programs and of CMake's files. An installed command is not written to, and has compiled tools in bin.
if [ -e "$root/CMakeLists.txt" ]; then
  build=${BATON_CACHE:-$root/build} cmake_files=$root/cmake
else
  caches=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
  build=${BATON_CACHE:-${caches:+$caches/baton}} cmake_files=$root/share/cmake/baton
fi
case $build in /* | '') ;; *) build=$PWD/$build ;; esac

# need_cache: creates the folder of compiled programs, or stops.
need_cache() {
  if [ -z "$build" ]; then fail "there is no folder for compiled programs, because HOME is not set; set BATON_CACHE to a folder"; fi
  if ! { mkdir -p "$build" && [ -w "$build" ]; } 2> /dev/null; then
    fail "cannot write $build, the folder for compiled programs; set BATON_CACHE to another folder"
  fi
  # Otherwise a full disk looks like an error of the compiler.
  if ! head -c 1048576 /dev/zero 2> /dev/null > "$build/space.$$"; then
    rm -f "$build/space.$$"
    fail "there is not enough space in $build, the folder for compiled programs; free some, or set BATON_CACHE to another folder"
  fi
  rm -f "$build/space.$$"
}

# name_of MODEL: prints the name of the file without its extension, as a valid name of a folder.
name_of() {
  name=${1##*/}
  name=${name%.*}
  case $name in '' | . | ..) name="model$name" ;; esac
  printf '%s\n' "$name"
}

# milliseconds: prints the current time in milliseconds.
milliseconds() { date +%s%N | cut -c 1-13; }

# choices: prints the names of examples/choices, the ways to lower a model, one per line.
choices() {
  for choice_file in "$root"/examples/choices/*.hpp; do
    name=${choice_file##*/}
    echo "${name%.hpp}"
  done
}

# choice_fact CHOICE WORD: prints the text after `// WORD: ` in the file of the choice, and joins several such lines. The words are:
#   needs-header   the headers that the choice includes
#   install        how to install them
#   link-flags     the flags of the linker
#   not-run-here   why its programs do not run on this machine
choice_fact() { sed -n "s|^// $2: ||p" "$root/examples/choices/$1.hpp" | tr '\n' ' ' | sed 's/ $//'; }

# finds_header HEADER: true if the compiler finds HEADER.
finds_header() {
  # shellcheck disable=SC2086 # a compiler and its flags
  echo "#include <$1>" | $cxx -std=c++20 -E -x c++ - > /dev/null 2>&1
}

# need_choice CHOICE: stops unless the compiler finds the headers and libraries of the choice. Sets $choice_flags.
need_choice() {
  need_compiler
  for header in $(choice_fact "$1" needs-header); do
    finds_header "$header" || fail "$1 needs $header, which $cxx does not find; install it ($(choice_fact "$1" install))"
  done
  choice_flags=$(choice_fact "$1" link-flags)
  # shellcheck disable=SC2086 # a compiler and its flags
  if [ -n "$choice_flags" ] && ! echo 'int main() {}' | $cxx -x c++ - $choice_flags -o /dev/null > /dev/null 2>&1; then
    fail "$1 needs $choice_flags, which $cxx does not link; install the libraries ($(choice_fact "$1" install))"
  fi
}

# backends: prints the backends that run on this machine, `portable` first, separated by bars.
backends() {
  printf portable
  for each in $(choices); do
    if [ "$each" != none ] && [ -z "$(choice_fact "$each" not-run-here)" ]; then printf '|%s' "$each"; fi
  done
}

# check_backend NAME: sets $choice to the choice of the backend, or stops unless its programs run on this machine.
check_backend() {
  choice=$1
  if [ "$1" = portable ]; then
    choice=none
    return
  fi
  choices | grep -v '^none$' | grep -Fxq -e "$1" || usage "there is no backend $1; there are: $(backends)"
  why=$(choice_fact "$1" not-run-here)
  if [ -n "$why" ]; then fail "a program for $1 does not run here: $why"; fi
}

# check_entry SIGNATURE DIMENSIONS: stops unless the name of the entry point and the dimensions NAME=SIZE can be compiled.
check_entry() {
  case $1 in *[!A-Za-z0-9_./:-]*) fail "the name of a signature may only have letters, digits and _ . / : -: $1" ;; esac
  for dimension in $2; do
    case ${dimension%=*} in '' | *[!A-Za-z0-9_.:-]*) fail "the name of a dimension may only have letters, digits and _ . : -: $dimension" ;; esac
    case $dimension in *=*) ;; *) fail "write a dimension as NAME=SIZE, not $dimension" ;; esac
    case ${dimension##*=} in '' | *[!0-9]*) fail "write a dimension as NAME=SIZE, not $dimension" ;; esac
  done
}

# fingerprint SOURCE [WORD OR FILE...]: prints a hash of the compiler, the headers of the library, the source examples/SOURCE, all
# arguments, and the installed headers of the choices.
fingerprint() {
  {
    printf '%s\n' "$cxx" "$flags" "$@"
    for each in $(choices); do
      for header in $(choice_fact "$each" needs-header); do
        if finds_header "$header"; then echo "$header"; fi
      done
    done
    $cxx --version
    for file in "$@"; do if [ -f "$file" ]; then cat -- "$file"; fi; done
    cd "$root" || exit 1
    find -L include examples cmake -name '*.hpp' -exec cat {} + # -L: an installed command has a link to the headers
    cat "examples/$1" "$cmake_files/embed_file.cmake" "$cmake_files/keywords.cmake"
  } | sha256sum
}

# is_fresh FOLDER FINGERPRINT: true if FOLDER/program was built from inputs with this fingerprint.
is_fresh() { [ -x "$1/program" ] && [ -f "$1/fingerprint" ] && [ "$(cat "$1/fingerprint")" = "$2" ]; }

# need_compiler: stops unless the compiler exists and is new enough. Sets $collect_late, the flags with which GCC does not collect garbage
# below one gigabyte of memory; empty for other compilers.
need_compiler() {
  without_compiler=''
  if [ -x "$root/bin/inspect" ]; then without_compiler="; baton inspect, compare, and compile --no-object need none"; fi
  # shellcheck disable=SC2086 # a compiler and its flags
  $cxx --version > /dev/null 2>&1 || fail "there is no compiler $cxx; install it (apt-get install g++) or set CXX$without_compiler"
  # -E suffices, because the header checks with #if. Zig cannot compile standard input with -fsyntax-only.
  # shellcheck disable=SC2086 # a compiler and its flags
  if ! said=$(echo '#include <baton/core/config.hpp>' | $cxx -std=c++20 -I"$root/include" -E -x c++ - 2>&1 > /dev/null); then
    why=$(printf '%s\n' "$said" | sed -n 's/.*error: .*\(Baton needs[^"]*\).*/\1/p' | head -n 1)
    fail "$cxx: ${why:-$said}"
  fi
  collect_late=--param=ggc-min-heapsize=1048576
  # shellcheck disable=SC2086 # a compiler and its flags
  echo | $cxx $collect_late -Werror -fsyntax-only -x c++ - > /dev/null 2>&1 || collect_late=
}

# need_hana: stops unless the compiler finds Boost.Hana.
need_hana() {
  finds_header boost/hana/version.hpp || fail "$cxx does not find boost/hana.hpp; install it (apt-get install libboost-dev), or set CPATH to the folder of boost/"
}

# find_boost: sets $boost_folder, the folder of boost/hana.hpp, or stops.
find_boost() {
  for boost_folder in "${BOOST_ROOT:-/usr}/include" "${BOOST_ROOT:-/usr}" /usr/local/include; do
    if [ -e "$boost_folder/boost/hana.hpp" ]; then return; fi
  done
  fail "there is no boost/hana.hpp; install it (apt-get install libboost-dev) or set BOOST_ROOT"
}

# compile SOURCE FOLDER [FLAG...]: writes FOLDER/program and FOLDER/compile.log. FOLDER/program is never incomplete.
compile() {
  compile_source=$root/examples/$1
  compile_folder=$2
  shift 2
  # In English, because failure.awk parses the compiler's messages.
  # shellcheck disable=SC2086 # lists of words
  LC_ALL=C $cxx $flags $collect_late -I "$root/include" -I "$root/examples" "$@" "$compile_source" ${choice_flags-} -o "$compile_folder/program.new" \
    > "$compile_folder/compile.log" 2>&1 || return 1
  mv -f "$compile_folder/program.new" "$compile_folder/program"
}

# build_tool NAME [SOURCE]: builds a tool from SOURCE, or from NAME.cpp, unless it is fresh. SOURCE is relative to examples. Sets
# $tool_program.
build_tool() {
  tool_source=${2:-$1.cpp}
  tool_folder=$build/$1
  tool_program=$tool_folder/program
  need_compiler
  need_hana
  need_cache
  mkdir -p "$tool_folder"
  flags="-std=c++20 -O0" # because a tool runs for milliseconds, and the optimizer needs 40 seconds for it
  tool_print=$(fingerprint "$tool_source")
  if is_fresh "$tool_folder" "$tool_print"; then return; fi
  rm -f "$tool_folder/fingerprint"
  progress "compiling the tool $1"
  if ! compile "$tool_source" "$tool_folder"; then
    check_space "$tool_folder/compile.log"
    fail "the tool does not compile; see $tool_folder/compile.log"
  fi
  printf '%s\n' "$tool_print" > "$tool_folder/fingerprint"
}

# find_tool NAME [SOURCE]: sets $tool_program to a tool that was compiled for the installation, or builds it.
find_tool() {
  tool_program=$root/bin/$1
  if [ ! -x "$tool_program" ]; then build_tool "$@"; fi
}

# host_tool NAME [SOURCE]: prints the path of a tool that is compiled for this machine, because $cxx may compile for another one. It changes
# $cxx, so call it in a subshell.
host_tool() {
  for host_cxx in "${BATON_HOST_CXX:-g++}" clang++ "$cxx"; do
    # shellcheck disable=SC2086 # a compiler and its flags
    if $host_cxx --version > /dev/null 2>&1; then break; fi
  done
  cxx=$host_cxx
  choice_flags=''
  find_tool "$@"
  printf '%s\n' "$tool_program"
}

# identifier MODEL: prints the four characters at byte 4 of the model: TFL3 of a TensorFlow Lite model, ET12 or BP08 of an
# ExecuTorch program.
identifier() { head -c 8 -- "$1" | tail -c 4 | tr -d '\0'; }

# is_archive MODEL: whether the model is a zip archive, as torch.export writes them.
is_archive() { [ "$(head -c 2 -- "$1" | tr -d '\0')" = PK ]; }

# external_files MODEL: prints the locations of the files that contain tensors of a model, one per line. They are relative to the folder of
# the model. An ONNX model states them. An ExecuTorch program does not, so all files beside it with the extension ptd are printed.
external_files() {
  if is_archive "$1"; then return; fi
  case $(identifier "$1") in
    TFL3) return ;;
    ET12 | BP08)
      for data_file in "${1%"${1##*/}"}"*.ptd; do
        if [ -f "$data_file" ]; then printf '%s\n' "${data_file##*/}"; fi
      done
      return
      ;;
  esac
  tool_program=$(host_tool external_files) || exit 1
  "$tool_program" "$1"
}

# find_files MODEL: sets $files, the locations of the external files of the model, and $files_print, a hash of their contents. Stops if one
# of them cannot be read.
find_files() {
  files=$(external_files "$1") || exit 1
  files_print=''
  while IFS= read -r location; do
    if [ -z "$location" ]; then continue; fi
    case $location in *[!A-Za-z0-9_./:+-]*) fail "the name of a file with tensors may only have letters, digits and _ . / : + -: $location" ;; esac
    file=${1%"${1##*/}"}$location
    if [ ! -f "$file" ] || [ ! -r "$file" ]; then fail "cannot read $file, which contains tensors of $1"; fi
    files_print="$files_print$(sha256sum < "$file")"
  done << EOF
$files
EOF
}

# need_cmake: stops unless CMake is installed.
need_cmake() { command -v cmake > /dev/null || fail "there is no cmake, which converts the model into a header; install it (apt-get install cmake)"; }

# embed FILE HEADER NAME: writes a header that defines the bytes of a file as the array NAME. Copies the file, whose name may have any
# characters.
embed() {
  cp -- "$1" "${2%/*}/embedded_file"
  cmake -DINPUT="${2%/*}/embedded_file" -DOUTPUT="$2" -DNAME="$3" -P "$cmake_files/embed_file.cmake"
  rm -f "${2%/*}/embedded_file"
}

# embed_model MODEL FOLDER [DIMENSION...]: writes FOLDER/model.hpp, which defines the array `model` and arrays for the files in $files. Sets
# $importers to the expression that reads the model. A dimension is NAME=SIZE.
embed_model() {
  embedded_model=$1
  embedded_folder=$2
  shift 2
  embed "$embedded_model" "$embedded_folder/model.hpp" model
  read_options=''
  number=0
  format=onnx
  case $(identifier "$embedded_model") in ET12 | BP08) format=pte ;; esac
  if is_archive "$embedded_model"; then format=pt2; fi
  while IFS= read -r location; do
    if [ -z "$location" ]; then continue; fi
    embed "${embedded_model%"${embedded_model##*/}"}$location" "$embedded_folder/file.hpp" "model_file_$number"
    cat "$embedded_folder/file.hpp" >> "$embedded_folder/model.hpp"
    read_options="$read_options, baton::$format::external_file<\"$location\", model_file_$number>"
    number=$((number + 1))
  done << EOF
$files
EOF
  for dimension in "$@"; do
    case $(identifier "$embedded_model") in TFL3 | ET12 | BP08) fail "a model of TensorFlow Lite or ExecuTorch has no symbolic dimensions: ${dimension%=*}" ;; esac
    read_options="$read_options, baton::$format::dimension<\"${dimension%=*}\", ${dimension##*=}>"
  done
  importers=baton::default_importers
  if [ -n "$read_options" ]; then importers="baton::importers<baton::$format::importer_with<${read_options#, }>>"; fi
}

# compile_model SOURCE MODEL CHOICE FOLDER [SIGNATURE [DIMENSION...]]: builds FOLDER/CHOICE/program from an example that includes "model.hpp",
# unless it is fresh. Sets $compile_time, the time of its compilation in milliseconds.
compile_model() {
  source=$1 model_file=$2 choice_name=$3 model_folder=$4 signature_name=${5-}
  shift "$(($# < 5 ? $# : 5))"
  target=$model_folder/$choice_name
  need_file "$model_file"
  need_choice "$choice_name"
  find_files "$model_file"
  print=$(fingerprint "$source" "$model_file" "$choice_name" "$signature_name" "$files_print" "$@")
  if ! is_fresh "$target" "$print"; then
    need_cmake
    need_hana
    need_cache
    progress "compiling $model_file with $cxx"
    # A separate folder with fixed names, because scripts may run concurrently, and the model's name may have any characters.
    mkdir -p "$target"
    rm -f "$target/fingerprint"
    work=$(mktemp -d "$build/baton.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' HUP INT TERM
    embed_model "$model_file" "$work" "$@"
    start=$(milliseconds)
    status=0
    compile "$source" "$work" -I "$work" "-DCHOICE=$choice_name" "-DCHOICE_HEADER=\"choices/$choice_name.hpp\"" "-DENTRY=\"$signature_name\"" \
      "-DIMPORTERS=$importers" || status=1
    printf '%s\n' $(($(milliseconds) - start)) > "$target/milliseconds"
    cp "$work/compile.log" "$model_folder/compile.log"
    if [ $status != 0 ]; then
      rm -f "$target/program" "$model_folder/program" # programs of an earlier model with this name
      explain_failure "$model_file" "$model_folder/compile.log"
    fi
    mv -f "$work/program" "$target/program"
    printf '%s\n' "$print" > "$target/fingerprint"
    rm -rf "$work"
  fi
  compile_time=$(cat "$target/milliseconds")
}

# quoted TEXT: prints TEXT quoted for the shell.
quoted() { printf "'%s'" "$(printf '%s\n' "$1" | sed "s/'/'\\\\''/g")"; }

# check_space LOG: stops if the compiler failed because a disk is full.
check_space() {
  if grep -q 'No space left on device' "$1"; then
    fail "the compiler found no space in $build or ${TMPDIR:-/tmp}; free some, or set BATON_CACHE and TMPDIR to other folders"
  fi
}

# explain_failure MODEL LOG: prints the message and the facts of the first error, and stops with exit status 1.
explain_failure() {
  check_space "$2"
  {
    printf 'cannot compile %s:\n' "$1"
    nodes=''
    if grep -Eq "$limits" "$2"; then nodes=$(count_nodes "$1"); fi
    awk -v nodes="$nodes" -v compiler="$cxx" -f "$root/tools/failure.awk" "$2"
    tool="sh tools/baton"
    if [ "$PWD" != "$root" ]; then tool="sh $(quoted "$root/tools/baton")"; fi
    if [ -f "$root/version" ]; then tool=baton; fi
    printf '(to list the operators, and why they are not delegated: %s inspect %s)\n' "$tool" "$(quoted "$1")"
    printf '(output of the compiler: %s)\n' "$2"
  } >&2
  exit 1
}

# The messages of GCC and Clang if a constant expression exceeds their default limits. No model is rejected for its size, because its cost
# depends more on its operators and on the compiler.
limits="'constexpr' evaluation operation count exceeds|'constexpr' loop iteration count exceeds|evaluation hit maximum step limit"

# count_nodes MODEL: prints the number of nodes. Prints nothing if `baton inspect` cannot read the model.
count_nodes() {
  default_cxx=$(printf '%s\n' "$cxx" | sed 's/ -fconstexpr-[a-z-]*=[0-9]*//g') # the tool compiles with the default limits
  CXX=$default_cxx sh "$root/tools/inspect.sh" "$1" --format json 2> /dev/null | sed -n 's/^  "totals": {"nodes": \([0-9]*\),.*/\1/p'
}
