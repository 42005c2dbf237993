# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
#
# Doxygen's input filter: in doc comments, code between backticks becomes <code>. Doxygen itself ends such code at an apostrophe. Characters
# that it interprets even in <code> become private characters, from U+E000 on; docs/site/reference.py restores them.
BEGIN { marks = "*_~[]'-./" }
/^[ \t]*inline constexpr bool std::/ { print "class specialization_of_std;"; next } # Doxygen finds no declaration of it
!/\/\/\// { in_code = 0; print; next }
{
  at = index($0, "///")
  line = substr($0, 1, at + 2)
  rest = substr($0, at + 3)
  if (in_code) line = line " <code>"
  for (i = 1; i <= length(rest); ++i) {
    c = substr(rest, i, 1)
    if (c == "`") {
      c = in_code ? "</code>" : "<code>"
      in_code = !in_code
    } else if (in_code) {
      if (c == "&") c = "&amp;"
      else if (c == "<") c = "&lt;"
      else if (c == ">") c = "&gt;"
      else if (c == "\\" || c == "@" || c == "%" || c == "#" || c == "\"") c = "\\" c
      else if (at = index(marks, c)) c = sprintf("\356\200%c", 127 + at)
    }
    line = line c
  }
  if (in_code) line = line "</code>"
  print line
}
