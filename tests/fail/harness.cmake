# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Runs one compile-fail test: a file with one error, whose comments state the expected output of the compiler.
#   // EXPECT: <sentence>   the output contains the sentence. May occur several times. The first sentence must be in the first error line,
#                           which must be a failed static assertion.
#   // FIRST: any           the first error line may be another kind of error.
#   // LINES: <n>           the output has at most n lines (default: 25).
#   // ERRORS: <n>          the output has at most n errors (default: no limit but that of the lines).
# The same file with -DFIXED must compile. With ERROR_ONLY, this is not tested.
#   cmake -DFILE=<file.cpp> -DCOMPILER=<path> -DFLAGS=<list> [-DERROR_ONLY=ON] -P harness.cmake
# Source lines that the compiler echoes are ignored, because an echoed static_assert contains its sentence, too. But the echo of a rule must
# name its section of docs/errors.md.
cmake_minimum_required(VERSION 3.25)

# So that messages are in English and have ASCII quotes.
set(ENV{LC_ALL} C)
get_filename_component(title "${FILE}" NAME)
set(shown "")

# Replacements for the characters that separate or join the elements of a CMake list. No compiler prints them. baton_lines inserts them.
string(ASCII 1 semicolon)
string(ASCII 2 open)
string(ASCII 3 close)
string(ASCII 4 backslash)

# baton_lines(<text> <out>): returns the lines of a text as a list.
function(baton_lines text out)
  string(REPLACE ";" "${semicolon}" text "${text}")
  string(REPLACE "[" "${open}" text "${text}")
  string(REPLACE "]" "${close}" text "${text}")
  string(REPLACE "\\" "${backslash}" text "${text}")
  string(REGEX REPLACE "\n$" "" text "${text}")
  string(REPLACE "\n" ";" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# baton_fail(<reason>): ends the test and prints the output of the compiler.
function(baton_fail reason)
  set(report "${title}: ${reason}\n--- output of the compiler:\n${shown}\n---")
  string(REPLACE "${semicolon}" ";" report "${report}")
  string(REPLACE "${open}" "[" report "${report}")
  string(REPLACE "${close}" "]" report "${report}")
  string(REPLACE "${backslash}" "\\" report "${report}")
  # NOTICE, because FATAL_ERROR would wrap the lines.
  message(NOTICE "${report}")
  message(FATAL_ERROR "${title} fails")
endfunction()

# The expectations of the file.
file(READ "${FILE}" source)
baton_lines("${source}" source_lines)
set(expected "")
set(budget 25)
set(max_errors 25)
set(first "static assertion failed")
foreach(line IN LISTS source_lines)
  string(STRIP "${line}" line)
  if(line MATCHES "^// EXPECT: +(.+)$")
    list(APPEND expected "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^// FIRST: +any$")
    set(first "")
  elseif(line MATCHES "^// LINES: +([0-9]+)$")
    set(budget "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^// ERRORS: +([0-9]+)$")
    set(max_errors "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^// (EXPECT|FIRST|LINES|ERRORS):")
    baton_fail("cannot read the line `${line}`")
  endif()
endforeach()
list(LENGTH expected expected_count)
if(expected_count EQUAL 0)
  baton_fail("no line `// EXPECT: <sentence>`")
endif()
list(GET expected 0 first_sentence)

# The file with its error.
execute_process(COMMAND ${COMPILER} ${FLAGS} -fsyntax-only "${FILE}" RESULT_VARIABLE status OUTPUT_VARIABLE shown ERROR_VARIABLE shown)
if(status STREQUAL "0")
  baton_fail("compiles, but must not")
endif()
baton_lines("${shown}" output)
list(LENGTH output length)
if(length GREATER budget)
  baton_fail("the diagnostic has ${length} lines, more than ${budget}")
endif()

# A message begins with an existing file or with the compiler's name. All other lines are echoes or headings.
set(messages "")
set(first_error "")
set(first_text "")
set(error_count 0)
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
    if(line MATCHES "^([^:]+:([0-9]+:)*)? ?(fatal )?error: (.*)$")
      math(EXPR error_count "${error_count} + 1")
      if(first_error STREQUAL "")
        set(first_error "${line}")
        set(first_text "${CMAKE_MATCH_4}")
      endif()
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
if(first_error MATCHES "/rules\\.hpp:.*: baton ([a-z_]+): ")
  string(FIND "${shown}" "// docs/errors.md#${CMAKE_MATCH_1}\n" at)
  if(at EQUAL -1)
    baton_fail("no line names the section docs/errors.md#${CMAKE_MATCH_1}")
  endif()
endif()
if(error_count GREATER max_errors)
  baton_fail("the output has ${error_count} errors, more than ${max_errors}")
endif()
foreach(sentence IN LISTS expected)
  string(FIND "${messages}" "${sentence}" at)
  if(at EQUAL -1)
    baton_fail("no message says \"${sentence}\"")
  endif()
endforeach()

# The file without its error.
if(ERROR_ONLY)
  return()
endif()
execute_process(COMMAND ${COMPILER} ${FLAGS} -DFIXED -fsyntax-only "${FILE}" RESULT_VARIABLE status OUTPUT_VARIABLE shown ERROR_VARIABLE shown)
if(NOT status STREQUAL "0")
  baton_fail("with -DFIXED it must compile, but does not; the test may see another error")
endif()
