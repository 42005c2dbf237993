# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Runs an example and compares what it prints with the comment at its end:
#   cmake -DPROGRAM=<executable> -DSOURCE=<its source> -P check_output.cmake
cmake_minimum_required(VERSION 3.25)

file(READ "${SOURCE}" text)
string(FIND "${text}" "\n// Output:\n" at)
if(at EQUAL -1)
  message(FATAL_ERROR "${SOURCE} does not end with its output: a line `// Output:`, then a comment")
endif()
math(EXPR at "${at} + 12")
string(SUBSTRING "${text}" ${at} -1 expected)
string(REGEX REPLACE "(^|\n)// ?" "\\1" expected "${expected}")
execute_process(COMMAND "${PROGRAM}" OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
if(NOT found STREQUAL expected)
  message(FATAL_ERROR "${SOURCE} says that it prints\n${expected}\nbut it prints\n${found}")
endif()
