#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Generates models of one node, and their reference outputs: sh tests/nodes/make.sh [FAMILY...]
# tests/nodes/FAMILY.py lists the cases of a family. Each case becomes FAMILY/CASE.tflite, written with the schema's own writer, and
# CASE.golden: the inputs and outputs of each inference in the Python package of TensorFlow Lite Micro, or of TensorFlow Lite for operators
# that Micro lacks. Needs Python 3 and PyPI. The generated files are committed, so that tests need neither.
set -eu
cd "$(dirname "$0")"
python=../../build/nodes/bin/python
if [ ! -x $python ]; then
  python3 -m venv ../../build/nodes
  $python -m pip install -q tflite-micro==0.dev20261023182759 numpy==2.4.6 flatbuffers==25.12.19 ai-edge-litert==2.3.0
fi
families=${*:-$(ls *.py | sed 's/\.py$//' | grep -v '^nodes$')}
for family in $families; do
  rm -rf "$family"
  mkdir "$family"
  PYTHONDONTWRITEBYTECODE=1 $python "$family.py" 2> "$family.log" || { cat "$family.log" >&2; exit 1; }
  rm "$family.log"
  echo "$family: $(ls "$family"/*.tflite | wc -l) cases, $(du -sk "$family" | cut -f1) KiB"
done
