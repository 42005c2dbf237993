# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# baton_expect(<script> <house> <text> [<definition>...]): the check <script>.cmake of a small repository must fail and say so, or pass if
# <text> is "passes".
function(baton_expect script house text)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DROOT=${house}" ${ARGN} -P "${ROOT}/tests/rooms/${script}.cmake"
                  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  # CMake breaks long lines, wherever the path ends.
  string(REGEX REPLACE "[ \n]+" " " in_a_line "${said}")
  string(REGEX REPLACE "[ \n]+" " " text_in_a_line "${text}")
  string(FIND "${in_a_line}" "${text_in_a_line}" at)
  if(text STREQUAL "passes" AND NOT status STREQUAL "0")
    message(FATAL_ERROR "what is in order must pass:\n${said}")
  elseif(NOT text STREQUAL "passes" AND (status STREQUAL "0" OR at EQUAL -1))
    message(FATAL_ERROR "must fail and say \"${text}\":\n${said}")
  endif()
endfunction()
