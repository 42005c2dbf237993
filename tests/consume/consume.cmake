# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Builds and runs project/ as somebody else's project, with Baton by WAY: package, subdirectory, single_header or bundle.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${SCRATCH}")
# Somebody else's project lies elsewhere, and knows nothing of this tree but what it is given.
file(COPY "${ROOT}/tests/consume/project" DESTINATION "${SCRATCH}")
set(way "")
if(WAY STREQUAL "package")
  execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${SCRATCH}/prefix" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  set(way "-DCMAKE_PREFIX_PATH=${SCRATCH}/prefix")
  # A package that leads back into the source tree works here, and nowhere else.
  file(GLOB_RECURSE installed "${SCRATCH}/prefix/*")
  foreach(file IN LISTS installed)
    file(READ "${file}" text)
    string(FIND "${text}" "${ROOT}/" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "the installed ${file} names the source tree")
    endif()
  endforeach()
elseif(WAY STREQUAL "subdirectory")
  set(way "-DBATON_SUBDIRECTORY=${ROOT}")
elseif(WAY STREQUAL "single_header")
  set(way "-DBATON_SINGLE_HEADER=${ROOT}/single_include")
elseif(WAY STREQUAL "bundle")
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BUILD}" --target bundle OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(STRINGS "${BUILD}/bundle/baton/baton.hpp" left REGEX "^[ \t]*#[ \t]*include[ \t]*<(baton|boost)/")
  if(left)
    message(FATAL_ERROR "the bundle still includes: ${left}")
  endif()
  set(way "-DBATON_SINGLE_HEADER=${BUILD}/bundle")
endif()
file(COPY_FILE "${BYTES}" "${SCRATCH}/project/bytes.bin")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${SCRATCH}/project" -B "${SCRATCH}/build" -G "${GENERATOR}" "-DCMAKE_MAKE_PROGRAM=${MAKE_PROGRAM}"
          "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}" ${way} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${SCRATCH}/build" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${SCRATCH}/build/consumer" COMMAND_ERROR_IS_FATAL ANY)
if(WAY STREQUAL "package" OR WAY STREQUAL "subdirectory")
  include("${ROOT}/tests/consume/check_reports.cmake")
  check_reports("${SCRATCH}/build/consumer.report")
endif()
