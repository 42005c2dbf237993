#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Writes cmake/api.txt, the listing of the public declarations: sh cmake/api.sh [OUTPUT]
# Not listed: detail/, shared/, and the bodies of specializations. cmake/api_changes.sh compares the listing with that of the last release.
set -eu
cd "$(dirname "$0")/.."
output=${1:-cmake/api.txt}
headers=$(find include/baton -name '*.hpp' ! -path '*/detail/*' ! -path '*/shared/*' | LC_ALL=C sort)
{
  printf '# SPDX-FileCopyrightText: The Baton authors\n# SPDX-License-Identifier: Apache-2.0\n'
  printf '# Generated, do not edit: sh cmake/api.sh\n'
} > "$output.new"
# shellcheck disable=SC2086 # a list of words
LC_ALL=C awk -f cmake/api.awk $headers >> "$output.new" || {
  rm -f "$output.new"
  exit 1
}
mv "$output.new" "$output"
