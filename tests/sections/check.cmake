# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Checks that every `net_*` that the source defines is a symbol of the object, in .bss. With ABSENT, checks that no symbol name contains
# this text:
#   cmake -DNM=<nm> -DOBJECT=<object> -DSOURCE=<source> [-DABSENT=<text>] -P check.cmake
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND "${NM}" "${OBJECT}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
file(READ "${SOURCE}" source)
string(REGEX MATCHALL "> net_[a-z_]+" defined "${source}")
list(LENGTH defined count)
if(count EQUAL 0)
  message(FATAL_ERROR "${SOURCE} does not define net_*")
endif()
foreach(match IN LISTS defined)
  string(REGEX MATCH "net_[a-z_]+" net "${match}")
  if(NOT symbols MATCHES " ([A-Za-z]) ${net}\n")
    message(FATAL_ERROR "${net} is not a symbol of ${OBJECT}")
  endif()
  if(NOT CMAKE_MATCH_1 MATCHES "[Bb]")
    message(SEND_ERROR "${net} is not in .bss (nm: ${CMAKE_MATCH_1}), so its arena would be stored in flash and copied at boot")
  endif()
endforeach()
if(DEFINED ABSENT AND symbols MATCHES "${ABSENT}")
  message(SEND_ERROR "${OBJECT} has the symbol ${ABSENT}, so it contains the whole program instead of its facts")
endif()
message(STATUS "${count} executors in .bss")
