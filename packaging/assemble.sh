#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Writes the folder of a channel that needs the bundle, the single header with Boost.Hana: sh packaging/assemble.sh CHANNEL FOLDER
# CHANNEL is arduino, platformio, esp-idf or cmsis-pack. FOLDER must not exist, or be empty.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
case ${1:-} in
  arduino) headers=src ;;
  platformio | esp-idf | cmsis-pack) headers=include ;;
  *)
    echo "usage: sh packaging/assemble.sh arduino|platformio|esp-idf|cmsis-pack FOLDER" >&2
    exit 2
    ;;
esac
folder=${2:?"usage: sh packaging/assemble.sh $1 FOLDER"}
if [ -n "$(ls -A "$folder" 2> /dev/null)" ]; then
  echo "$folder is not empty; name a new folder" >&2
  exit 1
fi
mkdir -p "$folder/$headers"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if ! { cmake -S "$root" -B "$scratch" && cmake --build "$scratch" --target bundle; } > "$scratch/log" 2>&1; then
  cat "$scratch/log" >&2
  exit 1
fi
cp -r "$root/packaging/$1/." "$folder/"
cp -r "$scratch/bundle/baton" "$folder/$headers/"
cp "$root/LICENSE" "$folder/"
