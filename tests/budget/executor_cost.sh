#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Prints the compile time of executors by stage: sh tests/budget/executor_cost.sh [MODEL...]
# Without models, the models are generated (compile_cost_model.cpp). The script then also prints the cost of a node and of a megabyte of weights.
# Each number is the user seconds of $CXX or g++ with $CXXFLAGS or -fsyntax-only: the minimum of $RUNS or 3 runs, alternating between the
# stages. Columns:
#   headers  the headers alone
#   reading  reading the model and the default passes, without the headers
#   planning the choice of kernels and the memory plan
#   running  the code of all nodes, and their constants
set -eu
cd "$(dirname "$0")/../.."

mkdir -p build/budget
work=$(mktemp -d build/budget/executor_cost.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
compiler=${CXX:-g++}

# Prints the user seconds of a compilation.
seconds() { # STAGE
  # shellcheck disable=SC2016,SC2086 # expanded by the inner shell; a list of options
  sh -c '"$@" > "$0" 2>&1 || { cat "$0" >&2; exit 1; }; times' "$work/log" \
    "$compiler" -std=c++20 -Iinclude "-I$work" "-DSTAGE=$1" ${CXXFLAGS:--fsyntax-only} -o /dev/null tests/budget/executor_cost.cpp |
    awk 'NR == 2 { gsub("s", ""); split($1, own, "m"); printf "%.3f\n", 60 * own[1] + own[2] }'
}
measure() { # NAME FILE
  cmake "-DINPUT=$2" "-DOUTPUT=$work/gated_model.hpp" -DNAME=gated_model -P cmake/embed_file.cmake
  run=0
  while [ $run -lt "${RUNS:-3}" ]; do
    for stage in 0 1 2 3; do
      elapsed=$(seconds $stage)
      echo "$stage $elapsed"
    done
    run=$((run + 1))
  done > "$work/runs"
  if [ "$(wc -l < "$work/runs")" -ne $((4 * run)) ]; then exit 1; fi
  awk -v name="$1" '
    !($1 in best) || $2 < best[$1] { best[$1] = $2 }
    END { printf "%-28s %8.2f %8.2f %8.2f %8.2f %8.2f\n", name, best[0], best[1] - best[0], best[2] - best[1], best[3] - best[2], best[3] }' \
    "$work/runs" | tee -a "$work/table"
}

printf '%-28s %8s %8s %8s %8s %8s\n' model headers reading planning running sum
if [ $# -gt 0 ]; then
  for model; do measure "$(basename "$model")" "$model"; done
  exit
fi
"$compiler" -std=c++20 -Iinclude -Itests tests/budget/compile_cost_model.cpp -o "$work/write_model"
for each in additions.25 additions.200 convolutions.25 convolutions.100 weights.4000 weights.4004000; do
  "$work/write_model" "${each%.*}" "${each#*.}" "$work/model.onnx"
  measure "$each" "$work/model.onnx"
done
awk '
  NR == 1 || $2 < headers { headers = $2 }
  { split($1, of, "."); kind[NR] = of[1]; size[NR] = of[2]; elapsed[NR] = $6 - $2 }
  END {
    for (i = 2; i <= NR; i += 2) {
      slope = (elapsed[i] - elapsed[i - 1]) / (size[i] - size[i - 1])
      if (kind[i] == "weights") printf "weights: %.2f s a megabyte, %.1f %% of the headers\n", 1e6 * slope, 1e8 * slope / headers
      else printf "%s: %.1f ms a node, %.2f %% of the headers\n", kind[i], 1e3 * slope, 100 * slope / headers
    }
  }' "$work/table"
