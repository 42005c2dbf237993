# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Shell functions of the commands that compile for a Cortex-M. Source build.sh before this file.
# shellcheck shell=sh disable=SC2034,SC2154 # variables of the scripts

# need_tool PROGRAM PACKAGES: stops unless the program is installed.
need_tool() { command -v "$1" > /dev/null || fail "there is no $1; install it (apt-get install $2)"; }

# use_core CORE: selects the compiler for a core, as Cortex-M4. Sets $cxx, $cpu (the flags of the core), $core_includes (flags of a Clang),
# and $boost_links, a folder of headers that contains only Boost.
use_core() {
  case $1 in
    Cortex-M0) cpu="-mcpu=cortex-m0" ;;
    Cortex-M3) cpu="-mcpu=cortex-m3" ;;
    Cortex-M4) cpu="-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16" ;;
    Cortex-M7) cpu="-mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-sp-d16" ;;
    Cortex-M33) cpu="-mcpu=cortex-m33 -mfloat-abi=hard -mfpu=fpv5-sp-d16" ;;
    Cortex-M55) cpu="-mcpu=cortex-m55 -mfloat-abi=hard" ;;
    *) fail "there is no core $1; there are: Cortex-M0 Cortex-M3 Cortex-M4 Cortex-M7 Cortex-M33 Cortex-M55" ;;
  esac
  cpu="$cpu -mthumb"
  need_tool arm-none-eabi-g++ "gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib"
  cxx=${CXX:-arm-none-eabi-g++}
  need_compiler
  case $cxx in
    *clang*) ;;
    *) case $($cxx -dumpmachine) in arm-none-eabi) ;; *) fail "$cxx compiles for $($cxx -dumpmachine); a firmware needs arm-none-eabi-g++ or a Clang" ;; esac ;;
  esac
  find_boost
  need_cache
  # A link to Boost only, because the other headers of that folder belong to another C library.
  boost_links=$build/cortex_m/include
  mkdir -p "$boost_links"
  [ "$(readlink "$boost_links/boost")" = "$boost_folder/boost" ] || ln -sfn "$boost_folder/boost" "$boost_links/boost"
  core_includes=''
  case $cxx in
    *clang*)
      core_includes="--target=arm-none-eabi -nostdlibinc"
      # shellcheck disable=SC2086 # lists of words
      for header_folder in $(LC_ALL=C arm-none-eabi-g++ $cpu -xc++ -E -v /dev/null 2>&1 | sed -n '/^#include <...>/,/^End/s/^ //p'); do
        # Clang has its own versions of the headers in lib/gcc.
        header_folder=$(cd "$header_folder" && pwd -P)
        case $header_folder in */lib/gcc/*) ;; *) core_includes="$core_includes -isystem $header_folder" ;; esac
      done
      ;;
  esac
}
