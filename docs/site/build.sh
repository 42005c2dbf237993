#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds the documentation site in build/site: sh docs/site/build.sh
# To read it, with the search: python3 -m http.server -d build/site
# Warnings of Doxygen and MkDocs are errors. Needs git, doxygen (Debian: apt-get install doxygen), python3 with venv, and access to PyPI, from
# which the first call installs MkDocs in build/site-work.
set -eu
cd "$(dirname -- "$0")/../.."
work=build/site-work
python=$work/venv/bin/python

for program in git doxygen python3; do
  command -v $program > /dev/null || {
    echo "site: $program is not installed; on Debian: apt-get install $program" >&2
    exit 1
  }
done
mkdir -p $work
if [ ! -x $python ]; then python3 -m venv $work/venv; fi
# Installs nothing if the same packages are installed.
if ! cmp -s docs/site/requirements.txt $work/installed && ! $python -m pip install --quiet --disable-pip-version-check -r docs/site/requirements.txt; then
  echo "site: could not install the packages of docs/site/requirements.txt from PyPI" >&2
  exit 1
fi
cp docs/site/requirements.txt $work/installed

rm -rf $work/doxygen $work/pages
mkdir -p $work/doxygen
{
  cat docs/site/Doxyfile
  echo "OUTPUT_DIRECTORY = $work/doxygen"
} | doxygen -
PYTHONDONTWRITEBYTECODE=1 python3 docs/site/assemble.py . $work/doxygen $work/pages
NO_MKDOCS_2_WARNING=1 $python -m mkdocs build --quiet --strict --clean --config-file docs/site/mkdocs.yml
echo "site: build/site/index.html"
