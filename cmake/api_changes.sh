#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Compares cmake/api.txt with the listing of the last release (the last tag v<version>): sh cmake/api_changes.sh
# Fails if CHANGELOG.md does not name a changed declaration, or its class, in a section after that release. Fails if the version does not
# follow: from 1.0 on, a removed or changed declaration needs a new major version, and an added one a new minor version. Before 1.0, a
# removed or changed declaration needs a new minor version. Before the first release, there is nothing to compare.
set -eu
cd "$(dirname "$0")/.."
tag=$(git describe --tags --abbrev=0 --match 'v[0-9]*.[0-9]*.[0-9]*' 2> /dev/null || true)
if [ -z "$tag" ]; then
  echo "API: there is no release yet, so there is nothing to compare"
  exit 0
fi
before=${tag#v}
now=$(cmake -DROOT=. -DPRINT=ON -P cmake/versions.cmake 2>&1)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
git show "$tag:cmake/api.txt" | grep -v '^#' | LC_ALL=C sort -u > "$scratch/before"
grep -v '^#' cmake/api.txt | LC_ALL=C sort -u > "$scratch/now"
LC_ALL=C comm -23 "$scratch/before" "$scratch/now" | sed 's/^/- /' > "$scratch/changes"
LC_ALL=C comm -13 "$scratch/before" "$scratch/now" | sed 's/^/+ /' >> "$scratch/changes"
if ! grep -q "^## $before\( \|\$\)" CHANGELOG.md; then
  echo "API: CHANGELOG.md has no section of the release $before; add \"## $before\"" >&2
  exit 1
fi
# The sections of CHANGELOG.md before that of the last release.
sed "/^## $before\( \|\$\)/,\$d" CHANGELOG.md > "$scratch/changelog"
LC_ALL=C awk -v before="$before" -v now="$now" '
  FILENAME == ARGV[1] {
    text = text " " $0
    next
  }
  # The name of a declaration: the last word before its parameters, value or bases, without template arguments.
  function name_of(line) {
    if (match(line, /rule<"[^"]*">/)) return substr(line, RSTART + 6, RLENGTH - 8)
    if (sub(/^== /, "", line)) return line
    while (gsub(/<[^<>]*>/, "", line)) continue
    sub(/^[^ ]*: /, "", line)
    sub(/( =|\(| :[^:]).*$/, "", line)
    sub(/ final$/, "", line)
    sub(/^.*[ *&~]/, "", line)
    return line
  }
  function class_of(line) {
    if (line !~ /^[A-Za-z_0-9:]*: / ) return ""
    sub(/: .*$/, "", line)
    sub(/^.*::/, "", line)
    return line
  }
  function is_named(name) {
    return name != "" && name !~ /^(baton|operator.*)$/ && match(" " text " ", "[^A-Za-z0-9_]" name "[^A-Za-z0-9_]")
  }
  {
    removed += /^-/
    added += /^\+/
    line = substr($0, 3)
    if (is_named(name_of(line)) || is_named(class_of(line))) next
    print "API: CHANGELOG.md does not name this change since " before ": " $0
    failed = 1
  }
  END {
    split(before, b, ".")
    split(now, n, ".")
    major = n[1] > b[1]
    minor = major || n[1] == b[1] && n[2] > b[2]
    if (removed && !(b[1] == 0 ? minor : major)) {
      part = b[1] == 0 ? "minor" : "major"
      print "API: " removed " declarations of " before " are removed or changed; raise the " part " version in core/config.hpp"
      failed = 1
    } else if (added && b[1] > 0 && !minor) {
      print "API: " added " declarations are added since " before "; raise the minor version in include/baton/core/config.hpp"
      failed = 1
    }
    if (!failed) print "API: since " before ", " removed + 0 " declarations are removed or changed, " added + 0 " are added"
    exit failed
  }' "$scratch/changelog" "$scratch/changes" >&2
