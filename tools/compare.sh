#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: baton compare MODEL [--partitioners NAME,...] [--policies NAME,...] [--input INPUT.bin [--board NAME] [--kernels LIST,...]]
#
# Prints a table with a row for each partitioner and memory policy: the bytes of the arena, and how many nodes each backend and the kernels
# compute.
# --partitioners  default: none. Others are those of `baton inspect`
# --policies      default: no_overlap,no_reuse,in_place,row_streaming
# --input         an input of the model. `baton firmware` then measures each row, for each list of kernels: bytes of flash, and
#                 instructions of one inference. This needs its compiler and QEMU, and its backends are the partitioners
# --board         default: mps2-an386
# --kernels       lists of kernels for --input; default: portable,cortex_m
# Exit status: 0: success. 1: the model cannot be read, a name is unknown, or a row could not be computed; the other rows are printed.
# 2: wrong usage.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/tools/common.sh"

model='' partitioners=none policies=no_overlap,no_reuse,in_place,row_streaming input='' board=mps2-an386 lists=portable,cortex_m
while [ $# -gt 0 ]; do
  case $1 in
    --partitioners | --policies | --input | --board | --kernels)
      if [ $# -lt 2 ] || [ -z "$2" ]; then usage "no value is given for $1"; fi
      case $1 in --partitioners) partitioners=$2 ;; --policies) policies=$2 ;; --input) input=$2 ;; --board) board=$2 ;; --kernels) lists=$2 ;; esac
      shift
      ;;
    *) take_model "$1" ;;
  esac
  shift
done
if [ -z "$model" ]; then usage "no model is given"; fi
need_file "$model"
if [ -n "$input" ]; then need_file "$input"; fi

work=$(mktemp -d "${TMPDIR:-/tmp}/baton.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
status=0
words() { printf '%s\n' "$1" | tr , ' '; }

# row PARTITIONER KERNELS POLICY ARENA FLASH INSTRUCTIONS COMPUTED_BY: adds a row.
row() {
  if [ -n "$input" ]; then printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$@"; else printf '%s\t%s\t%s\t%s\n' "$1" "$3" "$4" "$7"; fi >> "$work/rows"
}

# nodes: prints the nodes of each backend or list of kernels, from a report.
nodes() {
  sed -n 's/^    {"computed_by": "\([^"]*\)", .*"delegates": [0-9]*, "nodes": \([0-9]*\),.*/\1 \2/p' "$work/report" | paste -sd , - | sed 's/,/, /g'
}

row partitioner kernels policy arena flash instructions "nodes computed by"
for partitioner in $(words "$partitioners"); do
  for policy in $(words "$policies"); do
    progress "planning: $partitioner, $policy"
    if ! sh "$root/tools/inspect.sh" "$model" --partitioner "$partitioner" --policy "$policy" --format json > "$work/report"; then
      status=1
      continue
    fi
    arena=$(sed -n 's/^  "memory": {"arena_bytes": \([0-9]*\),.*/\1/p' "$work/report")
    computed_by=$(nodes)
    if [ -z "$input" ]; then
      row "$partitioner" portable "$policy" "${arena:--}" - - "$computed_by"
      continue
    fi
    backend=$partitioner
    if [ "$backend" = none ]; then backend=portable; fi
    for kernels in $(words "$lists"); do
      progress "measuring: $kernels kernels, $policy, on $board"
      if ! sh "$root/tools/firmware.sh" "$model" "$input" "$work/output" --board "$board" --backend "$backend" --kernels "$kernels" --policy "$policy" > "$work/said"; then
        status=1
        continue
      fi
      row "$partitioner" "$kernels" "$policy" "$(sed -n 's/^RAM: .*(arena \([0-9]*\),.*/\1/p' "$work/said")" "$(sed -n 's/^flash: \([0-9]*\) .*/\1/p' "$work/said")" \
        "$(sed -n 's/^instructions of one inference: \([0-9]*\).*/\1/p' "$work/said")" "$(printf '%s\n' "$computed_by" | sed 's/portable kernels/kernels/')"
    done
  done
done
# Numbers are aligned to the right, words to the left.
awk -F '\t' '
  { for (i = 1; i <= NF; i++) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) } }
  END {
    for (r = 1; r <= NR; r++) {
      line = ""
      for (i = 1; i <= NF; i++) line = line (i > 1 ? "  " : "") (i == NF ? cell[r, i] : sprintf("%" (cell[NR, i] ~ /^[0-9-]+$/ ? "" : "-") width[i] "s", cell[r, i]))
      print line
    }
  }' "$work/rows"
exit $status
