#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: baton inspect MODEL [--partitioner NAME] [--policy NAME] [--signature NAME] [--dimension NAME=SIZE]...
#          [--etrecord FILE] [--etdump FILE] [--format text|json|dot|html] [-o FILE] [--html FILE]
#
# Prints a report of a model: its operators, the delegated nodes, why other nodes are not delegated, and the memory plan. The program
# evaluates at run time the functions that the compiler evaluates for firmware.
# --partitioner  none (default), or the name of another file in examples/choices, such as npu. A partitioner for a vendor's library needs
#                the headers of the library, and a compiler
# --policy       no_overlap (default), no_reuse, in_place or row_streaming: plans the memory
# --signature    an entry point; the report lists them if the model has several
# --dimension    the size of a symbolic dimension of an ONNX model or of an archive of torch.export
# --etrecord     the file that ExecuTorch's generate_etrecord wrote for an ExecuTorch program: lists the lines of Python
# --etdump       the file that ExecuTorch's ETDumpGen wrote in runs of an ExecuTorch program: lists the measured times, with the lines of Python
# --html FILE    short for --format html -o FILE
# Files with tensors of a model are read from its folder. For an ONNX model, an ExecuTorch program or a program of torch.export, the report
# also lists the nodes of the file. If it is quantized, the report counts the nodes that compute on integers, and lists those that compute
# in float32, with the reasons. For a program of torch.export with stack traces, it lists the lines of Python, each with its nodes. For an
# ExecuTorch program, it compares the memory that ExecuTorch planned with the arena of each method.
# Exit status: 0: success. 1: the model cannot be read or lowered, a name is unknown, or a file cannot be written. 2: wrong usage.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/tools/build.sh"

if [ $# = 0 ]; then usage "no model is given"; fi
# An installed command has a tool with only the choices that need no library.
partitioner='' previous=''
for word in "$@"; do
  case $previous in --partitioner) partitioner=$word ;; esac
  case $word in --partitioner=*) partitioner=${word#*=} ;; esac
  previous=$word
done
if [ -f "$root/examples/choices/$partitioner.hpp" ] && [ -n "$(choice_fact "$partitioner" needs-header)" ]; then build_tool inspect; else find_tool inspect; fi
exec "$tool_program" "$@"
