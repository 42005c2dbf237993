# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Precompiles headers for the files in this folder. With Clang, baton.hpp, so that diagnostics have the include chain that users see. With
# GCC, only the headers that most files need, because the loading time of its precompiled headers grows with their size.
#   cmake -DCOMPILER=<path> -DCOMPILER_ID=<GNU or Clang> -DFLAGS=<list> -DROOT=<repository> -DFOLDER=<folder> -P precompile.cmake
# Writes <folder>/common.hpp, which names compiler and flags, and the precompiled header next to it. Does nothing if the precompiled header
# is newer than all headers and has the same compiler and flags.
cmake_minimum_required(VERSION 3.25)

set(header "${FOLDER}/common.hpp")
set(precompiled "${header}.gch")
set(source "${header}")
set(quiet "")
if(COMPILER_ID STREQUAL "Clang")
  set(precompiled "${header}.pch")
  set(source "${ROOT}/include/baton/baton.hpp")
  set(quiet -Wno-pragma-once-outside-header)
endif()
file(GLOB_RECURSE headers "${ROOT}/include/*.hpp")
execute_process(COMMAND ${COMPILER} --version OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "[^A-Za-z0-9.()-]+" " " key "${version} ${FLAGS}")
set(text "// ${key}\n#include <baton/core/static_program.hpp>\n#include <baton/lower/to_backend.hpp>\n")
set(is_fresh FALSE)
if(EXISTS "${precompiled}")
  file(READ "${header}" before)
  string(COMPARE EQUAL "${before}" "${text}" is_fresh)
  foreach(each IN LISTS headers CMAKE_CURRENT_LIST_FILE)
    if("${each}" IS_NEWER_THAN "${precompiled}")
      set(is_fresh FALSE)
    endif()
  endforeach()
endif()
if(NOT is_fresh)
  file(MAKE_DIRECTORY "${FOLDER}")
  file(WRITE "${header}" "${text}")
  file(REMOVE "${precompiled}")
  execute_process(COMMAND ${COMPILER} ${FLAGS} ${quiet} -x c++-header "${source}" -o "${precompiled}" COMMAND_ERROR_IS_FATAL ANY)
endif()
