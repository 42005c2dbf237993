#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds a release of a copy of this repository: sh tests/release/dry_run_test.sh FOLDER
# The wheel is not built, because it has its own tests.
# shellcheck source=tests/release/expect.sh
. "$(dirname "$0")/expect.sh"

git -C "$root" rev-parse -q --verify HEAD > /dev/null 2>&1 || {
  echo "SKIPPED: a release needs git, and a repository that this user owns"
  exit 0
}
house=$scratch/house
mkdir "$house"
(cd "$root" && git ls-files -co --exclude-standard -z | tar --null --ignore-failed-read -T - -cf - 2> /dev/null) | tar -C "$house" -xf -
cd "$house" || exit 1
git init -q . && git add -A && git commit -qm "a copy"
version=$(cmake -DPRINT=ON -P cmake/versions.cmake 2>&1)

expect 0 sh cmake/release.sh "$version" --dry-run --no-wheel --output "$scratch/release"
for archive in baton baton-single-header baton-bundle; do
  expect_text "$archive-$version.tar.gz"
done
# The bill of materials has the digest of each archive, and the version of the Boost in the bundle.
expect_text "baton-$version.spdx.json"
expect 0 cat "$scratch/release/baton-$version.spdx.json"
for archive in baton baton-single-header baton-bundle; do
  expect_text "\"packageFileName\": \"$archive-$version.tar.gz\""
  expect_text "\"checksumValue\": \"$(sha256sum < "$scratch/release/$archive-$version.tar.gz" | cut -d ' ' -f 1)\""
done
expect_text "\"relationshipType\": \"CONTAINS\", \"relatedSpdxElement\": \"SPDXRef-Boost.Hana\""
printf '%s' "$said" | tr -d '\n' | grep -qE '"SPDXRef-Boost.Hana", +"versionInfo": "1[.][0-9]+' || {
  echo "the bill of materials does not state the version of Boost" >&2
  exit 1
}
[ -z "$(git tag)" ] || {
  echo "a dry run has set a tag" >&2
  exit 1
}
expect 0 tar -xOf "$scratch/release/baton-bundle-$version.tar.gz" "baton-bundle-$version/baton/baton.hpp"
expect_text "Boost Software License"

# Each fault is reported, and nothing is written.
rm -r "$scratch/release"
sed -i "1,/^## /s/^## .*/## $version (unreleased)/" CHANGELOG.md
echo "// stale" >> include/baton/graph.hpp
sed -i '$d' cmake/api.txt
echo "cmake/api.txt: no version @VERSION@" >> cmake/versions.txt
echo "#include <other/thing.hpp>" > tests/other_test.cpp
expect 1 sh cmake/release.sh "$version" --output "$scratch/release"
expect_text "the tree has uncommitted changes"
expect_text "CHANGELOG.md says \"## $version (unreleased)\"; write the date"
expect_text "tests/rooms/umbrella.cmake fails"
expect_text "cmake/api.txt is stale"
expect_text "cmake/api.txt does not state $version"
expect_text "these headers belong to no component: <other/thing.hpp>"
[ ! -e "$scratch/release" ] || {
  echo "a release with faults has written archives" >&2
  exit 1
}
expect 2 sh cmake/release.sh next

# A new version is written into every file that states it.
git checkout -q .
rm tests/other_test.cpp
sed -i 's/^\(#define BATON_VERSION_PATCH\) .*/\1 99/' include/baton/core/config.hpp
expect 1 cmake -P cmake/versions.cmake
expect 0 cmake -DWRITE=ON -P cmake/versions.cmake
expect 0 cmake -P cmake/versions.cmake
