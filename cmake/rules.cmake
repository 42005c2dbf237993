# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Generates the headers of rules from a list. Without arguments, it rewrites the committed headers:
#   cmake -P cmake/rules.cmake
# -DOUTPUT=<folder> writes another folder than include/baton. -DLIST=<file> reads another list than cmake/rules.txt.
# A line of the list is a comment ("# ..."), a header ("<path below baton/>: <description>"), or a rule of the header above it
# ("  <name>: <error>; <remedy>"). In C++20, the message of a static_assert must be a literal, so each header has each sentence twice.
cmake_minimum_required(VERSION 3.25)

get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
if("${OUTPUT}" STREQUAL "")
  set(OUTPUT "${root}/include/baton")
endif()
if("${LIST}" STREQUAL "")
  set(LIST "${root}/cmake/rules.txt")
endif()

# fault(<sentence>): reports an error in a line of the list. A header is written only if all its lines are correct.
macro(fault sentence)
  message(NOTICE "${LIST}:${number}: ${sentence}\n${line}")
  message(FATAL_ERROR "rules: this header and later ones are not written; correct the line")
endmacro()

# write_header(): writes the current header. Does nothing if its text is unchanged, so that its users are not recompiled.
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
  set(before "")
  if(EXISTS "${OUTPUT}/${header}")
    file(READ "${OUTPUT}/${header}" before)
  endif()
  if(NOT text STREQUAL before)
    file(WRITE "${OUTPUT}/${header}" "${text}")
  endif()
endfunction()

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
    if(header IN_LIST headers)
      fault("the header occurs twice; merge the two lists of rules")
    endif()
    list(APPEND headers "${header}")
    continue()
  endif()
  if(NOT line MATCHES "^  ([a-z_]+): ([^ ].*; .*[^ .])$")
    fault("the line is not \"  <name>: <error>; <remedy>\" without a full stop")
  endif()
  set(name "${CMAKE_MATCH_1}")
  set(sentence "baton ${name}: ${CMAKE_MATCH_2}")
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
         "    static_assert(always_false<Facts>,\n                  \"${sentence}\");\n  }\n};\n")
endwhile()
write_header()
if(names STREQUAL "")
  message(FATAL_ERROR "rules: ${LIST} has no rules")
endif()
