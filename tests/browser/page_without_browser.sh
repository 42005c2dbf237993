#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs the script of a report in Node.js and checks its texts: page_without_browser.sh PAGE_PROGRAM
set -u
command -v node > /dev/null || {
  echo "SKIPPED: node is not installed"
  exit 0
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" > "$work/page.html" && node "$(dirname "$0")/page_without_browser.js" "$work/page.html"
