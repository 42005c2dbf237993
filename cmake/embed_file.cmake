# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Turns any file into a header, without a project:
#   cmake -DINPUT=keyword.tflite -DOUTPUT=keyword.tflite.hpp [-DNAME=keyword_tflite] [-DSECTION=.weights] -P cmake/embed_file.cmake
# The header holds the bytes as a string literal, not as #embed: no compiler of ours reads that faster, Clang evaluates at most 1,048,576 elements
# of it, and clangd 19 and 22 lose what follows one in a preamble.
cmake_minimum_required(VERSION 3.25)

# baton_embed_identifier(<file name> <out>): a valid C++ name that is not reserved, for any file name.
function(baton_embed_identifier name out)
  string(REGEX REPLACE "[^A-Za-z0-9]+" "_" id "${name}")
  string(REGEX REPLACE "^_|_$" "" id "${id}")
  set(keywords alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class co_await
      co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do double
      dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept
      not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires return short signed sizeof
      static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union
      unsigned using virtual void volatile wchar_t while xor xor_eq import module main)
  if(id MATCHES "^[0-9]" OR id STREQUAL "" OR id IN_LIST keywords)
    string(REGEX REPLACE "_$" "" id "file_${id}")
  endif()
  set(${out} "${id}" PARENT_SCOPE)
endfunction()

if("${INPUT}" STREQUAL "" OR "${OUTPUT}" STREQUAL "")
  message(FATAL_ERROR "Usage: cmake -DINPUT=<file> -DOUTPUT=<header> [-DNAME=<identifier>] [-DSECTION=<section>] -P embed_file.cmake")
endif()
cmake_path(ABSOLUTE_PATH INPUT NORMALIZE)
cmake_path(ABSOLUTE_PATH OUTPUT NORMALIZE)
if(NOT EXISTS "${INPUT}" OR IS_DIRECTORY "${INPUT}")
  message(FATAL_ERROR "baton_embed: no file at ${INPUT}")
endif()
get_filename_component(file_name "${INPUT}" NAME)
if("${NAME}" STREQUAL "")
  baton_embed_identifier("${file_name}" NAME)
elseif(NOT NAME MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
  message(FATAL_ERROR "baton_embed: \"${NAME}\" is not a C++ identifier; give another NAME for ${file_name}")
endif()

# Without `used`, GCC's link-time optimizer moves an inline variable back to .rodata.
set(attributes "alignas(16)")
if(NOT "${SECTION}" STREQUAL "")
  if(NOT SECTION MATCHES "^[A-Za-z0-9_.$]+$")
    message(FATAL_ERROR "baton_embed: \"${SECTION}\" is no name of a section; give another SECTION for ${file_name}")
  endif()
  string(PREPEND attributes "[[gnu::section(\"${SECTION}\"), gnu::used]] ")
endif()

file(READ "${INPUT}" bytes HEX)
string(LENGTH "${bytes}" size)
math(EXPR size "${size} / 2")
# 32 bytes a line: no compiler has to hold one line of a megabyte. Every byte is escaped, so none can run into its neighbour.
string(REGEX REPLACE "(................................................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([^\n]+)" "\"\\1\"" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${bytes}")
string(STRIP "${bytes}" bytes)
if(bytes STREQUAL "")
  set(bytes "\"\"")
endif()

string(REGEX REPLACE "[\\\\\n]" "?" shown "${file_name}")
set(text "// Made by baton_embed() from ${shown}: ${size} bytes, and one more that is zero. Do not edit.\n#pragma once\n#pragma GCC system_header\n\n")
string(APPEND text "${attributes} inline constexpr char ${NAME}[] =\n${bytes};\n")
file(WRITE "${OUTPUT}" "${text}")
