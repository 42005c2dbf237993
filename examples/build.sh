# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Shell functions of the scripts in this folder. They build a program if its inputs have changed, and explain why a model does not compile.
# Set $root to the repository before sourcing this file.
# shellcheck shell=sh disable=SC2034,SC2154 # variables of the scripts

cxx=${CXX:-g++} # one or more words, as in `clang++-19 -stdlib=libc++`
flags="-std=c++20 -O2"

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# need_file PATH: stops unless PATH is a readable file.
need_file() {
  if [ -d "$1" ]; then fail "cannot read $1: it is a folder"; fi
  if [ ! -e "$1" ]; then fail "cannot read $1: there is no such file"; fi
  if [ ! -r "$1" ]; then fail "cannot read $1: permission denied"; fi
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

# fingerprint SOURCE [WORD OR FILE...]: prints a hash of the compiler, the headers of the library, the source examples/SOURCE, all
# arguments, and the installed headers of the choices.
fingerprint() {
  {
    printf '%s\n' "$cxx" "$flags" "$@"
    for choice in $(choices); do
      for header in $(choice_fact "$choice" needs-header); do
        if finds_header "$header"; then echo "$header"; fi
      done
    done
    $cxx --version
    for file in "$@"; do if [ -f "$file" ]; then cat -- "$file"; fi; done
    cd "$root" || exit 1
    find include examples -name '*.hpp' -exec cat {} +
    cat "examples/$1" cmake/embed_file.cmake cmake/keywords.cmake
  } | sha256sum
}

# is_fresh FOLDER FINGERPRINT: true if FOLDER/program was built from inputs with this fingerprint.
is_fresh() { [ -x "$1/program" ] && [ -f "$1/fingerprint" ] && [ "$(cat "$1/fingerprint")" = "$2" ]; }

# need_compiler: stops unless the compiler exists and is new enough. Sets $collect_late, the flags with which GCC does not collect garbage
# below one gigabyte of memory; empty for other compilers.
need_compiler() {
  # shellcheck disable=SC2086 # a compiler and its flags
  $cxx --version > /dev/null 2>&1 || fail "there is no compiler $cxx; install it (apt-get install g++) or set CXX"
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

# build_tool NAME: builds build/NAME/program from examples/NAME.cpp, unless it is fresh.
build_tool() {
  tool_folder=$root/build/$1
  mkdir -p "$tool_folder"
  need_compiler
  flags="-std=c++20 -O1" # because compiling a tool takes longer than most of its runs
  tool_print=$(fingerprint "$1.cpp")
  if is_fresh "$tool_folder" "$tool_print"; then return; fi
  rm -f "$tool_folder/fingerprint"
  compile "$1.cpp" "$tool_folder" || fail "the tool does not compile; see $tool_folder/compile.log"
  printf '%s\n' "$tool_print" > "$tool_folder/fingerprint"
}

# identifier MODEL: prints the four characters at byte 4 of the model: TFL3 of a TensorFlow Lite model, ET12 or BP08 of an
# ExecuTorch program.
identifier() { head -c 8 -- "$1" | tail -c 4 | tr -d '\0'; }

# is_archive MODEL: whether the model is a zip archive, as torch.export writes them.
is_archive() { [ "$(head -c 2 -- "$1" | tr -d '\0')" = PK ]; }

# external_files MODEL: prints the locations of the files that contain tensors of a model, one per line. They are relative to the folder of
# the model. An ONNX model states them. An ExecuTorch program does not, so all files beside it with the extension ptd are printed. It changes
# $cxx, so call it in a subshell.
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
  # A compiler for this machine, because $cxx may compile for another one.
  for host_cxx in "${BATON_HOST_CXX:-g++}" clang++ "$cxx"; do
    # shellcheck disable=SC2086 # a compiler and its flags
    if $host_cxx --version > /dev/null 2>&1; then break; fi
  done
  cxx=$host_cxx
  choice_flags=''
  build_tool external_files
  "$root/build/external_files/program" "$1"
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

# embed_model MODEL FOLDER [DIMENSION...]: writes FOLDER/model.hpp, which defines the array `model` and arrays for the files in $files. Sets
# $importers to the expression that reads the model. A dimension is NAME=SIZE.
embed_model() {
  embedded_model=$1
  embedded_folder=$2
  shift 2
  cp -- "$embedded_model" "$embedded_folder/model"
  cmake -DINPUT="$embedded_folder/model" -DOUTPUT="$embedded_folder/model.hpp" -DNAME=model -P "$root/cmake/embed_file.cmake"
  read_options=''
  number=0
  format=onnx
  case $(identifier "$embedded_model") in ET12 | BP08) format=pte ;; esac
  if is_archive "$embedded_model"; then format=pt2; fi
  while IFS= read -r location; do
    if [ -z "$location" ]; then continue; fi
    cp -- "${embedded_model%"${embedded_model##*/}"}$location" "$embedded_folder/file"
    cmake -DINPUT="$embedded_folder/file" -DOUTPUT="$embedded_folder/file.hpp" -DNAME="model_file_$number" -P "$root/cmake/embed_file.cmake"
    cat "$embedded_folder/file.hpp" >> "$embedded_folder/model.hpp"
    read_options="$read_options, baton::$format::external_file<\"$location\", model_file_$number>"
    number=$((number + 1))
  done << EOF
$files
EOF
  for dimension in "$@"; do
    if [ $format = pte ]; then fail "an ExecuTorch program has no symbolic dimensions: $dimension"; fi
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
    command -v cmake > /dev/null || fail "cmake is missing, which converts the model into a header; install it (apt-get install cmake)"
    # A separate folder with fixed names, because scripts may run concurrently, and the model's name may have any characters.
    mkdir -p "$target"
    rm -f "$target/fingerprint"
    work=$(mktemp -d "$root/build/baton.XXXXXX")
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

# explain_failure MODEL LOG: prints the message and the facts of the first error, and stops with exit status 1.
explain_failure() {
  {
    printf 'cannot compile %s:\n' "$1"
    nodes=''
    if grep -Eq "$limits" "$2"; then nodes=$(count_nodes "$1"); fi
    awk -v nodes="$nodes" -v compiler="$cxx" -f "$root/examples/failure.awk" "$2"
    tool=examples/inspect.sh
    if [ "$PWD" != "$root" ]; then tool=$(quoted "$root/$tool"); fi
    printf '(to list the operators, and why they are not delegated: sh %s %s)\n' "$tool" "$(quoted "$1")"
    printf '(output of the compiler: %s)\n' "$2"
  } >&2
  exit 1
}

# The messages of GCC and Clang if a constant expression exceeds their default limits. No model is rejected for its size, because its cost
# depends more on its operators and on the compiler.
limits="'constexpr' evaluation operation count exceeds|'constexpr' loop iteration count exceeds|evaluation hit maximum step limit"

# count_nodes MODEL: prints the number of nodes. Prints nothing if inspect.sh cannot read the model.
count_nodes() {
  default_cxx=$(printf '%s\n' "$cxx" | sed 's/ -fconstexpr-[a-z-]*=[0-9]*//g') # the tool compiles with the default limits
  CXX=$default_cxx sh "$root/examples/inspect.sh" "$1" --format json 2> /dev/null | sed -n 's/^  "totals": {"nodes": \([0-9]*\),.*/\1/p'
}
