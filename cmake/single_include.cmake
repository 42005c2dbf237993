# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Makes one header out of include/baton/baton.hpp. Without arguments it rewrites the committed one:
#   cmake -P cmake/single_include.cmake
# -DOUTPUT=<file> writes elsewhere. -DFOLD=<prefix> with -DFOLD_FROM=<folder> folds in a dependency's headers too (<prefix>...).
# Own headers come once, in the order of their dependencies; what is not folded is included where it stood, so that an include
# inside an #if keeps its condition.
cmake_minimum_required(VERSION 3.25)

get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
if("${OUTPUT}" STREQUAL "")
  set(OUTPUT "${root}/single_include/baton/baton.hpp")
endif()
set(banner "Made from include/baton by: cmake -P cmake/single_include.cmake")
if(FOLD)
  set(banner "Made from include/baton and <${FOLD}...>, whose files keep their own licence, by: cmake --build <build folder> --target bundle")
endif()

# baton_find_source(<name> <out>): the file to fold in for #include <name>, or nothing.
function(baton_find_source name out)
  set(${out} "" PARENT_SCOPE)
  if(name MATCHES "^baton/")
    set(${out} "${root}/include/${name}" PARENT_SCOPE)
  elseif(FOLD AND name MATCHES "^${FOLD}" AND EXISTS "${FOLD_FROM}/${name}")
    set(${out} "${FOLD_FROM}/${name}" PARENT_SCOPE)
  endif()
endfunction()

# baton_inline(<name> <file>): appends the file to the output, after what it includes.
function(baton_inline name file)
  get_property(seen GLOBAL PROPERTY baton_seen)
  if(name IN_LIST seen)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY baton_seen "${name}")
  if(NOT EXISTS "${file}")
    message(FATAL_ERROR "single_include: <${name}> is included, but there is no ${file}")
  endif()
  file(READ "${file}" rest)
  set(rest "\n${rest}")
  string(REPLACE "\r" "" rest "${rest}")
  # The guard of a foreign header is no condition; ours have none.
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
      if(source AND NOT depth EQUAL 0)
        message(FATAL_ERROR "single_include: ${name} includes <${included}> under an #if; a folded header cannot keep that condition")
      endif()
    endif()
    if(source)
      baton_inline("${included}" "${source}")
    else()
      set_property(GLOBAL APPEND_STRING PROPERTY baton_text "${directive}")
    endif()
  endwhile()
  set_property(GLOBAL APPEND_STRING PROPERTY baton_text "${rest}")
endfunction()

set(version "")
foreach(part IN ITEMS major minor patch)
  file(STRINGS "${root}/include/baton/core/config.hpp" line REGEX "^inline constexpr int version_${part} = [0-9]+;")
  string(REGEX REPLACE "^[^0-9]*([0-9]+).*$" "\\1" line "${line}")
  list(APPEND version "${line}")
endforeach()
list(JOIN version "." version)

baton_inline(baton/baton.hpp "${root}/include/baton/baton.hpp")
get_property(text GLOBAL PROPERTY baton_text)
string(REGEX REPLACE "[ \t]+\n" "\n" text "${text}")
string(REGEX REPLACE "\n\n\n+" "\n\n" text "${text}")
string(STRIP "${text}" text)
set(pragmas "#pragma once")
if(FOLD)
  # Foreign code has its own opinion of warnings.
  string(APPEND pragmas "\n#pragma GCC system_header")
endif()
file(WRITE "${OUTPUT}" "// SPDX-FileCopyrightText: The Baton authors\n// SPDX-License-Identifier: Apache-2.0\n"
     "// Baton ${version}, the whole library in one header. Generated, do not edit.\n// ${banner}\n${pragmas}\n\n${text}\n")
