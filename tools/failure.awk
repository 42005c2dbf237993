# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Reads the output of GCC or Clang for a program that does not compile, and prints the first error. If the error is a rule, prints its
# message and its facts, which are types such as `at_node<7, ...{"conv_2d_3"}>` and `because<...{"..."}>`. Prints other errors unchanged.

# Returns the quoted text after `word`, without escapes. Concatenates adjacent texts.
function quoted(line, word, at, text, c) {
  at = index(line, word "<")
  if (at == 0) return ""
  line = substr(line, at + length(word) + 1)
  at = index(line, "\"")
  if (at == 0) return ""
  text = ""
  do {
    for (at++; (c = substr(line, at, 1)) != "\"" && c != ""; at++) {
      if (c == "\\") c = substr(line, ++at, 1)
      text = text c
    }
    # A long text consists of several pieces.
    line = substr(line, at + 1)
    at = match(line, /^[}], (baton::)?fixed_string<[0-9]+>[{]"/) ? RLENGTH : 0
  } while (at != 0)
  sub(/\[\.\.\.\]$/, "...", text) # Clang truncates long texts with [...]
  return text
}

function number(line, word) {
  if (!match(line, word "<-?[0-9]+")) return ""
  return substr(line, RSTART + length(word) + 1, RLENGTH - length(word) - 1)
}

# A constant expression exceeded a limit of the compiler: sets `limit`, the number and the unit, and `flags`, which raise it.
limit == "" && /constexpr. (evaluation operation|loop iteration) count exceeds limit of [0-9]+/ {
  match($0, /exceeds limit of [0-9]+/)
  limit = substr($0, RSTART + 17, RLENGTH - 17) (/operation count/ ? " operations" : " iterations of a loop")
  flags = "-fconstexpr-ops-limit=2000000000 -fconstexpr-loop-limit=2000000000"
}
limit == "" && /evaluation hit maximum step limit/ {
  limit = 1048576
  if (match(compiler, /-fconstexpr-steps=[0-9]+/)) limit = substr(compiler, RSTART + 18, RLENGTH - 18)
  limit = limit " steps"
  flags = "-fconstexpr-steps=2000000000"
}

sentence == "" && first == "" && /error: / {
  if (/static assertion failed/ && match($0, /baton [a-z_0-9]+: .*/)) {
    sentence = substr($0, RSTART)
    sub(/"$/, "", sentence)
  } else {
    first = substr($0, index($0, "error: "))
  }
}

# The linker prints this without "error: ".
missing == "" && match($0, /(undefined reference to .|undefined symbol: )[A-Za-z_][A-Za-z0-9_]*/) {
  missing = substr($0, RSTART, RLENGTH)
  sub(/^.*[^A-Za-z0-9_]/, "", missing)
}

# Clang prints the facts in the line of the error, GCC in a note below it.
sentence != "" && facts == "" && /always_false<.*(at_node|of_operator|with_tag|for_backend|because)</ { facts = $0 }

END {
  if (sentence == "" && limit != "") {
    gsub(/ -fconstexpr-[a-z-]*=[0-9]+/, "", compiler)
    print "the model is too large for the compiler: reading, lowering and planning its " (nodes != "" ? nodes " nodes" : "nodes") \
      " takes more than " limit " in one constant expression; raise the limit: put CXX='" compiler " " flags "' before the same command"
    exit
  }
  if (sentence == "" && missing != "") {
    print "the linker does not find " missing ", which a backend calls: its library is not linked, or its version differs from that of its header; " \
      "see docs/backends.md"
    exit
  }
  if (sentence == "") {
    print (first != "" ? first : "the compiler stopped without an error message")
    exit
  }
  print sentence
  node = number(facts, "at_node")
  op = quoted(facts, "of_operator")
  tag = quoted(facts, "with_tag")
  backend = quoted(facts, "for_backend")
  reason = quoted(facts, "because")
  place = ""
  if (node != "" && node >= 0) place = "node " node " \"" quoted(facts, "at_node") "\""
  if (op != "") place = place (place == "" ? "" : ", ") "operator " op
  if (tag != "") place = place (place == "" ? "" : ", ") "tag " tag
  if (backend != "") place = place (place == "" ? "" : ", ") "backend " backend
  if (place != "" || reason != "") print place (place != "" && reason != "" ? ": " : "") reason
}
