# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Generates the headers of rules from a list, and the page of all rules. Without arguments, it rewrites the committed files:
#   cmake -P cmake/rules.cmake
# -DOUTPUT=<folder> writes another folder than include/baton, -DPAGE=<file> another page than docs/errors.md. -DLIST=<file> reads another
# list than cmake/rules.txt.
# A line of the list is a comment ("# ..."), a header ("<path below baton/>: <description>"), or a rule of the header above it
# ("  <name>: <error>; <remedy>"), or an explanation of the rule above it, for the page only ("    <sentences>."). In C++20, the message of
# a static_assert must be a literal, so each header has each sentence twice.
# The comment after `static_assert` names the section of the page. Compilers print the line, and the message stays short.
cmake_minimum_required(VERSION 3.25)

get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
if("${OUTPUT}" STREQUAL "")
  set(OUTPUT "${root}/include/baton")
endif()
if("${PAGE}" STREQUAL "")
  set(PAGE "${root}/docs/errors.md")
endif()
if("${LIST}" STREQUAL "")
  set(LIST "${root}/cmake/rules.txt")
endif()

# fault(<sentence>): reports an error in a line of the list. A header is written only if all its lines are correct.
macro(fault sentence)
  message(NOTICE "${LIST}:${number}: ${sentence}\n${line}")
  message(FATAL_ERROR "rules: this header and later ones are not written; correct the line")
endmacro()

# write_if_changed(<file> <text>): writes a file, unless it has this text, so that the users of a header are not recompiled.
function(write_if_changed file text)
  set(before "")
  if(EXISTS "${file}")
    file(READ "${file}" before)
  endif()
  if(NOT text STREQUAL before)
    file(WRITE "${file}" "${text}")
  endif()
endfunction()

# write_header(): writes the current header.
function(write_header)
  if(header STREQUAL "")
    return()
  endif()
  if(body STREQUAL "")
    message(NOTICE "${LIST}: ${header} has no rules")
    message(FATAL_ERROR "rules: this header is not written; add a rule below it")
  endif()
  string(CONCAT text "// SPDX-FileCopyrightText: The Baton authors\n// SPDX-License-Identifier: Apache-2.0\n"
                "// Generated: ${description}.\n"
                "// Do not edit: add a line to cmake/rules.txt and run: cmake -P cmake/rules.cmake\n#pragma once\n\n"
                "#include <baton/core/rule.hpp>\n\n#include <string_view>\n\n// clang-format off\nnamespace baton {\n"
                "${body}" "\n}  // namespace baton\n")
  write_if_changed("${OUTPUT}/${header}" "${text}")
endfunction()

string(CONCAT page "<!-- SPDX-FileCopyrightText: The Baton authors -->\n<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
              "<!-- Generated. Do not edit: change cmake/rules.txt and run: cmake -P cmake/rules.cmake -->\n# Errors\n\n"
              "An error of Baton is one message: `baton`, the name of the rule, the error and the remedy. The name is the heading of a section\n"
              "below. GCC and Clang also print the line that fails, and its comment names the section:\n\n```text\n"
              "error: static assertion failed: baton missing_kernel: no kernel or backend computes this node; add a kernel, or delegate the node\n"
              "   62 |     static_assert(always_false<Facts>,  // docs/errors.md#missing_kernel\n```\n\n"
              "The node, its operator, the tag, the backend and the reason follow as template arguments of `report`. At run time, `baton::error`\n"
              "has the same message and facts. A reason is the text in `because<...>`; at run time, it is in the last brackets of the message.\n"
              "Many sections link a small program that has the error; with `FIXED` defined, it has none.\n")
set(names "")
set(headers "")
set(header "")
set(body "")
set(number 0)
# Reads by position, because a sentence contains semicolons, which would split a CMake list.
file(READ "${LIST}" rest)
while(NOT rest STREQUAL "")
  math(EXPR number "${number} + 1")
  string(FIND "${rest}\n" "\n" end)
  string(SUBSTRING "${rest}" 0 ${end} line)
  math(EXPR end "${end} + 1")
  string(LENGTH "${rest}" length)
  if(end LESS length)
    string(SUBSTRING "${rest}" ${end} -1 rest)
  else()
    set(rest "")
  endif()
  if(line MATCHES "^#" OR line STREQUAL "")
    continue()
  endif()
  if(line MATCHES "^([a-z_/]+/rules\\.hpp): ([^ ].*[^ .])$")
    write_header()
    set(header "${CMAKE_MATCH_1}")
    set(description "${CMAKE_MATCH_2}")
    set(body "")
    string(SUBSTRING "${description}" 0 1 initial)
    string(SUBSTRING "${description}" 1 -1 rest_of_title)
    string(TOUPPER "${initial}" initial)
    string(APPEND page "\n## ${initial}${rest_of_title}\n")
    if(header IN_LIST headers)
      fault("the header occurs twice; merge the two lists of rules")
    endif()
    list(APPEND headers "${header}")
    continue()
  endif()
  if(line MATCHES "^    ([^ ].*[.])$")
    set(note "${CMAKE_MATCH_1}")
    if(body STREQUAL "")
      fault("no rule is above this explanation; add its rule")
    endif()
    string(APPEND page "- ${note}\n")
    continue()
  endif()
  if(NOT line MATCHES "^  ([a-z_]+): ([^ ].*); (.*[^ .])$")
    fault("the line is not \"  <name>: <error>; <remedy>\" without a full stop")
  endif()
  set(name "${CMAKE_MATCH_1}")
  set(error "${CMAKE_MATCH_2}")
  set(remedy "${CMAKE_MATCH_3}")
  set(sentence "baton ${name}: ${error}; ${remedy}")
  if(header STREQUAL "")
    fault("no header is above this rule; add the line of its header")
  endif()
  if(name IN_LIST names)
    fault("another rule is named ${name}; choose another name")
  endif()
  list(APPEND names "${name}")
  if(sentence MATCHES "[\"\\]")
    fault("a sentence must not contain quotes or backslashes, because it becomes a literal")
  endif()
  # With the length, because otherwise the compiler of each user counts the characters of all sentences, one constexpr step each.
  string(LENGTH "${sentence}" size)
  string(APPEND body "\ntemplate <>\nstruct rule<\"${name}\"> {\n"
         "  static constexpr std::string_view sentence{\n      \"${sentence}\", ${size}};\n"
         "  template <class Facts>\n  static consteval void report() {\n"
         "    static_assert(always_false<Facts>,  // docs/errors.md#${name}\n                  \"${sentence}\");\n  }\n};\n")
  # In Markdown, `<` would begin a tag, so names of templates are code.
  string(REGEX REPLACE "[a-z0-9_:]+<[^>]*>" "`\\0`" section "- Error: ${error}.\n- Remedy: ${remedy}.\n")
  string(APPEND page "\n### `${name}`\n\n${section}")
  if(EXISTS "${root}/tests/fail/${name}.cpp")
    string(APPEND page "- [A program with this error](../tests/fail/${name}.cpp)\n")
  endif()
endwhile()
write_header()
if(names STREQUAL "")
  message(FATAL_ERROR "rules: ${LIST} has no rules")
endif()
write_if_changed("${PAGE}" "${page}")
