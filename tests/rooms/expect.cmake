# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_expect(<script> <house> <text> [<definition>...]): runs the check <script>.cmake on the repository <house>. It must pass if <text>
# is "passes", and otherwise fail with this text.
function(baton_expect script house text)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DROOT=${house}" ${ARGN} -P "${ROOT}/tests/rooms/${script}.cmake"
                  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  # CMake breaks long lines at positions that depend on the length of the path.
  string(REGEX REPLACE "[ \n]+" " " in_a_line "${said}")
  string(REGEX REPLACE "[ \n]+" " " text_in_a_line "${text}")
  string(FIND "${in_a_line}" "${text_in_a_line}" at)
  if(text STREQUAL "passes" AND NOT status STREQUAL "0")
    message(FATAL_ERROR "a valid repository must pass, but the check prints:\n${said}")
  elseif(NOT text STREQUAL "passes" AND (status STREQUAL "0" OR at EQUAL -1))
    message(FATAL_ERROR "the check must fail with \"${text}\", but prints:\n${said}")
  endif()
endfunction()
