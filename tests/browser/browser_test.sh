#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Opens the report of a program with 1,000 nodes in a headless browser, and simulates a user: browser_test.sh PAGE_PROGRAM
set -u
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
  echo "SKIPPED: chromium is not installed"
  exit 0
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" > "$work/page.html" || exit 1
{
  # An error in a script also sets the title.
  sed -e 's|</body></html>||' -e 's|<body>|<body><script>addEventListener("error", e => { if (!document.title.startsWith("FAILED")) document.title = "FAILED " + e.message + ", line " + e.lineno; })</script>|' "$work/page.html"
  printf '<script>\n'
  cat "$(dirname "$0")/actions.js"
  printf '</script></body></html>\n'
} > "$work/tested.html"
"$browser" --headless=new --no-sandbox --disable-gpu --user-data-dir="$work/profile" --window-size=1500,900 --dump-dom \
  "file://$work/tested.html" > "$work/dom" 2> "$work/log"
outcome=$(grep -o '<title>[^<]*' "$work/dom" | head -n 1 | cut -c8-)
echo "$outcome"
case $outcome in
  PASSED*) exit 0 ;;
esac
tail -n 5 "$work/log"
exit 1
