# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the pages of the site, for MkDocs: python3 assemble.py REPOSITORY DOXYGEN_OUTPUT PAGES

The pages of docs/ and docs/site/ are at the top, declarations in api/. Every other file of the repository that a page links becomes a page in
repository/, so that the site needs no other server. A link to a missing file is an error.
"""

import pathlib
import re
import subprocess
import sys

import reference

LANGUAGES = {".hpp": "cpp", ".cpp": "cpp", ".h": "cpp", ".c": "c", ".sh": "sh", ".cmake": "cmake", ".py": "python", ".rs": "rust", ".toml": "toml",
             ".yml": "yaml", ".json": "json", ".js": "js"}

root, doxygen, pages = map(pathlib.Path, sys.argv[1:])
tracked = set(subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True, check=True).stdout.splitlines())
rooms = [line.split(":")[0] for line in pathlib.Path(root, "cmake/rooms.txt").read_text().splitlines() if re.match(r"[a-z_]+:", line)]
declared, anchors = reference.pages(root, doxygen, rooms)
faults, written, waiting = [], set(), []


def kind_of(path):
    """Returns "page", "text", "folder" or "bytes", or None if the repository has no such file."""
    if path in tracked:
        if path.endswith(".md"):
            return "page"
        return "bytes" if b"\0" in pathlib.Path(root, path).read_bytes()[:4096] or path.endswith((".png", ".svg")) else "text"
    return "folder" if any(name.startswith(path + "/") for name in tracked) else None


def place_of(path):
    """Returns the file of the site for a file of the repository."""
    kind = kind_of(path)
    if path.startswith("docs/site/") and kind == "page":
        return path.removeprefix("docs/site/")
    if path.startswith("docs/") and kind == "page":
        return path.removeprefix("docs/")
    if path == "README.md":
        return "overview.md"
    if kind == "page":
        return "repository/" + re.sub(r"/README\.md$", "/about.md", path)
    return "repository/" + path + {"text": ".md", "folder": "/files.md", "bytes": ""}[kind]


def relative(place, page):
    return "../" * page.count("/") + place


def link(path, page):
    """Returns the link to a file of the repository, and lets the file be written."""
    if place_of(path) not in written:
        waiting.append(path)
    return relative(place_of(path), page)


def rewritten(text, source, page):
    """Returns the text of a page with links that are valid in the site."""
    def target(at):
        address, _, anchor = at[2].partition("#")
        if re.match(r"[a-z]+:", address) or not address:
            return at[0]
        path = str(pathlib.PurePosixPath(pathlib.Path(root, source).parent.joinpath(address).resolve().relative_to(root.resolve())))
        if kind_of(path) is None:
            faults.append(f"{source}: there is no {address}")
            return at[0]
        return f"{at[1]}({link(path, page)}{'#' + anchor if anchor else ''})"

    def header(at):
        name = at[1]
        if name not in anchors or not source.startswith("docs/"):
            return at[0]
        return f"[`{name}`]({relative('api/' + anchors[name], page)})"

    out = []
    for number, piece in enumerate(re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)):
        if number % 2 == 0:
            piece = re.sub(r"(\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)", target, piece)
            piece = re.sub(r"(?<!\[)`([a-z_]+(?:/[a-z_0-9]+)*\.hpp)`", header, piece)
        elif piece.startswith("```mermaid"):
            piece = drawing(piece)
        out.append(piece)
    return "".join(out)


def drawing(text):
    """Returns a table instead of a drawing of Mermaid, which needs a script from another server."""
    names = dict(re.findall(r'(\w+)\["(\w+)"\]', text))
    rows = re.findall(r"^ *(\w+)(?:\[[^\]]*\])? --> (.*)$", text, flags=re.M)
    name = lambda word: f"`{names.get(word, word)}`"
    return "| room | may include |\n|---|---|\n" + "\n".join(f"| {name(a)} | {', '.join(map(name, b.split(' & ')))} |" for a, b in rows)


def write(place, content):
    written.add(place)
    file = pathlib.Path(pages, place)
    file.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        file.write_bytes(content)
    else:
        file.write_text(content)


def write_file(path):
    place, kind = place_of(path), kind_of(path)
    if place in written:
        return
    written.add(place)
    source = pathlib.Path(root, path)
    if kind == "page":
        write(place, rewritten(source.read_text(), path, place))
    elif kind == "bytes":
        write(place, source.read_bytes())
    elif kind == "text":
        language = LANGUAGES.get(source.suffix, "text")
        write(place, f"---\nsearch:\n  exclude: true\n---\n# {path}\n\n`````{language}\n{source.read_text().rstrip()}\n`````\n")
    else:
        inside = sorted(name for name in tracked if name.startswith(path + "/") and "/" not in name[len(path) + 1:])
        rows = "".join(f"- [{name}]({link(name, place)})\n" for name in inside)
        write(place, f"---\nsearch:\n  exclude: true\n---\n# {path}\n\n{rows}")


for room, text in declared.items():
    write(f"api/{room}.md", text)
write("style.css", pathlib.Path(root, "docs/site/style.css").read_bytes())
waiting += sorted(name for name in tracked if re.fullmatch(r"docs/(site/)?[a-z0-9_]+\.md", name)) + ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
while waiting:
    write_file(waiting.pop())
for fault in faults:
    print(fault, file=sys.stderr)
sys.exit(1 if faults else 0)
