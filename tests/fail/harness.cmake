# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Judges one compile-fail test: one error a file, whose comments say what the user must read.
#   // EXPECT: <sentence>   the output holds it; may stand several times; the first must be in the first error line,
#                           and that line must be a failed static assertion,
#   // FIRST: any           unless this line says that any error may come first,
#   // LINES: <n>           the whole output has at most n lines (25 unless told).
# The same file with -DFIXED must compile; with MISTAKE_ONLY, that is left to another compiler.
#   cmake -DFILE=<file.cpp> -DCOMPILER=<path> -DFLAGS=<list> [-DMISTAKE_ONLY=ON] -P harness.cmake
# The exit status decides, and echoed source lines count for nothing: an echo of a static_assert holds its sentence too.
cmake_minimum_required(VERSION 3.25)

# Messages in English, with plain quotes.
set(ENV{LC_ALL} C)
get_filename_component(title "${FILE}" NAME)
set(shown "")

# What would end or join the elements of a CMake list, by characters that no compiler prints; baton_lines puts them in.
string(ASCII 1 semicolon)
string(ASCII 2 open)
string(ASCII 3 close)
string(ASCII 4 backslash)

# baton_lines(<text> <out>): the lines of a text as a list.
function(baton_lines text out)
  string(REPLACE ";" "${semicolon}" text "${text}")
  string(REPLACE "[" "${open}" text "${text}")
  string(REPLACE "]" "${close}" text "${text}")
  string(REPLACE "\\" "${backslash}" text "${text}")
  string(REGEX REPLACE "\n$" "" text "${text}")
  string(REPLACE "\n" ";" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# baton_fail(<reason>): ends the test, showing what the compiler said.
function(baton_fail reason)
  set(report "${title}: ${reason}\n--- the compiler said:\n${shown}\n---")
  string(REPLACE "${semicolon}" ";" report "${report}")
  string(REPLACE "${open}" "[" report "${report}")
  string(REPLACE "${close}" "]" report "${report}")
  string(REPLACE "${backslash}" "\\" report "${report}")
  # As it is: FATAL_ERROR would wrap the lines.
  message(NOTICE "${report}")
  message(FATAL_ERROR "${title} fails")
endfunction()

# What the file asks for.
file(READ "${FILE}" source)
baton_lines("${source}" source_lines)
set(expected "")
set(budget 25)
set(first "static assertion failed")
foreach(line IN LISTS source_lines)
  string(STRIP "${line}" line)
  if(line MATCHES "^// EXPECT: +(.+)$")
    list(APPEND expected "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^// FIRST: +any$")
    set(first "")
  elseif(line MATCHES "^// LINES: +([0-9]+)$")
    set(budget "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^// (EXPECT|FIRST|LINES):")
    baton_fail("cannot read the line `${line}`")
  endif()
endforeach()
list(LENGTH expected expected_count)
if(expected_count EQUAL 0)
  baton_fail("no line `// EXPECT: <sentence>`")
endif()
list(GET expected 0 first_sentence)

# The error.
execute_process(COMMAND ${COMPILER} ${FLAGS} -fsyntax-only "${FILE}" RESULT_VARIABLE status OUTPUT_VARIABLE shown ERROR_VARIABLE shown)
if(status STREQUAL "0")
  baton_fail("compiles, but must not")
endif()
baton_lines("${shown}" output)
list(LENGTH output length)
if(length GREATER budget)
  baton_fail("the diagnostic has ${length} lines, more than ${budget}")
endif()

# A message stands behind a file that exists, or behind the compiler's own name; whatever else there is, is an echo or a heading.
set(messages "")
set(first_error "")
set(first_text "")
foreach(line IN LISTS output)
  set(is_message FALSE)
  if(line MATCHES "^([^ :][^:]*):[0-9]+(:[0-9]+)?: +[^ ]")
    if(EXISTS "${CMAKE_MATCH_1}")
      set(is_message TRUE)
    endif()
  elseif(line MATCHES "^([A-Za-z0-9+_.-]+: )?(fatal )?error: ")
    set(is_message TRUE)
  endif()
  if(is_message)
    string(APPEND messages "${line}\n")
    if(first_error STREQUAL "" AND line MATCHES "^([^:]+:([0-9]+:)*)? ?(fatal )?error: (.*)$")
      set(first_error "${line}")
      set(first_text "${CMAKE_MATCH_4}")
    endif()
  endif()
endforeach()
if(first_error STREQUAL "")
  baton_fail("the compiler failed (${status}) without an error line")
endif()
string(FIND "${first_text}" "${first}" at)
if(NOT at EQUAL 0)
  baton_fail("the first error is no failed static assertion: ${first_error}")
endif()
string(FIND "${first_error}" "${first_sentence}" at)
if(at EQUAL -1)
  baton_fail("the first error does not say \"${first_sentence}\"")
endif()
foreach(sentence IN LISTS expected)
  string(FIND "${messages}" "${sentence}" at)
  if(at EQUAL -1)
    baton_fail("no message says \"${sentence}\"")
  endif()
endforeach()

# The same without the error.
if(MISTAKE_ONLY)
  return()
endif()
execute_process(COMMAND ${COMPILER} ${FLAGS} -DFIXED -fsyntax-only "${FILE}" RESULT_VARIABLE status OUTPUT_VARIABLE shown ERROR_VARIABLE shown)
if(NOT status STREQUAL "0")
  baton_fail("with -DFIXED it must compile, but does not: another error may be what the test sees")
endif()
