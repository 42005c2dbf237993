#!/bin/sh
# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Generates the pictures of the README from the report of the digits model: sh examples/pictures.sh. Needs a browser (Debian: chromium).
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
  echo "there is no browser; install one (apt-get install chromium)" >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# picture NAME PARTITIONER SCRIPT: writes examples/pictures/NAME.png, a picture of the report after SCRIPT has run in it.
picture() {
  sh "$root/examples/inspect.sh" "$root/examples/digits/digits_int8.tflite" --partitioner "$2" --format html -o "$work/report.html"
  { sed 's|</body></html>||' "$work/report.html"; printf '<script>%s</script></body></html>\n' "$3"; } > "$work/page.html"
  "$browser" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$work/profile" --window-size=1280,720 \
    --screenshot="$root/examples/pictures/$1.png" "file://$work/page.html" 2> "$work/log" || { cat "$work/log" >&2; exit 1; }
  echo "wrote examples/pictures/$1.png"
}
picture report npu "toggle(R.nodes.find(isCall).index); pick(work[2], false);"
picture memory none "\$('theme').onclick(); document.querySelector('[data-page=memory]').onclick();"
