# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Precompiles what most files here include, for their compile with -DFIXED: what a compiler says of a mistake is judged without.
#   cmake -DCOMPILER=<path> -DCOMPILER_ID=<GNU or Clang> -DFLAGS=<list> -DROOT=<repository> -DFOLDER=<folder> -P precompile.cmake
# Makes <folder>/common.hpp and beside it the precompiled header, and nothing where that is younger than every header and made by the same
# compiler with the same flags.
cmake_minimum_required(VERSION 3.25)

set(header "${FOLDER}/common.hpp")
set(made "${header}.gch")
if(COMPILER_ID STREQUAL "Clang")
  set(made "${header}.pch")
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
  execute_process(COMMAND ${COMPILER} ${FLAGS} -x c++-header "${header}" -o "${made}" COMMAND_ERROR_IS_FATAL ANY)
endif()
