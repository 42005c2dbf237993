#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Shows what is in a model, who would take which part and why not, and where values would lie:
# sh examples/inspect.sh MODEL [--partitioner NAME] [--policy NAME] [--signature NAME] [--format text|json|dot|html] [-o FILE]
# The partitioners are those of examples/choices: none, npu and others. The policies plan the memory: no_overlap, no_reuse, in_place and stream.
# A model that has several entry points lists them; the default one is shown, or the one that --signature names.
# Everything happens at run time, by the functions that the compiler runs for a firmware. The tool is built when its sources have changed.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/examples/build.sh"

if [ $# = 0 ]; then
  echo "usage: sh examples/inspect.sh MODEL [--partitioner $(choices | paste -sd '|' -)] [--policy no_overlap|apart|overlap|stream] [--signature NAME] [--format text|json|dot|html] [-o FILE]" >&2
  exit 2
fi
folder=$root/build/inspect
mkdir -p "$folder"
need_compiler
flags="-std=c++20 -O1" # it is compiled more often than it has much to do
print=$(fingerprint inspect.cpp)
if ! is_fresh "$folder" "$print"; then
  rm -f "$folder/fingerprint"
  compile inspect.cpp "$folder" || fail "the tool does not compile; see $folder/compile.log"
  printf '%s\n' "$print" > "$folder/fingerprint"
fi
"$folder/program" "$@"
