#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Compiles many models in four ways, and compares the objects: sh examples/scale/run.sh [COUNT [CMAKE_ARGUMENT...]]
# COUNT is the number of models, 100 by default. They are variants of examples/digits/digits_int8.tflite with other weights. The arguments
# are passed to CMake, as in -DCMAKE_CXX_FLAGS=-DNDEBUG.
#   local   this machine, one job per core
#   one     ccache with an empty cache, and distcc with one worker, a daemon that compiles one file at a time
#   two     ccache with another empty cache, and distcc with two workers
#   cached  no worker, in another folder, with the cache of `two`
# The workers listen on the port $PORT (default 3700) of 127.0.0.1 and 127.0.0.2. Prints the seconds of each build, and how many models each
# worker compiled. Fails unless the workers compiled each model once, the cache had all of them, and each object equals that of the local
# build. All files are in build/scale. Needs cmake, ninja-build, g++, libboost-dev, ccache and distcc. Takes many minutes.
set -eu
cd "$(dirname "$0")/../.."
count=${1:-100}
[ $# = 0 ] || shift
port=${PORT:-3700}
work=$PWD/build/scale
export LC_ALL=C

fail() {
  printf 'scale: %s\n' "$*" >&2
  exit 1
}
for program in cmake ninja g++ ccache distcc distccd; do
  command -v $program > /dev/null || fail "$program is not installed; on Debian: apt-get install cmake ninja-build g++ libboost-dev ccache distcc"
done

daemons=""
stop_workers() {
  for daemon in $daemons; do
    { kill "$daemon" && wait "$daemon"; } 2> /dev/null || :
  done
  daemons=""
}
trap stop_workers EXIT
trap 'exit 1' HUP INT TERM

# start_workers ADDRESS...: starts a daemon on each address, and sets $DISTCC_HOSTS. A worker has a second file ready while it compiles.
start_workers() {
  DISTCC_HOSTS=""
  for address in "$@"; do
    distccd --daemon --no-detach --listen "$address" --port "$port" --allow 127.0.0.0/8 --jobs 1 --log-stderr --log-level=info 2> "$work/$address.log" &
    daemons="$daemons $!"
    DISTCC_HOSTS="$DISTCC_HOSTS $address:$port/2"
    until grep -q "listening on $address" "$work/$address.log"; do
      kill -0 $! 2> /dev/null || fail "no worker on $address: $(tail -n 1 "$work/$address.log")"
      sleep 0.1
    done
  done
}
compiled_by() { grep -c ' COMPILE_OK ' "$work/$1.log" || :; }

# build NAME JOBS [CMAKE_ARGUMENT...]: builds in $work/NAME, and sets $seconds.
build() {
  name=$1 jobs=$2
  shift 2
  rm -rf "${work:?}/$name"
  cmake -S examples/scale -B "$work/$name" -G Ninja -DCMAKE_BUILD_TYPE=Release "-DMODELS=$work/models" "$@" > "$work/$name.log" 2>&1 ||
    fail "cannot configure: $(tail -n 5 "$work/$name.log")"
  seconds=$(date +%s)
  cmake --build "$work/$name" -j "$jobs" > "$work/$name.log" 2>&1 || fail "cannot build: $(tail -n 5 "$work/$name.log")"
  seconds=$(($(date +%s) - seconds))
}
objects() { (cd "$work/$1" && find CMakeFiles/models.dir -name '*.o*' -type f | sort); }
# compare NAME: stops unless the objects of the build equal those of the local build.
compare() {
  [ "$(objects "$1")" = "$(objects local)" ] || fail "the builds local and $1 have different lists of objects"
  for object in $(objects local); do
    cmp "$work/local/$object" "$work/$1/$object" || fail "the builds local and $1 differ"
  done
}
row() { printf '%-52s %5s s\n' "$1" "$seconds"; }

mkdir -p "$work"
rm -rf "$work/models" "$work/cache_one" "$work/cache_two"
mkdir "$work/models"
g++ -std=c++20 -Iinclude examples/scale/vary.cpp -o "$work/vary"
"$work/vary" examples/digits/digits_int8.tflite "$count" "$work/models"
echo "$count models, $(nproc) cores"

build local "$(nproc)" "$@"
row "local, $(nproc) jobs"
[ "$(objects local | wc -l)" = "$count" ] || fail "$count models, but $(objects local | wc -l) objects"

# A failure must not be hidden by a local compilation.
export DISTCC_FALLBACK=0 DISTCC_DIR="$work/distcc" DISTCC_HOSTS
# Relative paths, so that the cache is valid in all folders.
export CCACHE_DIR CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=true
mkdir -p "$DISTCC_DIR"
for workers in one two; do
  CCACHE_DIR=$work/cache_$workers
  if [ $workers = one ]; then addresses=127.0.0.1 jobs=2; else addresses="127.0.0.1 127.0.0.2" jobs=4; fi
  # shellcheck disable=SC2086 # a list of words
  start_workers $addresses
  export CCACHE_PREFIX=distcc
  build $workers $jobs -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "$@"
  unset CCACHE_PREFIX
  stop_workers
  shares="" sum=0
  for address in $addresses; do
    shares="$shares, $(compiled_by "$address") on $address"
    sum=$((sum + $(compiled_by "$address")))
  done
  row "$workers: ${shares#, }"
  [ "$sum" = "$count" ] || fail "the workers compiled $sum of $count models"
  compare $workers
done

DISTCC_HOSTS=""
ccache --zero-stats > /dev/null
build cached "$(nproc)" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "$@"
missed=$(ccache --print-stats | awk '$1 == "cache_miss" { print $2 }')
row "cached: $missed misses"
[ "$missed" = 0 ] || fail "the cache did not have $missed of $count models"
compare cached
echo "each object equals that of the local build"
