# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Prints the public declarations of C++ headers: `== <header>`, then one line per declaration, `<namespace or class>: <declaration>`.
#   awk -f cmake/api.awk <header>...
# A declaration is public unless its namespace is named `detail` or its class hides it. Omitted: bodies, initializers, comments, forward
# declarations, and the members of specializations. Aliases, concepts and enumerations are complete.
# In the code, clang-format's space precedes the brace of a constructor's body, and no space precedes the brace of a member's initializer.

function trim(text) {
  gsub(/[ \t]+/, " ", text)
  sub(/^ /, "", text)
  sub(/ $/, "", text)
  gsub(/\( /, "(", text)
  return text
}

# The text after the template heads, or "" if a head is still open.
function after_heads(text,   i, c, angles, rounds) {
  while (text ~ /^template ?</) {
    angles = rounds = 0
    for (i = index(text, "<"); i <= length(text); i++) {
      c = substr(text, i, 1)
      if (c ~ /[({[]/) rounds++
      else if (c ~ /[])}]/) rounds--
      else if (rounds == 0 && c == "<") angles++
      else if (rounds == 0 && c == ">" && substr(text, i - 1, 1) != "-" && --angles == 0) break
    }
    if (i > length(text)) return ""
    text = substr(text, i + 1)
    sub(/^ /, "", text)
  }
  return text
}

# True if the text declares a class: its keyword is the first word after the template heads and a constraint.
function is_class(text,   at) {
  text = after_heads(text)
  if (text ~ /^(class|struct|union) /) return 1
  at = match(text, /[ )>](class|struct|union) [A-Za-z_]/)
  return text ~ /^requires/ && at > 0
}

# True if the text ends with the head of a requires-expression. A constraint after a parameter list is none.
function is_requirement(text,   i, c, rounds) {
  i = length(text)
  if (substr(text, i) == ")") {
    do {
      c = substr(text, i--, 1)
      rounds += (c == ")") - (c == "(")
    } while (rounds > 0 && i > 0)
  }
  return substr(text, 1, i) ~ /(requires|&&|\|\||!|=) ?requires ?$/
}

function class_name(text) {
  text = " " after_heads(text)
  sub(/^.*[ )>](class|struct|union) (\[\[[^]]*\]\] |alignas\([^)]*\) )*/, "", text)
  sub(/( final)?( ?:[^:].*)?$/, "", text)
  return text
}

function emit(text) {
  text = trim(text)
  if (text == "" || hidden[depth] || depth == 0) return
  if (text ~ /^(static_assert|friend (class|struct)|using namespace)/) return
  # A class with a body is printed at its brace.
  if (!in_head && (is_class(text) || text ~ /^(class|struct|union) /)) return
  print scope[depth] ": " text
}

function push(kind, name, is_hidden) {
  depth++
  kinds[depth] = kind
  scope[depth] = scope[depth - 1] == "" ? name : scope[depth - 1] "::" name
  is_hidden = is_hidden || hidden[depth - 1] || ("::" name "::") ~ /::(detail)?::/
  closed[depth] = is_hidden
  hidden[depth] = is_hidden
}

function start() {
  statement = ""
  mode = "declaration"
}

function open_brace(   text, bare) {
  text = trim(statement)
  bare = after_heads(text)
  if (nested > 0 || bare == "" && text != "" || bare ~ /^(enum|concept|using) / || is_requirement(text)) {
    nested++
    statement = statement "{"
  } else if (text ~ /^(inline )?namespace/) {
    sub(/^(inline )?namespace ?/, "", text)
    push("namespace", text, 0)
    start()
  } else if (is_class(text)) {
    in_head = 1
    emit(text)
    in_head = 0
    push("class", class_name(text), class_name(text) ~ /</)
    if (bare ~ /(^|[ )>])class /) hidden[depth] = 1
    start()
  } else if (text ~ /\(/) {
    emit(text)
    mode = "body"
    skipped = 1
  } else {
    mode = "initializer"
    skipped = 1
  }
}

function close_brace() {
  if (nested > 0) {
    nested--
    statement = statement "}"
  } else {
    if (depth > 0) depth--
    start()
  }
}

# token(<token>, <character before it>, <text after it>): handles a token of a declaration.
function token(t, before, rest,   text) {
  if (t == "{") {
    open_brace()
  } else if (t == "}") {
    close_brace()
  } else if (t == ";" && nested == 0) {
    emit(statement)
    start()
  } else if (t == "(" || t == "[") {
    nested++
    statement = statement t
  } else if (t == ")" || t == "]") {
    nested--
    statement = statement t
  } else if (t == "=" && nested == 0 && before !~ /[=!<>+*\/|&^-]/ && rest !~ /^=/ &&
             statement !~ /operator$/ && rest !~ /^ (default|delete);/) {
    text = after_heads(trim(statement))
    if (text == "" || text ~ /^(using|concept|enum) /) {
      statement = statement t
    } else {
      mode = "initializer"
      skipped = 0
    }
  } else if (t == ":" && nested == 0 && before != ":" && rest !~ /^:/) {
    text = trim(statement)
    if (text ~ /^(public|protected|private)$/) {
      hidden[depth] = closed[depth] || text != "public"
      statement = ""
    } else if (text ~ /\)( noexcept)?$/ && !is_class(text)) {
      emit(text)
      mode = "constructor"
      skipped = 0
    } else {
      statement = statement t
    }
  } else {
    statement = statement t
  }
}

# A file that ends within a declaration was read wrongly: a form of C++ that this program does not know.
function end_file() {
  if (name == "" || depth == 0 && nested == 0 && mode == "declaration" && trim(statement) == "") return
  print "cmake/api.awk: " name " ends within a declaration, so its listing is wrong: " trim(statement) | "cat 1>&2"
  failed = 1
}

FNR == 1 {
  end_file()
  start()
  depth = nested = 0
  scope[0] = ""
  hidden[0] = 0
  name = FILENAME
  sub(/^.*include\/baton\//, "", name)
  print "== " name
}

in_directive || /^[ \t]*#/ {
  if (!in_directive && match($0, /^[ \t]*#[ \t]*define[ \t]+BATON_[A-Z_0-9]+/) && $0 !~ /_HPP$/) {
    text = substr($0, RSTART, RLENGTH)
    sub(/^.*[ \t]/, "", text)
    print "macro: " text
  }
  in_directive = /\\$/
  next
}

{
  line = $0
  before = " "
  while (match(line, /["'{}()[;:=\/]|\]/)) {
    if (mode == "declaration") statement = statement substr(line, 1, RSTART - 1)
    if (RSTART > 1) before = substr(line, RSTART - 1, 1)
    t = substr(line, RSTART, 1)
    line = substr(line, RSTART + 1)
    if (t == "/" && line ~ /^\//) {
      line = ""
      break
    }
    if (t == "\"" || t == "'" && before !~ /[0-9A-Fa-f]/) {
      # A literal ends at the first quote that is not escaped.
      end = t == "\"" ? "[\"\\\\]" : "['\\\\]"
      while (match(line, end)) {
        is_escape = substr(line, RSTART, 1) == "\\"
        t = t substr(line, 1, RSTART + is_escape)
        line = substr(line, RSTART + is_escape + 1)
        if (!is_escape) break
      }
      if (mode == "declaration") statement = statement t
    } else if (mode == "declaration") {
      token(t, before, line)
    } else if (t == "{" || mode != "body" && t ~ /[([]/) {
      if (mode == "constructor" && skipped == 0 && t == "{" && before == " ") mode = "body"
      skipped++
    } else if (t == "}" || mode != "body" && t ~ /[])]/) {
      skipped--
      if (mode == "body" && skipped == 0) start()
    } else if (t == ";" && mode != "body" && skipped == 0) {
      if (mode == "initializer") emit(statement)
      start()
    }
    before = t
  }
  if (mode == "declaration") statement = statement line " "
}

END {
  end_file()
  exit failed
}
