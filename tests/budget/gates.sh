#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Compares the costs of models with tests/budget/gates.json, whose tolerance is 2 %:
#   sh tests/budget/gates.sh [MODEL...]                 the rows "compile" of all models, or of the given ones
#   sh tests/budget/gates.sh --on-request [MODEL...]    the rows "on_request"; takes minutes
#   sh tests/budget/gates.sh --write [--on-request] [MODEL...]
#                                                       measures the rows by bisection, within 0.5 %, and writes the file; takes minutes
# Rows of the file, one per line:
# - "compile": the smallest limit of constant evaluation that compiles the model: reading, the default passes, and the executor. The limit
#   applies to each constant, so it is the cost of the most expensive one. The limits are those of GCC 12 (-fconstexpr-ops-limit) and of
#   Clang 16 (-fconstexpr-steps) with libstdc++ 12. A limit of more than three quarters of the compiler's default fails, too, because
#   docs/install.md promises this. "instantiations" is the number of templates that Clang instantiates for the model (-ftime-trace), without
#   those of the headers.
# - "on_request": the same for rows that CI does not compare, because they take too long. "instructions" is the number of instructions that
#   GCC executes for the model and the headers (valgrind).
# - "cortex_m": the cost of one inference on a Cortex-M; cortex_m.sh measures these rows.
# To add a row, write it with the limit 0, and call --write with the model. Rows of compilers or models that are missing are skipped.
set -eu
cd "$(dirname "$0")/../.."

gates=tests/budget/gates.json
mkdir -p build/budget
work=$(mktemp -d build/budget/gates.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

write='' kind=compile counted=instantiations option=''
if [ "${1-}" = --write ]; then
  write=yes
  shift
fi
if [ "${1-}" = --on-request ]; then
  kind=on_request counted=instructions option="--on-request "
  shift
  if ! command -v valgrind > /dev/null; then
    echo "gates.sh: --on-request needs valgrind (Debian: apt-get install valgrind)" >&2
    exit 2
  fi
fi
chosen=$*
for model in $chosen; do
  if ! grep -q "\"model\": \"$model\"" $gates; then
    echo "gates.sh: $gates has no row of the model $model" >&2
    exit 2
  fi
done
is_chosen() { # MODEL
  [ -z "$chosen" ] || case " $chosen " in *" $1 "*) ;; *) return 1 ;; esac
}

# Prints the rows of a kind: the values of each, separated by spaces.
rows() { # KIND
  sed -n "s/^ *{ \"gate\": \"$1\", \(.*\) },\{0,1\}\$/\1/p" $gates | sed 's/"[a-z_]*": //g; s/[",]//g'
}
file_of() { # MODEL
  for file in "../shared/models/$1.tflite" "../shared/formats/$1/model.onnx" "examples/digits/$1.tflite"; do
    if [ -f "$file" ]; then
      echo "$file"
      return
    fi
  done
}
# Generates the header of a model. Returns 1 if the compiler or the model is missing.
prepare() { # MODEL COMPILER
  if ! command -v "$2" > /dev/null || [ -z "$(file_of "$1")" ]; then
    echo "$1 $2: skipped, because the compiler or the model is missing"
    return 1
  fi
  if [ ! -f "$work/$1/gated_model.hpp" ]; then
    mkdir -p "$work/$1"
    cmake "-DINPUT=$(file_of "$1")" "-DOUTPUT=$work/$1/gated_model.hpp" -DNAME=gated_model -P cmake/embed_file.cmake
  fi
}
compile() { # MODEL COMPILER OPTION...
  model=$1 compiler=$2
  shift 2
  "$compiler" -std=c++20 -O0 -Iinclude "-I$work/$model" "$@" tests/budget/gates.cpp > "$work/log" 2>&1 < /dev/null
}
# True if the model compiles with this limit. The headers take most of the time of a compilation, so the first call precompiles them, with its
# limit.
compiles() { # MODEL COMPILER LIMIT OPTION...
  case $2 in clang*) limited=-fconstexpr-steps=$3 ;; *) limited=-fconstexpr-ops-limit=$3 ;; esac
  headers=$work/$2/baton.hpp
  if [ ! -f "$headers.gch" ]; then
    mkdir -p "$work/$2"
    "$2" -std=c++20 -O0 -Iinclude "$limited" -x c++-header include/baton/baton.hpp -o "$headers.gch" > "$work/log" 2>&1 < /dev/null || return
  fi
  model=$1 compiler=$2
  shift 3
  compile "$model" "$compiler" -fsyntax-only -Wfatal-errors "$limited" -include "$headers" "$@"
}
default_of() { case $1 in clang*) echo 1048576 ;; *) echo 33554432 ;; esac; }
# Compiles with this limit, and prints the number of instantiated classes and functions, or of instructions.
count_of() { # MODEL COMPILER LIMIT
  if [ $kind = on_request ]; then
    compile "$1" "$2" -fsyntax-only "-fconstexpr-ops-limit=$3" --param=ggc-min-heapsize=1048576 \
      -wrapper "valgrind,--tool=cachegrind,--cache-sim=no,--cachegrind-out-file=/dev/null,--log-file=$work/count" || return 1
    sed -n 's/^.* I *refs: *//p' "$work/count" | tr -d ,
    return
  fi
  compiles "$1" "$2" "$3" "-ftime-trace=$work/trace.json" -ftime-trace-granularity=0 || return 1
  grep -o '"name":"Instantiate\(Class\|Function\)"' "$work/trace.json" | wc -l
}

if [ -n "$write" ]; then
  {
    printf '{\n  "tolerance_percent": 2,\n  "rows": [\n'
    if [ $kind = on_request ]; then grep '"gate": "compile"' $gates; fi
    rows $kind | while read -r model compiler limit count; do
      if is_chosen "$model" && prepare "$model" "$compiler" >&2; then
        upper=$(default_of "$compiler") lower=0
        # The old limit is close, so the search begins there.
        for percent in 101 99 104 96 116 84; do
          next=$((limit * percent / 100))
          if [ "$limit" = 0 ] || [ "$next" -le "$lower" ] || [ "$next" -ge "$upper" ]; then continue; fi
          if compiles "$model" "$compiler" "$next"; then upper=$next; else lower=$next; fi
        done
        while [ $(((upper - lower) * 200)) -gt "$upper" ]; do
          next=$(((upper + lower) / 2))
          if compiles "$model" "$compiler" "$next"; then upper=$next; else lower=$next; fi
        done
        limit=$upper
        if [ -n "$count" ]; then count=$(count_of "$model" "$compiler" "$upper"); fi
      fi
      echo "    { \"gate\": \"$kind\", \"model\": \"$model\", \"compiler\": \"$compiler\", \"limit\": $limit${count:+, \"$counted\": $count} },"
    done
    if [ $kind = compile ]; then grep '"gate": "on_request"' $gates; fi
    grep '"gate": "cortex_m"' $gates
    printf '  ]\n}\n'
  } > "$work/gates.json"
  mv "$work/gates.json" $gates
  cat $gates
  exit 0
fi

status=0
fail() { # MESSAGE
  echo "$1; if this is intended, run: sh tests/budget/gates.sh --write $option$model" >&2
  status=1
}
# The smallest limit of each compiler first: it applies to the headers.
rows $kind | sort -n -k 3 > "$work/rows"
while read -r model compiler limit count; do
  is_chosen "$model" && prepare "$model" "$compiler" || continue
  default=$(default_of "$compiler")
  echo "$model $compiler: needs the limit $limit for constant evaluation, $((100 * limit / default)) % of the default${count:+; $count $counted}"
  if [ $((4 * limit)) -gt $((3 * default)) ]; then fail "$model $compiler: needs more than three quarters of the default limit for constant evaluation"; fi
  high=$((limit + limit / 50))
  now=''
  if if [ -n "$count" ]; then ! now=$(count_of "$model" "$compiler" $high); else ! compiles "$model" "$compiler" $high; fi; then
    grep -m 1 error: "$work/log" >&2 || true
    fail "$model $compiler: needs a limit above $high"
  fi
  if compiles "$model" "$compiler" $((limit - limit / 50)); then fail "$model $compiler: needs only a limit below $((limit - limit / 50))"; fi
  if [ -n "$now" ] && { [ $((100 * now)) -gt $((102 * count)) ] || [ $((100 * now)) -lt $((98 * count)) ]; }; then
    fail "$model $compiler: $now $counted, which differs from $count by more than 2 %"
  fi
done < "$work/rows"
exit $status
