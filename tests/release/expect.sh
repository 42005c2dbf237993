# shellcheck shell=sh disable=SC2034 # variables of the tests that source this
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Included by the tests of this folder. `scratch` is an empty folder.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "${1:?usage: sh $0 SCRATCH_FOLDER}"
scratch=$(cd "$1" && pwd)/scratch
rm -rf "$scratch"
mkdir "$scratch"
# Commits in scratch repositories need an author, and must not read the settings of the user.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_CEILING_DIRECTORIES="$scratch"
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@localhost GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@localhost

# expect STATUS COMMAND...: runs a command. Its output is in `said`. Fails if the exit status differs.
expect() {
  status=$1
  shift
  said=$("$@" 2>&1)
  actual=$?
  if [ "$actual" != "$status" ]; then
    echo "expected the exit status $status, actual: $actual, of: $*" >&2
    echo "$said" >&2
    exit 1
  fi
}
# expect_text TEXT: fails if the last output does not contain the text.
expect_text() {
  case "$said" in
    *"$1"*) ;;
    *)
      echo "expected the text \"$1\", actual output:" >&2
      echo "$said" >&2
      exit 1
      ;;
  esac
}
