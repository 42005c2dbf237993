#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds the site, follows the tutorial, checks all links and anchors, and opens the pages in headless Chromium at two widths:
#   sh tests/site/run.sh
# Needs what docs/site/build.sh needs, and chromium, g++, Boost, arm-none-eabi-g++ and qemu-system-arm. Screenshots of some pages are in
# build/site-work/browser. Exit status 0 means that all checks passed.
set -u
cd "$(dirname -- "$0")/../.." || exit 1
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
  echo "site: chromium is not installed; on Debian: apt-get install chromium" >&2
  exit 1
}
sh docs/site/build.sh && python3 tests/site/check_links.py build/site || exit 1

# The tutorial: every command, and its output.
python3 tests/site/follow.py docs/tutorial.md || exit 1

python3 tests/site/browse.py build/site "$browser" build/site-work/browser || exit 1
echo "site: passed; pictures are in build/site-work/browser"
