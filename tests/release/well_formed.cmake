# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Checks ROOT/packaging without building: JSON can be parsed, scripts have no syntax error, and each channel has a test, a section of the
# README and a line in cmake/versions.txt. Each template of examples/boards has a test, and a line in docs/boards.md.
#   cmake -DROOT=<repository> -P tests/release/well_formed.cmake
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH ROOT)

file(GLOB_RECURSE jsons "${ROOT}/packaging/*.json")
foreach(file IN LISTS jsons)
  file(READ "${file}" text)
  string(JSON name ERROR_VARIABLE error GET "${text}" name)
  if(error)
    message(FATAL_ERROR "${file}: ${error}")
  endif()
endforeach()
foreach(script IN ITEMS cmake/release.sh cmake/api.sh cmake/api_changes.sh packaging/test.sh packaging/assemble.sh cmake/size_report.sh examples/boards/test.sh)
  execute_process(COMMAND sh -n "${ROOT}/${script}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()

file(STRINGS "${ROOT}/packaging/test.sh" tested REGEX "^channels=")
file(READ "${ROOT}/packaging/README.md" page)
file(READ "${ROOT}/cmake/versions.txt" versions)
file(GLOB folders RELATIVE "${ROOT}/packaging" "${ROOT}/packaging/*")
foreach(channel IN LISTS folders)
  if(NOT IS_DIRECTORY "${ROOT}/packaging/${channel}" OR channel STREQUAL "consumer")
    continue()
  endif()
  string(REPLACE "-" "_" function "${channel}")
  if(NOT tested MATCHES "[ \"]${channel}[ \"]")
    message(FATAL_ERROR "packaging/test.sh has no test of the channel ${channel}; add it to `channels`, and a function test_${function}")
  endif()
  if(NOT page MATCHES "packaging/${channel}|\\(${channel}[/)]|assemble.sh ${channel} ")
    message(FATAL_ERROR "packaging/README.md does not say how to use packaging/${channel}")
  endif()
  # The module of Zephyr has no version; the manifest of the user selects a revision.
  if(NOT versions MATCHES "\npackaging/${channel}/" AND NOT channel STREQUAL "zephyr")
    message(FATAL_ERROR "cmake/versions.txt has no line for packaging/${channel}")
  endif()
endforeach()

file(STRINGS "${ROOT}/examples/boards/test.sh" tested REGEX "^all=")
file(READ "${ROOT}/docs/boards.md" page)
file(GLOB readmes RELATIVE "${ROOT}/examples/boards" "${ROOT}/examples/boards/*/README.md")
foreach(readme IN LISTS readmes)
  cmake_path(GET readme PARENT_PATH template)
  if(NOT tested MATCHES "[ \"]${template}[ \"]")
    message(FATAL_ERROR "examples/boards/test.sh does not build ${template}; add it to `all`")
  endif()
  if(NOT page MATCHES "/boards/${readme}")
    message(FATAL_ERROR "docs/boards.md does not list ${template}")
  endif()
endforeach()
