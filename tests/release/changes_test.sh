#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests the rule of cmake/api_changes.sh in a small repository, and applies it to this one: sh tests/release/changes_test.sh FOLDER
# shellcheck source=tests/release/expect.sh
. "$(dirname "$0")/expect.sh"

command -v git > /dev/null || {
  echo "SKIPPED: a release needs git"
  exit 0
}
house=$scratch/house
mkdir -p "$house/cmake" "$house/include/baton/core"
for file in api.sh api.awk api_changes.sh version.cmake versions.cmake; do
  cp "$root/cmake/$file" "$house/cmake"
done
cd "$house" || exit 1
printf '#define BATON_VERSION_%s\n' MAJOR MINOR PATCH > "$scratch/parts"
# version MAJOR.MINOR.PATCH: sets the version.
version() {
  echo "$1" | tr . '\n' | paste -d ' ' "$scratch/parts" - > include/baton/core/config.hpp
}
# declare_all TEXT: sets the declarations of the only header, and lists them.
declare_all() {
  printf 'namespace baton {\n%s\n}  // namespace baton\n' "$1" > include/baton/core/interface.hpp
  sh cmake/api.sh
}
git init -q .
version 0.1.0
declare_all 'auto first(int a) -> int; struct plan { int size; auto places() -> int; };'
echo "## 0.1.0" > CHANGELOG.md
expect 0 sh cmake/api_changes.sh
expect_text "no release yet"
git add -A && git commit -qm "0.1.0" && git tag v0.1.0
expect 0 sh cmake/api_changes.sh
expect_text "since 0.1.0, 0 declarations are removed or changed, 0 are added"

# An added declaration must be in the changelog, in a section after the release.
declare_all 'auto first(int a) -> int; struct plan { int size; auto places() -> int; }; auto second() -> int;'
expect 1 sh cmake/api_changes.sh
expect_text "does not name this change since 0.1.0: + baton: auto second() -> int"
printf '## 0.1.0\nThere is no `second` here.\n' > CHANGELOG.md
expect 1 sh cmake/api_changes.sh
printf '## 0.1.1 (unreleased)\n- seconds: new.\n## 0.1.0\n' > CHANGELOG.md
expect 1 sh cmake/api_changes.sh
printf '## 0.1.1 (unreleased)\n- `second`: new.\n## 0.1.0\n' > CHANGELOG.md
expect 0 sh cmake/api_changes.sh
expect_text "1 are added"

# A member may be named by its class. Before 1.0, a changed declaration needs a new minor version.
declare_all 'auto first(int a) -> int; struct plan { int size; auto places(int n) -> int; };'
expect 1 sh cmake/api_changes.sh
expect_text "does not name this change since 0.1.0: - baton::plan: auto places() -> int"
printf '## 0.2.0 (unreleased)\n- `plan` has a number of places.\n## 0.1.0\n' > CHANGELOG.md
expect 1 sh cmake/api_changes.sh
expect_text "1 declarations of 0.1.0 are removed or changed; raise the minor version"
version 0.2.0
expect 0 sh cmake/api_changes.sh
version 1.0.0
expect 0 sh cmake/api_changes.sh

# From 1.0 on, a changed declaration needs a new major version, and an added one a new minor version.
printf '## 1.0.0\n## 0.1.0\n' > CHANGELOG.md
git add -A && git commit -qm "1.0.0" && git tag v1.0.0
declare_all 'auto first(long a) -> int; struct plan { int size; auto places(int n) -> int; };'
printf '## 1.1.0\n- `first`\n## 1.0.0\n' > CHANGELOG.md
version 1.1.0
expect 1 sh cmake/api_changes.sh
expect_text "raise the major version"
declare_all 'auto first(int a) -> int; auto first(long a) -> int; struct plan { int size; auto places(int n) -> int; };'
expect 0 sh cmake/api_changes.sh
version 1.0.1
expect 1 sh cmake/api_changes.sh
expect_text "raise the minor version"
printf '## 1.1.0\n- `first`\n' > CHANGELOG.md
expect 1 sh cmake/api_changes.sh
expect_text "no section of the release 1.0.0"

if [ -e "$root/.git" ]; then
  expect 0 sh "$root/cmake/api_changes.sh"
fi
