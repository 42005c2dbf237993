# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Shell functions that the scripts in this folder share: building a program when something has changed, and telling why a model does not
# compile. Sourced, with $root set to the repository.
# shellcheck shell=sh disable=SC2034,SC2154 # variables of the scripts

cxx=${CXX:-g++} # may be several words: `clang++-19 -stdlib=libc++`
flags="-std=c++20 -O2"

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# need_file PATH: stops unless it is a file that can be read.
need_file() {
  if [ -d "$1" ]; then fail "cannot read $1: it is a folder"; fi
  if [ ! -e "$1" ]; then fail "cannot read $1: there is no such file"; fi
  if [ ! -r "$1" ]; then fail "cannot read $1: permission denied"; fi
}

# name_of MODEL: the file's name without its extension, fit to be a folder's name.
name_of() {
  name=${1##*/}
  name=${name%.*}
  case $name in '' | . | ..) name="model$name" ;; esac
  printf '%s\n' "$name"
}

# milliseconds: the time of day.
milliseconds() { date +%s%N | cut -c 1-13; }

# choices: the ways to lower a model, a name a line.
choices() {
  for choice_file in "$root"/examples/choices/*.hpp; do
    name=${choice_file##*/}
    echo "${name%.hpp}"
  done
}

# choice_fact CHOICE WORD: what stands behind `// WORD: ` in the choice's file; several lines of it become one. The words are
# needs-header, which the choice includes; install, what brings it; link-flags; and not-run-here, why no program of it runs on this machine.
choice_fact() { sed -n "s|^// $2: ||p" "$root/examples/choices/$1.hpp" | tr '\n' ' ' | sed 's/ $//'; }

# finds_header HEADER: whether the compiler finds it.
finds_header() {
  # shellcheck disable=SC2086 # a compiler and its flags
  echo "#include <$1>" | $cxx -std=c++20 -E -x c++ - > /dev/null 2>&1
}

# need_choice CHOICE: stops unless the compiler finds what the choice needs; sets $choice_flags.
need_choice() {
  need_compiler
  for header in $(choice_fact "$1" needs-header); do
    finds_header "$header" || fail "$1 needs $header, which $cxx does not find; install it ($(choice_fact "$1" install))"
  done
  choice_flags=$(choice_fact "$1" link-flags)
  # shellcheck disable=SC2086 # a compiler and its flags
  if [ -n "$choice_flags" ] && ! echo 'int main() {}' | $cxx -x c++ - $choice_flags -o /dev/null > /dev/null 2>&1; then
    fail "$1 needs $choice_flags, which $cxx does not link; install what it lacks ($(choice_fact "$1" install))"
  fi
}

# fingerprint SOURCE [WORD OR FILE...]: of the compiler, the headers, an example and all that is named, and of what choices find.
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
    cat "examples/$1" cmake/embed_file.cmake
  } | sha256sum
}

# is_fresh FOLDER FINGERPRINT: whether FOLDER/program was made from what has that fingerprint.
is_fresh() { [ -x "$1/program" ] && [ -f "$1/fingerprint" ] && [ "$(cat "$1/fingerprint")" = "$2" ]; }

# need_compiler: stops unless there is one that is new enough; sets $collect_late, which keeps GCC from collecting garbage before it holds a gigabyte and is
# nothing for other compilers.
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

# compile SOURCE FOLDER [FLAG...]: makes FOLDER/program and FOLDER/compile.log; the program appears whole or not at all.
compile() {
  compile_source=$root/examples/$1
  compile_folder=$2
  shift 2
  # The compiler's messages are read by programs, so they are in plain English.
  # shellcheck disable=SC2086 # lists of words
  LC_ALL=C $cxx $flags $collect_late -I "$root/include" -I "$root/examples" "$@" "$compile_source" ${choice_flags-} -o "$compile_folder/program.new" \
    > "$compile_folder/compile.log" 2>&1 || return 1
  mv -f "$compile_folder/program.new" "$compile_folder/program"
}

# compile_model SOURCE MODEL CHOICE FOLDER [SIGNATURE]: makes FOLDER/CHOICE/program from an example that includes "model.hpp", unless it is
# there already. $compile_time is the milliseconds that the compiler took, then or now.
compile_model() {
  made=$4/$3
  need_file "$2"
  need_choice "$3"
  print=$(fingerprint "$1" "$2" "$3" "${5-}")
  if ! is_fresh "$made" "$print"; then
    command -v cmake > /dev/null || fail "there is no cmake, which turns the model into a header; install it (apt-get install cmake)"
    # A folder of its own with plain names in it: two runs do not meet, and the model's name may have any characters.
    mkdir -p "$made"
    rm -f "$made/fingerprint"
    work=$(mktemp -d "$root/build/baton.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' HUP INT TERM
    cp -- "$2" "$work/model"
    cmake -DINPUT="$work/model" -DOUTPUT="$work/model.hpp" -DNAME=model -P "$root/cmake/embed_file.cmake"
    start=$(milliseconds)
    status=0
    compile "$1" "$work" -I "$work" "-DCHOICE=$3" "-DCHOICE_HEADER=\"choices/$3.hpp\"" "-DENTRY=\"${5-}\"" || status=1
    printf '%s\n' $(($(milliseconds) - start)) > "$made/milliseconds"
    cp "$work/compile.log" "$4/compile.log"
    if [ $status != 0 ]; then
      rm -f "$made/program" "$4/program" # of an earlier model of that name
      tell_failure "$2" "$4/compile.log"
    fi
    mv -f "$work/program" "$made/program"
    printf '%s\n' "$print" > "$made/fingerprint"
    rm -rf "$work"
  fi
  compile_time=$(cat "$made/milliseconds")
}

# quoted TEXT: as a word of the shell.
quoted() { printf "'%s'" "$(printf '%s\n' "$1" | sed "s/'/'\\\\''/g")"; }

# tell_failure MODEL LOG: the sentence and the facts of the first error, as a person reads them, and exit status 1.
tell_failure() {
  {
    printf 'cannot compile %s:\n' "$1"
    nodes=''
    if grep -Eq "$limits" "$2"; then nodes=$(count_nodes "$1"); fi
    awk -v nodes="$nodes" -v compiler="$cxx" -f "$root/examples/failure.awk" "$2"
    tool=examples/inspect.sh
    if [ "$PWD" != "$root" ]; then tool=$(quoted "$root/$tool"); fi
    printf '(all of its operators, and why each stays: sh %s %s)\n' "$tool" "$(quoted "$1")"
    printf '(the compiler'"'"'s own words: %s)\n' "$2"
  } >&2
  exit 1
}

# What GCC and Clang say where a constant takes more than they allow by default. Only they know: what a model takes depends on its
# operators and on the compiler more than on its size, so no model is refused for its size.
limits="'constexpr' evaluation operation count exceeds|'constexpr' loop iteration count exceeds|evaluation hit maximum step limit"

# count_nodes MODEL: how many nodes it has, by the tool that reads it at run time; nothing if that cannot tell.
count_nodes() {
  own=$(printf '%s\n' "$cxx" | sed 's/ -fconstexpr-[a-z-]*=[0-9]*//g') # the tool needs no limits but the compiler's own
  CXX=$own sh "$root/examples/inspect.sh" "$1" --format json 2> /dev/null | sed -n 's/^  "totals": {"nodes": \([0-9]*\),.*/\1/p'
}
