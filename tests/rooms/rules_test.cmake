# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Tests rules.cmake and the generator on small lists: a valid list, and a list for each fault that they must detect.
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH ROOT)
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

set(house "${SCRATCH}/rules_test")
set(good "# A comment; with a semicolon.\ncore/rules.hpp: rules of cores\n  cold_core: a core must be warm; this one is [cold]; warm it\n")
set(breaks "return broken<\"cold_core\">();\n")

# build(<list> <header>): creates a repository with this list, the headers that are generated from it, and one additional header.
function(build list header)
  file(REMOVE_RECURSE "${house}")
  file(WRITE "${house}/cmake/rules.txt" "${list}")
  file(COPY "${ROOT}/cmake/rules.cmake" DESTINATION "${house}/cmake")
  file(WRITE "${house}/include/baton/core/warm.hpp" "${header}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -P "${house}/cmake/rules.cmake" OUTPUT_QUIET ERROR_QUIET)
endfunction()

# expect(<list> <header> <text>): tests that the check passes if <text> is "passes", and otherwise that it fails with this text.
function(expect list header text)
  build("${list}" "${header}")
  baton_expect(rules "${house}" "${text}" "-DSCRATCH=${house}")
endfunction()

expect("${good}" "${breaks}" "passes")
expect("${good}" "return broken<\"cold_core\">(1, 2);\n" "passes")
expect("${good}" "return why.is<\"cold_core\">();\n" "no header breaks cold_core")
expect("${good}" "${breaks}struct rule<\"warm_core\"> {\n" "core/warm.hpp has a rule that is not in cmake/rules.txt")
expect("${good}  cold_core: a core must be one; this is another; remove it\n" "${breaks}" "another rule is named cold_core")
expect("${good}core/rules.hpp: rules of cores\n" "${breaks}" "the header occurs twice")
expect("${good}run/rules.hpp: rules of runs\n" "${breaks}" "run/rules.hpp has no rules")
expect("  cold_core: a core must be warm; warm it\n" "${breaks}" "no header is above this rule")
expect("${good}  hot_core: a core must be warm\n" "${breaks}" "the line is not \"  <name>:")
expect("${good}  hot_core: a core must be warm; cool it.\n" "${breaks}" "the line is not \"  <name>:")
expect("${good}  hot_core: a core is \"warm\"; cool it\n" "${breaks}" "must not contain quotes or backslashes")
expect("core/rules.hpp: rules of cores\n    A core.\n  cold_core: a core must be warm; warm it\n" "${breaks}" "no rule is above this explanation")
expect("# Nothing\n" "" "has no rules")

build("${good}" "${breaks}")
file(APPEND "${house}/cmake/rules.txt" "  hot_core: a core must be warm; this one is hot; cool it\n")
baton_expect(rules "${house}" "include/baton/core/rules.hpp is stale" "-DSCRATCH=${house}")

build("${good}" "${breaks}")
file(APPEND "${house}/docs/errors.md" "more\n")
baton_expect(rules "${house}" "docs/errors.md is stale" "-DSCRATCH=${house}")

# The page has the rule, split at its last semicolon, with names of templates as code, and links the program that has the error.
string(CONCAT list "core/rules.hpp: rules of cores\n  cold_core: a core must be warm; this one is [cold]; warm it with warmth<...>, or warm<1>\n"
              "    Heat is `motion`; see [heat](heat.md).\n    A \"core\" is a core.\n")
build("${list}" "${breaks}")
file(WRITE "${house}/tests/fail/cold_core.cpp" "")
execute_process(COMMAND "${CMAKE_COMMAND}" -P "${house}/cmake/rules.cmake")
file(READ "${house}/docs/errors.md" text)
string(CONCAT section "\n## Rules of cores\n\n### `cold_core`\n\n- Error: a core must be warm; this one is [cold].\n"
                      "- Remedy: warm it with `warmth<...>`, or `warm<1>`.\n- [A program with this error](../tests/fail/cold_core.cpp)\n"
                      "- Heat is `motion`; see [heat](heat.md).\n- A \"core\" is a core.\n")
string(FIND "${text}" "${section}" at)
if(at EQUAL -1)
  message(FATAL_ERROR "the page does not have the section:\n${section}\n${text}")
endif()

# Both copies of the sentence are complete, and the comment names the section of the page.
build("${good}" "${breaks}")
file(READ "${house}/include/baton/core/rules.hpp" text)
set(sentence "\"baton cold_core: a core must be warm; this one is [cold]; warm it\"")
string(REPLACE "${sentence}" "SENTENCE" text "${text}")
if(NOT text MATCHES "sentence{\n +SENTENCE, 65};.*static_assert\\(always_false<Facts>,  // docs/errors.md#cold_core\n +SENTENCE\\);")
  message(FATAL_ERROR "the header does not have the sentence twice:\n${text}")
endif()
