# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Precompiles what the files here include: with Clang the umbrella, whose way to an error is then the one that users read; with GCC, whose
# precompiled headers take the longer to load the larger they are, what most files need.
#   cmake -DCOMPILER=<path> -DCOMPILER_ID=<GNU or Clang> -DFLAGS=<list> -DROOT=<repository> -DFOLDER=<folder> -P precompile.cmake
# Makes <folder>/common.hpp, which names compiler and flags, and beside it the precompiled header; nothing where that is younger than every
# header and made by the same compiler with the same flags.
cmake_minimum_required(VERSION 3.25)

set(header "${FOLDER}/common.hpp")
set(made "${header}.gch")
set(precompiled "${header}")
set(quiet "")
if(COMPILER_ID STREQUAL "Clang")
  set(made "${header}.pch")
  set(precompiled "${ROOT}/include/baton/baton.hpp")
  set(quiet -Wno-pragma-once-outside-header)
endif()
file(GLOB_RECURSE headers "${ROOT}/include/*.hpp")
execute_process(COMMAND ${COMPILER} --version OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "[^A-Za-z0-9.()-]+" " " maker "${version} ${FLAGS}")
set(text "// ${maker}\n#include <baton/core/static_program.hpp>\n#include <baton/lower/to_backend.hpp>\n")
set(is_fresh FALSE)
if(EXISTS "${made}")
  file(READ "${header}" before)
  string(COMPARE EQUAL "${before}" "${text}" is_fresh)
  foreach(each IN LISTS headers CMAKE_CURRENT_LIST_FILE)
    if("${each}" IS_NEWER_THAN "${made}")
      set(is_fresh FALSE)
    endif()
  endforeach()
endif()
if(NOT is_fresh)
  file(MAKE_DIRECTORY "${FOLDER}")
  file(WRITE "${header}" "${text}")
  file(REMOVE "${made}")
  execute_process(COMMAND ${COMPILER} ${FLAGS} ${quiet} -x c++-header "${precompiled}" -o "${made}" COMMAND_ERROR_IS_FATAL ANY)
endif()
