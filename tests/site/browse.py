# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Opens the pages of a site in headless Chromium (check.html), and takes pictures of some: browse.py SITE BROWSER FOLDER

A server on this machine serves the site, because a browser does not let a page look into a frame with a file. FOLDER receives the profile, the
log and the pictures.
"""

import functools
import http.server
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading

site, browser, folder = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
here = pathlib.Path(__file__).resolve().parent
folder.mkdir(parents=True, exist_ok=True)
# Of the pages that show a file, only those of the tutorial, because all look alike.
pages = sorted(str(path.relative_to(site)) for path in site.rglob("*.html") if path.name != "404.html")
pages = [page for page in pages if not page.startswith("repository/") or page.endswith("about.html") or "/tutorial/" in page]
result, done = [], threading.Event()
FRAME = '<!doctype html><body style="margin:0"><iframe src="/{}" style="border:0;width:{}px;height:1400px"></iframe>'


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, text, kind="text/html"):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self):
        if self.path == "/check.html":
            self.answer((here / "check.html").read_text())
        elif self.path == "/pages.json":
            self.answer(json.dumps(pages), "application/json")
        elif self.path.startswith("/frame.html?"):
            self.answer(FRAME.format(*self.path.split("?")[1].split("&")))
        elif self.path == "/favicon.ico":
            self.answer("", "image/x-icon")
        else:
            super().do_GET()

    def do_POST(self):
        result.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.answer("")
        done.set()


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        # The browser closes connections when it leaves a page.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


server = Server(("127.0.0.1", 0), functools.partial(Handler, directory=str(site)))
threading.Thread(target=server.serve_forever, daemon=True).start()
address = f"http://127.0.0.1:{server.server_address[1]}"
command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/profile", "--enable-logging=stderr"]

with open(folder / "log", "w", encoding="utf-8") as log:
    opened = subprocess.Popen([*command, "--window-size=1400,1000", f"{address}/check.html"], stdout=log, stderr=log, start_new_session=True)
    done.wait(1200)
    os.killpg(opened.pid, signal.SIGKILL)
    opened.wait()
failed = not result or not result[0].startswith("PASSED")
print("site:", result[0] if result else "the browser has not finished in 20 minutes")
for line in (folder / "log").read_text(errors="replace").splitlines():
    if "CONSOLE" in line:
        print("site: console:", line)
        failed = True

# To look at. A window is at least 500 pixels wide, so the narrow pictures show a frame.
for page in ("index", "tutorial", "errors", "api/backend", "from_tflite_micro"):
    for width in (1280, 390):
        picture = folder / f"{page.replace('/', '_')}_{width}.png"
        picture.unlink(missing_ok=True)
        subprocess.run([*command, f"--window-size={width},1400", f"--screenshot={picture}", f"{address}/frame.html?{page}.html&{width}"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300, check=False)
        if not picture.is_file():
            print(f"site: there is no picture of {page} at {width}")
            failed = True
sys.exit(1 if failed else 0)
