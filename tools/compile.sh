#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: baton compile MODEL -o FOLDER [--target TARGET] [--name NAME] [--policy NAME] [--kernels LIST] [--entry NAME] [--language c] [--no-object]
#          [--arena SECTION] [--backend TYPE --partitioner EXPRESSION --include FILE]
#
# Writes a model as C++: NAME.hpp is its interface, which includes nothing of Baton without --backend. NAME.cpp and NAME_bytes.hpp own the
# model, and NAME.o is the object file. Callers include NAME.hpp and link NAME.o. These are the files of the CMake function baton_model().
# --target     host (default), cortex-m0, cortex-m3, cortex-m4, cortex-m7, cortex-m33 or cortex-m55. The compiler is $CXX, else g++ or
#              arm-none-eabi-g++, with -O2 and then $CXXFLAGS
# --name       the namespace and the name of the files; default: the name of the model
# --policy     no_overlap (default), no_reuse, in_place or row_streaming: plans the memory
# --kernels    portable, cortex_m or helium; the default is that of the target. Or a C++ expression, with --include
# --entry      the name of an entry point, if the model has several
# --arena      the section of the arena: .bss, or a name that begins with .bss.
# --backend, --partitioner  lower the model, as in --backend my_npu --partitioner "my_partitioner{}" --include my_npu.hpp
# --language   c: the interface is NAME.h, for C99 and C++ (docs/c.md)
# --no-object  writes no object file, so that no compiler is needed
# Files with tensors of a model are read from its folder.
# Exit status: 0: success. 1: the model does not compile, or a file cannot be read or written; FOLDER is unchanged. 2: wrong usage.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/tools/build.sh"
. "$root/tools/cross.sh"

# absolute PATH: prints the absolute path of a file.
absolute() { case $1 in /*) printf '%s\n' "$1" ;; *) printf '%s\n' "$PWD/$1" ;; esac; }

model='' folder='' target=host name='' policy='' kernels='' entry='' arena='' language=c++ object=yes partitioner='' backends='' includes=''
while [ $# -gt 0 ]; do
  case $1 in
    -o | --target | --name | --policy | --kernels | --entry | --arena | --language | --backend | --partitioner | --include)
      if [ $# -lt 2 ] || [ -z "$2" ]; then usage "no value is given for $1"; fi
      case $1 in
        -o) folder=$2 ;;
        --target) target=$2 ;;
        --name) name=$2 ;;
        --policy) policy=$2 ;;
        --kernels) kernels=$2 ;;
        --entry) entry=$2 ;;
        --arena) arena=$2 ;;
        --language) language=$2 ;;
        --partitioner) partitioner=$2 ;;
        --backend) backends=$2 ;;
        --include) includes=$(absolute "$2") ;;
      esac
      shift
      ;;
    --no-object) object='' ;;
    *) take_model "$1" ;;
  esac
  shift
done
if [ -z "$model" ]; then usage "no model is given"; fi
if [ -z "$folder" ]; then usage "no folder is given; add -o FOLDER"; fi
if [ -n "$backends" ] && [ -z "$partitioner" ]; then usage "--backend needs --partitioner"; fi
if [ -z "$backends" ] && [ -n "$partitioner" ]; then usage "--partitioner needs --backend"; fi
case $target in
  host) core='' ;;
  cortex-m0 | cortex-m3 | cortex-m4 | cortex-m7 | cortex-m33 | cortex-m55) core=Cortex-M${target#cortex-m} ;;
  *) usage "there is no target $target" ;;
esac
case $language in c) header=h language_flags="-fno-exceptions -fno-rtti -fno-threadsafe-statics" ;; c++) header=hpp language_flags='' ;; *) usage "there is no language $language" ;; esac
case $policy in '' | no_overlap | no_reuse | in_place | row_streaming) ;; *) usage "there is no policy $policy" ;; esac
case $arena in '' | .bss | .bss.?*) ;; *) usage "the section of the arena is .bss, or begins with .bss., because start-up code clears only such sections" ;; esac
need_file "$model"
need_file "$cmake_files/keywords.cmake"
is_keyword() { sed '/^#/d' "$cmake_files/keywords.cmake" | tr -s ' ()' '\n' | grep -Fqx -e "$1"; }
if [ -n "$name" ]; then
  case $name in *[!A-Za-z0-9_]* | [0-9_]* | *__* | baton | std) fail "\"$name\" cannot be used as a namespace; give another --name" ;; esac
  if is_keyword "$name"; then fail "\"$name\" cannot be used as a namespace; give another --name"; fi
else
  name=$(name_of "$model" | tr -cs 'A-Za-z0-9\n' _ | sed 's/^_//; s/_$//')
  case $name in '' | [0-9]* | baton | std) name=model_$name ;; esac
  if is_keyword "$name"; then name=model_$name; fi
fi
if [ -e "$folder" ] && [ ! -d "$folder" ]; then fail "cannot write to $folder: it is not a folder"; fi
need_cmake
if [ -n "$object" ]; then if [ -n "$core" ]; then use_core "$core"; else need_compiler && need_hana; fi; fi
need_cache
find_files "$model"
tool_program=$(host_tool model_files ../cmake/model_main.cpp) || exit 1

# In a separate folder, so that an interrupted build leaves no incomplete files.
work=$(mktemp -d "$build/baton.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
embed "$model" "$work/${name}_bytes.hpp" "${name}_bytes"
set -- --passes baton::default_passes
number=0
while IFS= read -r location; do
  if [ -z "$location" ]; then continue; fi
  file=$(absolute "${model%"${model##*/}"}$location")
  embed "$file" "$work/${name}_file_$number.hpp" "${name}_file_$number"
  set -- "$@" --file "$file"
  number=$((number + 1))
done << END
$files
END
case $kernels in
  '') ;;
  portable) set -- "$@" --kernels baton::portable_kernels ;;
  cortex_m | helium)
    printf '#include <baton/kernels/%s_kernels.hpp>\n' "$kernels" > "$work/${name}_kernels.hpp"
    set -- "$@" --include "${name}_kernels.hpp"
    case $kernels in
      cortex_m) set -- "$@" --kernels "baton::cortex_m_kernels + baton::portable_kernels" ;;
      helium) set -- "$@" --kernels "baton::helium_kernels + baton::cortex_m_kernels + baton::portable_kernels" --include "baton/kernels/cortex_m_kernels.hpp" ;;
    esac
    ;;
  *) set -- "$@" --kernels "$kernels" ;;
esac
if [ -n "$policy" ]; then set -- "$@" --policy "baton::memory_policies::$policy"; fi
if [ "$language" = c ]; then set -- "$@" --language C; fi
if [ -n "$entry" ]; then set -- "$@" --entry "$entry"; fi
if [ -n "$arena" ]; then set -- "$@" --arena "$arena"; fi
if [ -n "$includes" ]; then set -- "$@" --include "$includes"; fi
if [ -n "$backends" ]; then set -- "$@" --backend "$backends" --partitioner "$partitioner"; fi
model=$(absolute "$model")
(cd "$work" && "$tool_program" "$model" "$name" "$name.$header" "$name.cpp" "${name}_bytes.hpp" "$@" 2> "$work/said") ||
  fail "$(sed 's/^baton_model: //' "$work/said")"
if [ -n "$object" ]; then
  progress "compiling $model with $cxx"
  if [ -n "$core" ]; then flags="-std=c++20 -O2 $cpu -fno-exceptions -fno-rtti -fno-threadsafe-statics -ffunction-sections -fdata-sections $core_includes"; fi
  log=$build/compile.log
  # shellcheck disable=SC2086 # lists of words
  if ! (cd "$work" && LC_ALL=C $cxx $flags $language_flags ${CXXFLAGS-} $collect_late ${core:+-isystem "$boost_links"} -I . -I "$root/include" -c "$name.cpp" -o "$name.o" > "$log" 2>&1); then
    explain_failure "$model" "$log"
  fi
fi
rm -f "$work/said"
put_files "$work" "$folder"
printf '%s: the interface; its names begin with %s\n' "$folder/$name.$header" "$name"
if [ -n "$object" ]; then
  # shellcheck disable=SC2086 # a compiler and its flags
  printf '%s: compiled for %s by %s %s\n' "$folder/$name.o" "$target" "$cxx" "$($cxx -dumpversion)"
else
  printf '%s: compile it with -std=c++20 -I %s\n' "$folder/$name.cpp" "$(quoted "$root/include")"
fi
