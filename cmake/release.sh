#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds a release: sh cmake/release.sh VERSION [--dry-run] [--no-wheel] [--output FOLDER]
# Checks the tree, writes the archives and their bill of materials (SPDX) to FOLDER (default: build/release), and sets the tag vVERSION.
# --dry-run sets no tag and accepts the word "unreleased" in CHANGELOG.md. All failed checks are reported; then nothing is written.
# Exit status: 0 success, 1 a check failed, 2 usage.
set -u
cd "$(dirname "$0")/.." || exit 1

version=""
dry=""
wheel=yes
output=build/release
usage() {
  echo "usage: sh cmake/release.sh VERSION [--dry-run] [--no-wheel] [--output FOLDER]; VERSION is as in 0.1.0" >&2
  exit 2
}
while [ $# -gt 0 ]; do
  case $1 in
    --dry-run) dry=yes ;;
    --no-wheel) wheel="" ;;
    --output)
      [ $# -ge 2 ] || usage
      output=$2
      shift
      ;;
    -*) usage ;;
    *)
      [ -z "$version" ] || usage
      version=$1
      ;;
  esac
  shift
done
echo "$version" | grep -qE '^[0-9]+\.[0-9]+\.[0-9]+$' || usage

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
fault() {
  echo "release: $1" >&2
  failed=1
}
# check SENTENCE COMMAND...: runs a command, and reports its output and the sentence if it fails.
check() {
  sentence=$1
  shift
  "$@" > "$scratch/log" 2>&1 || {
    tail -n 12 "$scratch/log" >&2
    fault "$sentence"
  }
}

[ -z "$(git status --porcelain 2>&1)" ] || fault "the tree has uncommitted changes; commit them"
! git rev-parse -q --verify "refs/tags/v$version" > /dev/null || fault "the tag v$version exists; raise the version"
own=$(cmake -DPRINT=ON -P cmake/versions.cmake 2>&1)
[ "$own" = "$version" ] || fault "include/baton/core/config.hpp states the version $own, not $version"
check "other files state another version" cmake -P cmake/versions.cmake
heading=$(grep -m 1 '^## ' CHANGELOG.md)
case "$heading" in
  "## $version (unreleased)") [ -n "$dry" ] || fault "CHANGELOG.md says \"$heading\"; write the date" ;;
  "## $version" | "## $version ("*) ;;
  *) fault "the first section of CHANGELOG.md is \"$heading\"; describe $version in a section before it" ;;
esac
for structure in umbrella rules readme single_include; do
  check "the check tests/rooms/$structure.cmake fails" cmake -DROOT=. "-DSCRATCH=$scratch" -P "tests/rooms/$structure.cmake"
done
check "the rows of the conformance page have no tests" cmake "-DOUTPUT=$scratch/ROWS.md" -DCOMPLETE=ON -P cmake/conformance_page.cmake
check "tests/conformance/ROWS.md is stale; run: cmake -P cmake/conformance_page.cmake" cmp "$scratch/ROWS.md" tests/conformance/ROWS.md
check "the public declarations cannot be listed" sh cmake/api.sh "$scratch/api.txt"
check "cmake/api.txt is stale; run: sh cmake/api.sh" cmp "$scratch/api.txt" cmake/api.txt
check "the changes of the interface do not fit the changelog or the version" sh cmake/api_changes.sh
check "cmake/sbom_components.txt does not list the components that are included" cmake "-DOUTPUT=$scratch/sbom.json" -P cmake/sbom.cmake
[ $failed = 0 ] || exit 1

mkdir -p "$output" || exit 1
rm -f "$output/baton"*"-$version"*.tar.gz "$output/baton-$version"*.whl "$output/baton-$version.spdx.json" "$output/SHA256SUMS"
# archive NAME: writes NAME.tar.gz of the folder NAME. Equal commits have equal archives.
archive() {
  cp LICENSE "$scratch/$1/" &&
    tar -C "$scratch" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" -cf - "$1" |
    gzip -9n > "$output/$1.tar.gz"
}
git archive --prefix="baton-$version/" HEAD | gzip -9n > "$output/baton-$version.tar.gz"
mkdir -p "$scratch/baton-single-header-$version" "$scratch/baton-bundle-$version"
cp -r single_include/baton "$scratch/baton-single-header-$version/" && archive "baton-single-header-$version" || exit 1
if ! { cmake -S . -B "$scratch/build" && cmake --build "$scratch/build" --target bundle; } > "$scratch/log" 2>&1; then
  tail -n 12 "$scratch/log" >&2
  echo "release: the bundle cannot be built" >&2
  exit 1
fi
cp -r "$scratch/build/bundle/baton" "$scratch/baton-bundle-$version/" && archive "baton-bundle-$version" || exit 1
if [ -n "$wheel" ] && [ -f pyproject.toml ]; then
  if ! python3 -m pip wheel -q --no-deps -w "$output" . > "$scratch/log" 2>&1; then
    tail -n 12 "$scratch/log" >&2
    echo "release: the wheel cannot be built" >&2
    exit 1
  fi
  set -- "$output/"*"-$version-"*.whl
  [ -f "$1" ] || {
    echo "release: the wheel states another version than $version: $(ls "$output")" >&2
    exit 1
  }
fi
# The version of Boost whose Hana is in the bundle, as in 1.74.0.
boost=$(sed -n 's/^BATON_HANA_INCLUDE_DIR:[A-Z]*=//p' "$scratch/build/CMakeCache.txt")
boost=$(sed -n 's/^#define BOOST_LIB_VERSION "\(.*\)"/\1/p' "$boost/boost/version.hpp" | tr _ .)
if ! cmake "-DOUTPUT=$output/baton-$version.spdx.json" "-DARCHIVES=$output" "-DCREATED=$(git log -1 --format=%ct)" "-DBUNDLED=$boost" \
  -P cmake/sbom.cmake > "$scratch/log" 2>&1; then
  tail -n 12 "$scratch/log" >&2
  echo "release: the bill of materials cannot be written" >&2
  exit 1
fi
(cd "$output" && sha256sum -- *"-$version"* > SHA256SUMS) || exit 1
if [ -z "$dry" ]; then
  git tag -a "v$version" -m "Baton $version" || exit 1
  echo "release: tagged v$version; publish it with: git push origin v$version"
fi
echo "release: $output contains:"
cat "$output/SHA256SUMS"
