# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Writes a file that includes several tests, each in its own namespace. The headers of all tests are included first, outside of these
# namespaces; each has `#pragma once`.
#   cmake "-DSOURCES=<test>;<test>" -DOUTPUT=<file.cpp> -P cmake/test_batch_file.cmake
cmake_minimum_required(VERSION 3.25)

set(headers "")
set(tests "")
foreach(source IN LISTS SOURCES)
  cmake_path(GET source PARENT_PATH folder)
  cmake_path(GET source STEM name)
  file(STRINGS "${source}" lines REGEX "^#include ")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*$" "${folder}/\\1" beside "${line}")
    if(EXISTS "${beside}")
      set(line "#include \"${beside}\"")
    endif()
    list(APPEND headers "${line}")
  endforeach()
  string(APPEND tests "namespace ${name} {\n#include \"${source}\"\n}\n")
endforeach()
list(REMOVE_DUPLICATES headers)
list(JOIN headers "\n" headers)
file(WRITE "${OUTPUT}" "${headers}\n${tests}")
