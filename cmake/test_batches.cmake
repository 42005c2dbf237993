# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_test_batches(<folder> <out> <source>...): returns files that include up to ten of the sources each, in the order of the sources.
# GCC needs 2 to 4 seconds for the headers of a test and Clang 1 to 2, so ten tests in one file take half to three quarters of the time of
# ten files. Larger files would not be faster, and would need more than 3 GB. Each source is in its own namespace. A source stays a separate
# file if it has its own options, defines macros, opens the namespace of the library, or has a line that begins with "// alone: ", which
# says why.
function(baton_test_batches folder out)
  set(script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/test_batch_file.cmake")
  set(files "")
  set(batch "")
  set(number 0)
  foreach(source IN LISTS ARGN ITEMS end)
    set(stays_alone "")
    if(NOT source STREQUAL "end")
      get_source_file_property(stays_alone "${source}" COMPILE_OPTIONS)
      if(NOT stays_alone)
        file(STRINGS "${source}" stays_alone REGEX "^(// alone: |#if|#define|namespace baton|template <>|extern )" LIMIT_COUNT 1)
      endif()
    endif()
    if(stays_alone)
      list(APPEND files "${source}")
      continue()
    endif()
    list(LENGTH batch size)
    if(batch AND (size EQUAL 10 OR source STREQUAL "end"))
      set(file "${CMAKE_CURRENT_BINARY_DIR}/batches/${folder}_${number}.cpp")
      add_custom_command(
        OUTPUT "${file}"
        COMMAND "${CMAKE_COMMAND}" "-DSOURCES=${batch}" "-DOUTPUT=${file}" -P "${script}"
        DEPENDS ${batch} "${script}"
        COMMENT "Including tests of ${folder} in one file"
        VERBATIM)
      list(APPEND files "${file}")
      math(EXPR number "${number} + 1")
      set(batch "")
    endif()
    list(APPEND batch "${source}")
  endforeach()
  set(${out} "${files}" PARENT_SCOPE)
endfunction()
