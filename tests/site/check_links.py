# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Checks all links of a site within it, with their anchors, and that no page loads anything from another server: check_links.py SITE"""

import pathlib
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads = set(), [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids.update(values[key] for key in ("id", "name") if values.get(key))
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        elif tag == "link" and values.get("rel") != "canonical" and values.get("href"):
            self.loads.append(values["href"])
        elif tag in ("script", "img", "iframe") and values.get("src"):
            self.loads.append(values["src"])


site = pathlib.Path(sys.argv[1]).resolve()
pages = {path: Page(path) for path in site.rglob("*.html")}
faults, links = [], 0
for path, page in sorted(pages.items()):
    for link in page.links + page.loads:
        parts = urlsplit(link)
        name = path.relative_to(site)
        if parts.scheme or parts.netloc:
            if link in page.loads and parts.scheme != "data":
                faults.append(f"{name} loads {link} from another server")
            continue
        links += 1
        to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if path.name == "404.html" and parts.path.startswith("/"):
            to = site / parts.path[1:]
        if to.is_dir():
            to /= "index.html"
        if not to.is_relative_to(site) or not to.is_file():
            faults.append(f"{name}: there is no {link}")
        elif parts.fragment and to in pages and unquote(parts.fragment) not in pages[to].ids:
            faults.append(f"{name}: {link} has no such anchor")
for fault in faults[:50]:
    print(fault, file=sys.stderr)
if faults or links < 1000:
    sys.exit(f"site: {len(faults)} faults in {links} links of {len(pages)} pages")
print(f"site: {links} links of {len(pages)} pages are valid")
