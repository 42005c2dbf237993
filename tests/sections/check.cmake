# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Every `net_*` that the source defines is a symbol of the object, in .bss,
# and no symbol's name holds ABSENT, where that is given:
#   cmake -DNM=<nm> -DOBJECT=<object> -DSOURCE=<source> [-DABSENT=<text>] -P check.cmake
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND "${NM}" "${OBJECT}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
file(READ "${SOURCE}" source)
string(REGEX MATCHALL "> net_[a-z_]+" defined "${source}")
list(LENGTH defined count)
if(count EQUAL 0)
  message(FATAL_ERROR "${SOURCE} defines no net_*")
endif()
foreach(match IN LISTS defined)
  string(REGEX MATCH "net_[a-z_]+" net "${match}")
  if(NOT symbols MATCHES " ([A-Za-z]) ${net}\n")
    message(FATAL_ERROR "${net} is no symbol of ${OBJECT}")
  endif()
  if(NOT CMAKE_MATCH_1 MATCHES "[Bb]")
    message(SEND_ERROR "${net} is not in .bss, nm says ${CMAKE_MATCH_1}: its arena would be in flash and copied at boot")
  endif()
endforeach()
if(DEFINED ABSENT AND symbols MATCHES "${ABSENT}")
  message(SEND_ERROR "${ABSENT} is among the symbols of ${OBJECT}: what should be facts alone holds all of the program")
endif()
message(STATUS "${count} executors in .bss")
