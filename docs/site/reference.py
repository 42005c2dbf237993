# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a page for each room from Doxygen's XML: every public declaration with its comment."""

import html
import pathlib
import re
import xml.etree.ElementTree as xml

MARKS = "*_~[]'-./"  # those of filter.awk


def restored(text):
    """Replaces the private characters of filter.awk by those that they stand for."""
    return re.sub("[\ue000-\ue00f]", lambda at: MARKS[ord(at[0]) - 0xE000], text)


def code(text):
    """Returns a code span. Backticks in it need a longer fence."""
    text = " ".join(restored(text).split())
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}" if text else ""


def escaped(text):
    return re.sub(r"([*_\[\]`])", r"\\\1", html.escape(restored(text), quote=False))


def inline(element):
    """Returns the text of an element as Markdown, without its blocks."""
    out = escaped(element.text or "")
    for child in element:
        if child.tag == "computeroutput":
            out += code("".join(child.itertext()))
        elif child.tag not in ("itemizedlist", "orderedlist", "programlisting", "verbatim", "simplesect", "parameterlist"):
            out += inline(child)
        out += escaped(child.tail or "")
    return re.sub(r"` `", " ", out)  # code that continues on the next line of a comment


def blocks(element, indent=""):
    """Returns the paragraphs, lists and code of a description as Markdown."""
    out = ""
    for child in element:
        if child.tag == "para":
            text = " ".join(inline(child).split())
            if text:
                out += f"{indent}{text}\n\n"
            out += blocks(child, indent)
        elif child.tag in ("itemizedlist", "orderedlist"):
            for item in child:
                text = blocks(item, indent + "    ")
                out += f"{indent}-   {text.lstrip()}"
        elif child.tag in ("programlisting", "verbatim"):
            lines = ["".join(line.itertext()) for line in child] or (child.text or "").split("\n")
            out += "".join(f"{indent}{line}\n" for line in ["```cpp", *map(restored, lines), "```", ""])
        elif child.tag in ("simplesect", "parameterlist"):
            out += blocks(child, indent)
    return out


def comment(element):
    return blocks(element.find("briefdescription")) + blocks(element.find("detaileddescription"))


def text_of(element, tag):
    child = element.find(tag)
    return " ".join(restored("".join(child.itertext())).split()) if child is not None else ""


def template_head(element):
    parameters = element.find("templateparamlist")
    if parameters is None:
        return ""
    names = []
    for parameter in parameters:
        name = (text_of(parameter, "type") + " " + text_of(parameter, "declname")).strip()
        default = text_of(parameter, "defval")
        names.append(name + (f" = {default}" if default else ""))
    constraint = text_of(element, "requiresclause")
    return f"template <{', '.join(names)}>\n" + (f"  requires {constraint}\n" if constraint else "")


def compact(text):
    """Removes the spaces that Doxygen inserts into template arguments."""
    before = ""
    while text != before:
        before, text = text, re.sub(r"(\w)< ([^<>]*(?:<[^<> ][^<>]*>[^<>]*)*) >", r"\1<\2>", text)
    return re.sub(r"([\w>]) ([&*]+)(?=[;,)]|$)", r"\1\2", re.sub(r" ([&*]+)(?=\w)", r"\1 ", text))


def declaration(member):
    """Returns the declaration of a member as C++."""
    return compact(spaced(member))


def spaced(member):
    kind, name = member.get("kind"), text_of(member, "name")
    head = template_head(member)
    if kind == "enum":
        values = ", ".join(text_of(value, "name") for value in member.findall("enumvalue"))
        return f"enum class {name} {{ {values} }};" if values else f"enum class {name};"
    if kind == "typedef":
        return f"{head}using {name} = {text_of(member, 'type')};"
    line = (text_of(member, "definition") or name) + text_of(member, "argsstring")
    line = re.sub(r"\bbaton::(?:\w+(?:< [^()]*? >)?::)*(?=" + re.escape(name) + r"(?:$|[^\w:]))", "", line, count=1)
    return head + line + ";"


class Declaration:
    """A name of a header: its line, its declarations, and its comment."""

    def __init__(self, name, line, codes, text):
        self.name, self.line, self.codes, self.text = name, line, codes, text


def members_of(compound):
    """Returns the public members of a class as Markdown."""
    out = ""
    for section in compound.findall("sectiondef"):
        if not section.get("kind", "").startswith("public"):
            continue
        for member in section.findall("memberdef"):
            text = comment(member)
            if text:
                out += f"```cpp\n{declaration(member)}\n```\n\n<div class=\"member\" markdown>\n{text}</div>\n\n"
    values = [code(declaration(m)) for s in compound.findall("sectiondef") if s.get("kind", "").startswith("public")
              for m in s.findall("memberdef") if not comment(m)]
    if values:
        out += "Also: " + ", ".join(values) + ".\n\n"
    return out


def read(folder):
    """Returns the declarations of each header."""
    headers = {}
    for path in sorted(pathlib.Path(folder, "xml").glob("*.xml")):
        if path.name in ("index.xml", "Doxyfile.xml"):
            continue
        for compound in xml.parse(path).getroot().findall("compounddef"):
            kind, name = compound.get("kind"), restored(compound.findtext("compoundname"))
            if "detail" in name.split("::"):
                continue
            if kind == "namespace":
                for member in compound.iter("memberdef"):
                    short = text_of(member, "name")
                    if member.get("kind") == "friend" or "<" in short:
                        continue
                    short = "::".join([*name.split("::")[1:], short])
                    where = member.find("location")
                    headers.setdefault(where.get("file"), []).append(
                        Declaration(short, int(where.get("line")), [declaration(member)], comment(member)))
            elif kind in ("class", "struct", "concept"):
                short = name.removeprefix("baton::")
                if "<" in short:
                    continue  # a specialization
                where = compound.find("location")
                if kind == "concept":
                    line = "".join(compound.find("initializer").itertext()).strip().replace(f"concept {name} =  ", f"concept {short} = ") + ";"
                    body = ""
                else:
                    line = f"{template_head(compound)}{kind} {short};"
                    body = members_of(compound)
                headers.setdefault(where.get("file"), []).append(
                    Declaration(short, int(where.get("line")), [restored(line)], comment(compound) + body))
    return headers


def pages(root, folder, rooms):
    """Returns the page of each room as Markdown, and the anchor of each header."""
    declarations = read(folder)
    result, anchors = {}, {}
    for room in ["baton", *rooms]:
        body = ""
        for header in sorted(declarations):
            parts = header.split("/")
            if (parts[1] if len(parts) > 2 else "baton") != room:
                continue
            short = header.removeprefix("baton/")
            anchor = re.sub(r"[^a-z0-9]+", "-", short.removesuffix(".hpp"))
            anchors[short] = f"{room}.md#{anchor}"
            about = []
            for line in pathlib.Path(root, "include", header).read_text().split("\n"):
                if line.startswith("#"):
                    break
                if line.startswith("// ") and "SPDX" not in line:
                    about.append(line[3:])
            body += f"## {short} {{#{anchor}}}\n\n{' '.join(about)}\n\n"
            merged = []
            for each in sorted(declarations[header], key=lambda d: d.line):
                if merged and merged[-1].name == each.name and not (each.text and merged[-1].text):
                    merged[-1].codes += each.codes
                    merged[-1].text += each.text
                else:
                    merged.append(each)
            for each in merged:
                lines = "\n".join(each.codes)
                body += f"### {code(each.name)} {{#{re.sub('[^a-z0-9_]+', '-', each.name.lower())}}}\n\n```cpp\n{lines}\n```\n\n{each.text}"
        if body:
            title = "baton/*.hpp" if room == "baton" else room
            about = "" if room == "baton" else f"The declarations of the room [{room}](../{room}.md), from the comments of its headers.\n\n"
            result[room] = f"# Declarations of {code(title)}\n\n{about}{body}"
    return result, anchors
