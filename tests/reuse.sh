#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Checks with PyPI's reuse that every file states its license: sh tests/reuse.sh
# Files without a header are listed in REUSE.toml. Uses `reuse` of the path, or installs it in the virtual environment build/reuse, which
# needs python3 with venv and access to PyPI. Prints "SKIPPED: ..." if neither is available.
set -u
cd "$(dirname "$0")/.." || exit 1

cmp LICENSE LICENSES/Apache-2.0.txt || {
  echo "LICENSE and LICENSES/Apache-2.0.txt differ; copy the first to the second" >&2
  exit 1
}
if command -v reuse > /dev/null; then
  reuse=reuse
else
  reuse=build/reuse/bin/reuse
  if [ ! -x "$reuse" ] && ! { python3 -m venv build/reuse && build/reuse/bin/pip --disable-pip-version-check install -q --retries 1 --timeout 10 reuse; } > /dev/null 2>&1; then
    rm -rf build/reuse
    echo "SKIPPED: reuse is not installed, and cannot be installed from PyPI"
    exit 0
  fi
fi
"$reuse" lint --lines || exit 1
echo "every file states its license"
