#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Converts the networks of networks.py, runs them with the portable kernels, and writes the table of docs/zoo.md:
# sh tests/networks/run.sh [NETWORK...]
# With names, prints the rows of these networks and does not change the page. Needs python3 with venv, access to PyPI for tensorflow-cpu (or
# PYTHON=... for an interpreter that has it), and g++ or $CXX. Takes ten minutes.
set -eu
cd "$(dirname "$0")/../.."
work=build/networks
mkdir -p $work
if [ -z "${PYTHON:-}" ]; then
  PYTHON=$work/venv/bin/python
  if [ ! -x "$PYTHON" ]; then
    echo "== installing tensorflow-cpu in $work/venv"
    python3 -m venv $work/venv
    $work/venv/bin/pip install --quiet 'tensorflow-cpu==2.21.*'
  fi
fi
rm -f $work/*.tflite $work/*.in $work/*.out
echo "== converting" >&2
"$PYTHON" tests/networks/networks.py $work "$@" > $work/python.log 2>&1 || { tail -n 5 $work/python.log >&2; exit 1; }
cat $work/refused.txt >&2
echo "== compiling" >&2
"${CXX:-g++}" -std=c++20 -O1 -Iinclude -Itests tests/networks/networks.cpp -o $work/networks
$work/networks $work/*.tflite > $work/results.txt

# One row per network, in the order of networks.py.
awk -F '\t' '
  FILENAME ~ /refused/ { split($1, word, " "); cell[word[1]] = "not converted"; next }
  FILENAME ~ /results/ { cell[$1] = $2; next }
  /^def [a-z]/ { name = $1; sub(/^def /, "", name); sub(/\(.*/, "", name)
    if (!((name ".float32") in cell)) next
    print "| `" name "` | " cell[name ".float32"] " | " cell[name ".dynamic"] " | " cell[name ".int8"] " | " cell[name ".int16"] " |" }
' $work/refused.txt $work/results.txt tests/networks/networks.py > $work/rows.md
if [ $# != 0 ]; then
  cat $work/rows.md
  exit 0
fi
# The rows are between the heading of the table and the next empty line.
awk '/^\| network/ { mine = 1 } mine && /^\|---/ { print; table = 1; mine = 0; while ((getline row < rows) > 0) print row; next }
  table && /^\|/ { next } { table = 0; print }' rows=$work/rows.md docs/zoo.md > $work/zoo.md
mv $work/zoo.md docs/zoo.md
echo "wrote the table of docs/zoo.md"
