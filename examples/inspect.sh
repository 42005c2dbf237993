#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Prints a report of a model: its operators, the delegated nodes, why other nodes are not delegated, and the memory plan:
# sh examples/inspect.sh MODEL [--partitioner NAME] [--policy NAME] [--signature NAME] [--dimension NAME=SIZE]...
#   [--format text|json|dot|html] [-o FILE]
# The partitioners are those of examples/choices: none, npu and others. The policies for the memory plan are no_overlap, no_reuse, in_place
# and row_streaming. --signature selects an entry point; the report lists them if the model has several. --dimension sets the size of a
# symbolic dimension of an ONNX model or of an archive of torch.export. Files with tensors of a model are read from its folder. For an ONNX
# model, the report also lists the nodes of the file, and the nodes of a quantized model that compute in float32. For an ExecuTorch program,
# it compares the memory that ExecuTorch planned with the arena of each method.
# The tool evaluates at run time the functions that the compiler evaluates for firmware. It is rebuilt if its sources have changed.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/examples/build.sh"

if [ $# = 0 ]; then
  echo "usage: sh examples/inspect.sh MODEL [--partitioner $(choices | paste -sd '|' -)] [--policy no_overlap|no_reuse|in_place|row_streaming] [--signature NAME] [--dimension NAME=SIZE]... [--format text|json|dot|html] [-o FILE]" >&2
  exit 2
fi
build_tool inspect
"$root/build/inspect/program" "$@"
