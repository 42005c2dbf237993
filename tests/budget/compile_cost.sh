#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Measures the cost of compiling by the size of a program, and draws docs/compile_cost.svg:
#   sh tests/budget/compile_cost.sh            measures, writes tests/budget/compile_cost.txt, and draws; takes minutes
#   sh tests/budget/compile_cost.sh --draw     only draws
# Measures the user seconds of $CXX or g++, including the headers, in one run each:
#   nodes    a program with residual links is built and partitioned by support (partitioning_in_a_constant.cpp). Above 1,000 nodes, it
#            raises the limits of the compiler, as users must.
#   weights  an ONNX model with one addition and this number of bytes of weights is read, transformed and planned (gates.cpp).
set -eu
cd "$(dirname "$0")/../.."

figures=tests/budget/compile_cost.txt
work=build/budget/compile_cost
mkdir -p "$work"
compiler=${CXX:-g++}

# Prints the user seconds of a compilation.
seconds() { # OPTION...
  sh -c '"$@" > "$0" 2>&1 || { cat "$0" >&2; exit 1; }; times' "$work/log" "$compiler" -std=c++20 -Iinclude -fsyntax-only "$@" |
    awk 'NR == 2 { gsub("s", ""); split($1, own, "m"); printf "%.2f\n", 60 * own[1] + own[2] }'
}
measure() {
  # REUSE-IgnoreStart
  echo '# SPDX-FileCopyrightText: The Baton authors'
  echo '# SPDX-License-Identifier: Apache-2.0'
  # REUSE-IgnoreEnd
  echo "# Written by compile_cost.sh: kind, size, user seconds of $("$compiler" --version | head -n 1)"
  for nodes in 10 30 100 300 1000 3000 10000; do
    limits=
    if [ $nodes -gt 1000 ]; then limits='-fconstexpr-ops-limit=4000000000 -fconstexpr-loop-limit=10000000'; fi
    # shellcheck disable=SC2086 # a list of options
    echo "nodes $nodes $(seconds -DNODES=$nodes -DPARTITIONER=by_support $limits tests/budget/partitioning_in_a_constant.cpp)"
  done
  "$compiler" -std=c++20 -Iinclude -Itests tests/budget/compile_cost_model.cpp -o "$work/write_model"
  for bytes in 1000 10000 100000 1000000 10000000; do
    "$work/write_model" weights $bytes "$work/model.onnx"
    cmake "-DINPUT=$work/model.onnx" "-DOUTPUT=$work/gated_model.hpp" -DNAME=gated_model -P cmake/embed_file.cmake
    echo "weights $bytes $(seconds "-I$work" tests/budget/gates.cpp)"
  done
}
if [ "${1-}" != --draw ]; then
  measure > "$work/figures.txt"
  cp "$work/figures.txt" $figures
  cat $figures
fi

awk '
  function log10(x) { return log(x) / log(10) }
  function x_of(panel, size) { return 60 + 400 * panel + 300 * (log10(size) - low[panel]) / (high[panel] - low[panel]) }
  function y_of(elapsed) { return 260 - 210 * (log10(elapsed < 0.1 ? 0.1 : elapsed) + 1) / 3 }
  function with_commas(n) { n = sprintf("%d", n); while (match(n, /[0-9][0-9][0-9][0-9]($|,)/)) n = substr(n, 1, RSTART) "," substr(n, RSTART + 1); return n }
  $1 == "nodes" || $1 == "weights" { count[$1]++; size[$1, count[$1]] = $2; elapsed[$1, count[$1]] = $3 }
  END {
    split("nodes weights", kinds, " "); title[0] = "nodes"; title[1] = "bytes of weights"
    low[0] = 1; high[0] = 4; low[1] = 3; high[1] = 7
    # REUSE-IgnoreStart
    print "<!-- SPDX-FileCopyrightText: The Baton authors -->"
    print "<!-- SPDX-License-Identifier: Apache-2.0 -->"
    # REUSE-IgnoreEnd
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 310\" font-family=\"sans-serif\" font-size=\"12\">"
    print "<title>Compile time by nodes and by bytes of weights</title>"
    print "<rect width=\"800\" height=\"310\" fill=\"white\"/>"
    for (panel = 0; panel < 2; ++panel) {
      for (power = -1; power <= 2; ++power) {
        y = y_of(10 ^ power)
        printf "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", 60 + 400 * panel, 360 + 400 * panel, y, y
        printf "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g s</text>\n", 54 + 400 * panel, y + 4, 10 ^ power
      }
      for (power = low[panel]; power <= high[panel]; ++power) {
        x = x_of(panel, 10 ^ power)
        printf "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"50\" y2=\"260\" stroke=\"#ddd\"/>\n", x, x
        printf "<text x=\"%.1f\" y=\"277\" text-anchor=\"middle\">%s</text>\n", x, with_commas(10 ^ power)
      }
      printf "<text x=\"%d\" y=\"298\" text-anchor=\"middle\">%s</text>\n", 210 + 400 * panel, title[panel]
      kind = kinds[panel + 1]; points = ""
      for (i = 1; i <= count[kind]; ++i) points = points sprintf("%.1f,%.1f ", x_of(panel, size[kind, i]), y_of(elapsed[kind, i]))
      printf "<polyline points=\"%s\" fill=\"none\" stroke=\"#0060a0\" stroke-width=\"2\"/>\n", points
      for (i = 1; i <= count[kind]; ++i) {
        printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"#0060a0\"><title>%s: %s s</title></circle>\n", x_of(panel, size[kind, i]), y_of(elapsed[kind, i]), with_commas(size[kind, i]), elapsed[kind, i]
      }
    }
    print "<text x=\"60\" y=\"30\">User seconds of compiling, including the headers</text>"
    print "</svg>"
  }' $figures > "$work/plot.svg"
mv "$work/plot.svg" docs/compile_cost.svg
echo "docs/compile_cost.svg is drawn"
