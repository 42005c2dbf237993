#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: baton evaluate MODEL FOLDER [--classes FILE] [--min-accuracy PERCENT] [--backend NAME] [--signature NAME] [--dimension NAME=SIZE]...
#
# Runs a classifier on labeled samples, and prints its accuracy and the confusion matrix. The predicted class is the index of the largest
# element of the first output.
# FOLDER has a folder for each class, which contains samples: .npy, or .bin with the raw bytes of the input. The folders are numbered in
# alphabetic order, or by their names if all names are numbers.
# --classes       a file with the names of the classes, one per line, in the order of the output, if not all classes have samples
# --min-accuracy  the exit status is 1 if the accuracy is less than this percentage
# The other options are those of `baton run`.
# Exit status: 0: success. 1: the model does not compile, a sample does not fit, or the accuracy is too low. 2: wrong usage.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/tools/build.sh"

model='' folder='' classes='' min_accuracy='' signature='' dimensions='' backend=portable
while [ $# -gt 0 ]; do
  case $1 in
    --classes | --min-accuracy | --backend | --signature | --dimension)
      if [ $# -lt 2 ] || [ -z "$2" ]; then usage "no value is given for $1"; fi
      case $1 in
        --classes) classes=$2 ;;
        --min-accuracy) min_accuracy=$2 ;;
        --backend) backend=$2 ;;
        --signature) signature=$2 ;;
        *) dimensions="$dimensions $2" ;;
      esac
      shift
      ;;
    -*) usage "there is no option $1" ;;
    '') usage "the name of a file is empty" ;;
    *) if [ -z "$model" ]; then model=$1; elif [ -z "$folder" ]; then folder=$1; else usage "unknown argument $1"; fi ;;
  esac
  shift
done
if [ -z "$folder" ]; then usage "a model and a folder are needed"; fi
case $min_accuracy in *[!0-9.]* | *.*.*) usage "write --min-accuracy as a percentage, not $min_accuracy" ;; esac
check_backend "$backend"
check_entry "$signature" "$dimensions"
need_file "$model"
if [ ! -d "$folder" ]; then fail "cannot read $folder: it is not a folder"; fi
if [ -n "$classes" ]; then need_file "$classes"; fi

work=$(mktemp -d "${TMPDIR:-/tmp}/baton.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
if [ -n "$classes" ]; then
  cat -- "$classes" > "$work/classes"
else
  for each in "$folder"/*/; do
    each=${each%/}
    if [ -d "$each" ]; then printf '%s\n' "${each##*/}"; fi
  done > "$work/folders"
  if [ ! -s "$work/folders" ]; then fail "$folder has no folders; it needs a folder for each class"; fi
  if grep -q '[^0-9]' "$work/folders"; then
    LC_ALL=C sort "$work/folders" > "$work/classes"
  else
    seq 0 "$(sort -n "$work/folders" | tail -n 1)" > "$work/classes"
  fi
fi
index=0
while IFS= read -r class; do
  for sample in "$folder/$class"/*.npy "$folder/$class"/*.bin; do
    if [ -f "$sample" ]; then printf '%s\t%s\n' "$index" "$sample"; fi
  done
  index=$((index + 1))
done < "$work/classes" > "$work/samples"
if [ ! -s "$work/samples" ]; then fail "$folder has no samples (.npy or .bin) in the folders of its classes"; fi

compiled=$build/run_arrays/$(name_of "$model")
# In a subshell, because compile_model has its own trap.
# shellcheck disable=SC2086 # a list of words
(compile_model run_arrays.cpp "$model" "$choice" "$compiled" "$signature" $dimensions)
progress "running $(wc -l < "$work/samples") samples"
# shellcheck disable=SC2086 # a command and its arguments
${RUN_WITH-} "$compiled/$choice/program" samples "$work/samples" "$work/classes" > "$work/result" || exit 1
cat "$work/result"
if [ -n "$min_accuracy" ]; then
  accuracy=$(sed -n 's/^accuracy: .*, \([0-9.]*\) %$/\1/p' "$work/result")
  awk -v have="$accuracy" -v want="$min_accuracy" 'BEGIN { exit !(have + 0 >= want + 0) }' || fail "the accuracy is $accuracy %, less than $min_accuracy %"
fi
