# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Runs an example and compares its output with the comment at its end:
#   cmake -DPROGRAM=<executable> -DSOURCE=<its source> -P check_output.cmake
cmake_minimum_required(VERSION 3.25)

file(READ "${SOURCE}" text)
string(FIND "${text}" "\n// Output:\n" at)
if(at EQUAL -1)
  message(FATAL_ERROR "${SOURCE} does not end with its output; add a line `// Output:` and a comment")
endif()
math(EXPR at "${at} + 12")
string(SUBSTRING "${text}" ${at} -1 expected)
string(REGEX REPLACE "(^|\n)// ?" "\\1" expected "${expected}")
execute_process(COMMAND "${PROGRAM}" OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "the output differs from the comment at the end of ${SOURCE}\nexpected:\n${expected}\nactual:\n${output}")
endif()
