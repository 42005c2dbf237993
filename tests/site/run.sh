#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds the site, follows the tutorial, checks all links and anchors, and opens the pages in headless Chromium at two widths:
#   sh tests/site/run.sh
# Needs what docs/site/build.sh needs, and chromium, g++, Boost, arm-none-eabi-g++ and qemu-system-arm. Screenshots of some pages are in
# build/site-work/shots. Exit status 0 means that all checks passed.
set -u
cd "$(dirname -- "$0")/../.." || exit 1
work=$PWD/build/site-work
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
  echo "site: chromium is not installed; on Debian: apt-get install chromium" >&2
  exit 1
}
sh docs/site/build.sh && python3 tests/site/check_links.py build/site || exit 1

# The tutorial: every command, and its output.
python3 tests/site/follow.py docs/tutorial.md || exit 1

# The pages, from a server on this machine, because a browser does not let a page look into a frame with a file.
rm -rf "$work/served" "$work/shots"
mkdir -p "$work/shots"
cp -r build/site "$work/served"
cp tests/site/check.html "$work/served/check.html"
# Of the pages that show a file, only those of the tutorial, because all look alike.
(cd "$work/served" && find . -name '*.html' ! -name 404.html ! -name check.html \( ! -path './repository/*' -o -path '*/tutorial/*' -o ! -name '*.*.html' \) | sort | sed 's|^\./||; s|.*|"&"|' | paste -s -d , | sed 's|.*|[&]|' > pages.json)
python3 -u -m http.server --bind 127.0.0.1 --directory "$work/served" 0 > "$work/server.log" 2>&1 &
server=$!
trap 'kill $server 2> /dev/null' EXIT
for _ in 1 2 3 4 5 6 7 8 9 10; do
  port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$work/server.log")
  if [ -n "$port" ]; then break; fi
  sleep 1
done
view() {
  "$browser" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" --enable-logging=stderr "$@"
}
view --virtual-time-budget=600000 --window-size=1400,1000 --dump-dom "http://127.0.0.1:$port/check.html" > "$work/dom" 2> "$work/browser.log"
outcome=$(grep -o '<title>[^<]*' "$work/dom" | head -n 1 | cut -c8-)
echo "site: $outcome"
failed=''
case $outcome in
  PASSED*) ;;
  *) failed=yes ;;
esac
if grep 'CONSOLE' "$work/browser.log" | head -n 5 | grep .; then
  echo "site: the console of the browser has messages" >&2
  failed=yes
fi

# To look at. A window is at least 500 pixels wide, so the narrow pictures show a frame.
for page in index tutorial errors api/backend from_tflite_micro kernels; do
  for width in 1280 390; do
    name=$(echo $page | tr / _)_$width
    printf '<!doctype html><body style="margin:0"><iframe src="%s" style="border:0;width:%spx;height:1400px"></iframe>' "$page.html" $width > "$work/served/frame.html"
    view --virtual-time-budget=5000 --window-size=$width,1400 --screenshot="$work/shots/$name.png" "http://127.0.0.1:$port/frame.html" > /dev/null 2>&1
    if [ ! -s "$work/shots/$name.png" ]; then
      echo "site: no picture of $page at $width" >&2
      failed=yes
    fi
  done
done
if [ -n "$failed" ]; then exit 1; fi
echo "site: passed; pictures are in build/site-work/shots"
