# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Generates one header from the doors, the headers that users include. Without arguments, it rewrites the committed header:
#   cmake -P cmake/single_include.cmake
# The other doors are written to the same folder and only include it. -DOUTPUT=<file> writes another file. -DFOLD=<prefix> with
# -DFOLD_FROM=<folder> also folds the headers <prefix>... of a dependency.
# Each header of Baton is folded once, after its dependencies. Other includes stay in place, so that an include inside an #if keeps its
# condition. A header of Baton inside an #if is folded there, and must not be needed outside of the #if later.
cmake_minimum_required(VERSION 3.25)

get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
if("${OUTPUT}" STREQUAL "")
  set(OUTPUT "${root}/single_include/baton/baton.hpp")
endif()
set(banner "Generated from include/baton by: cmake -P cmake/single_include.cmake")
if(FOLD)
  set(banner "Generated from include/baton and <${FOLD}...>, whose files keep their license, by: cmake --build <build folder> --target bundle")
endif()

# baton_find_source(<name> <out>): returns the file that replaces #include <name>, or an empty string if the include stays.
function(baton_find_source name out)
  set(${out} "" PARENT_SCOPE)
  if(name MATCHES "^baton/")
    set(${out} "${root}/include/${name}" PARENT_SCOPE)
  elseif(FOLD AND name MATCHES "^${FOLD}" AND EXISTS "${FOLD_FROM}/${name}")
    set(${out} "${FOLD_FROM}/${name}" PARENT_SCOPE)
  endif()
endfunction()

# baton_inline(<name> <file> <is conditional>): appends the folded includes of the file, and the file, to the output.
function(baton_inline name file is_conditional)
  get_property(seen GLOBAL PROPERTY baton_seen)
  get_property(seen_in_if GLOBAL PROPERTY baton_seen_in_if)
  if(name IN_LIST seen_in_if AND NOT is_conditional)
    message(FATAL_ERROR "single_include: <${name}> is folded inside an #if, but needed outside of it later; include it before the #if")
  endif()
  if(name IN_LIST seen)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY baton_seen "${name}")
  if(is_conditional)
    set_property(GLOBAL APPEND PROPERTY baton_seen_in_if "${name}")
  endif()
  if(NOT EXISTS "${file}")
    message(FATAL_ERROR "single_include: <${name}> is included, but there is no ${file}")
  endif()
  file(READ "${file}" rest)
  set(rest "\n${rest}")
  string(REPLACE "\r" "" rest "${rest}")
  # The include guard of a third-party header is not a condition. Headers of Baton have no include guards.
  set(depth 0)
  if(NOT name MATCHES "^baton/"
     AND rest MATCHES "\n[ \t]*#[ \t]*ifndef[ \t]+([A-Za-z0-9_]+)[^\n]*\n[ \t]*#[ \t]*define[ \t]+([A-Za-z0-9_]+)[ \t]*\n"
     AND CMAKE_MATCH_1 STREQUAL CMAKE_MATCH_2)
    set(depth -1)
  endif()
  string(REGEX REPLACE "\n// SPDX-[^\n]*" "" rest "${rest}")
  string(REGEX REPLACE "\n[ \t]*#[ \t]*pragma[ \t]+once[^\n]*" "" rest "${rest}")
  set_property(GLOBAL APPEND_STRING PROPERTY baton_text "\n\n// ---- ${name}\n")
  while(rest MATCHES "\n[ \t]*#[ \t]*(include[ \t]*[<\"][^>\"]*[>\"]|if|endif)[^\n]*")
    set(directive "${CMAKE_MATCH_0}")
    set(kind "${CMAKE_MATCH_1}")
    string(FIND "${rest}" "${directive}" begin)
    string(LENGTH "${directive}" length)
    math(EXPR end "${begin} + ${length}")
    string(SUBSTRING "${rest}" 0 ${begin} before)
    string(SUBSTRING "${rest}" ${end} -1 rest)
    set_property(GLOBAL APPEND_STRING PROPERTY baton_text "${before}")
    set(source "")
    if(kind STREQUAL "if")
      math(EXPR depth "${depth} + 1")
    elseif(kind STREQUAL "endif")
      math(EXPR depth "${depth} - 1")
    else()
      string(REGEX REPLACE "^include[ \t]*[<\"]([^>\"]*)[>\"]$" "\\1" included "${kind}")
      baton_find_source("${included}" source)
      if(source AND NOT depth EQUAL 0 AND NOT included MATCHES "^baton/")
        message(FATAL_ERROR "single_include: ${name} includes <${included}> inside an #if, but a folded header cannot keep this condition")
      endif()
    endif()
    if(source)
      set(is_inside "${is_conditional}")
      if(NOT depth EQUAL 0)
        set(is_inside TRUE)
      endif()
      baton_inline("${included}" "${source}" ${is_inside})
    else()
      set_property(GLOBAL APPEND_STRING PROPERTY baton_text "${directive}")
    endif()
  endwhile()
  set_property(GLOBAL APPEND_STRING PROPERTY baton_text "${rest}")
endfunction()

include("${CMAKE_CURRENT_LIST_DIR}/version.cmake")
baton_read_version("${root}" version)

foreach(door IN ITEMS baton graph importer kernel plan report)
  baton_inline(baton/${door}.hpp "${root}/include/baton/${door}.hpp" FALSE)
endforeach()
get_property(text GLOBAL PROPERTY baton_text)
string(REGEX REPLACE "[ \t]+\n" "\n" text "${text}")
string(REGEX REPLACE "\n\n\n+" "\n\n" text "${text}")
string(STRIP "${text}" text)
set(pragmas "#pragma once")
set(licenses "Apache-2.0")
set(license "")
if(FOLD)
  set(licenses "Apache-2.0 AND BSL-1.0")
  # The license of Boost requires its text in copies.
  set(license [=[
//
// The license of the code of Boost:
//
// Boost Software License - Version 1.0 - August 17th, 2003
//
// Permission is hereby granted, free of charge, to any person or organization obtaining a copy of the software and accompanying
// documentation covered by this license (the "Software") to use, reproduce, display, distribute, execute, and transmit the Software, and to
// prepare derivative works of the Software, and to permit third-parties to whom the Software is furnished to do so, all subject to the
// following:
//
// The copyright notices in the Software and this entire statement, including the above license grant, this restriction and the following
// disclaimer, must be included in all copies of the Software, in whole or in part, and all derivative works of the Software, unless such
// copies or derivative works are solely in the form of machine-executable object code generated by a source language processor.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
// MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE, TITLE AND NON-INFRINGEMENT. IN NO EVENT SHALL THE COPYRIGHT HOLDERS OR ANYONE
// DISTRIBUTING THE SOFTWARE BE LIABLE FOR ANY DAMAGES OR OTHER LIABILITY, WHETHER IN CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR
// IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
]=])
  # The folded third-party code may cause warnings.
  string(APPEND pragmas "\n#pragma GCC system_header")
endif()
cmake_path(GET OUTPUT PARENT_PATH folder)
foreach(door IN ITEMS graph importer kernel plan report)
  file(WRITE "${folder}/${door}.hpp"
       "// SPDX-FileCopyrightText: The Baton authors\n// SPDX-License-Identifier: Apache-2.0\n// Generated, do not edit. Includes baton.hpp, which has the contents of this header.\n#pragma once\n\n#include \"baton.hpp\"\n")
endforeach()
file(WRITE "${OUTPUT}" "// SPDX-FileCopyrightText: The Baton authors\n// SPDX-License-Identifier: ${licenses}\n"
     "// Baton ${version}, the whole library in one header. Generated, do not edit.\n// ${banner}\n${license}${pragmas}\n\n${text}\n")
