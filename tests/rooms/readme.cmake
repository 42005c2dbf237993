# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# A block of README.md that says it is compiled, is: its lines stand, in a row, in the example that it names.
#   <!-- compiled: examples/NAME.cpp -->
#   ```cpp
# A block of C++ without such a line is a fault too: nobody would notice when it no longer compiles.
#   cmake -DROOT=<repository> -P tests/rooms/readme.cmake
cmake_minimum_required(VERSION 3.25)

if(NOT EXISTS "${ROOT}/README.md")
  message(NOTICE "SKIPPED: there is no README.md")
  return()
endif()
file(READ "${ROOT}/README.md" rest)
set(rest "\n${rest}")
set(faults 0)
set(blocks 0)
string(FIND "${rest}" "\n```cpp\n" begin)
while(NOT begin EQUAL -1)
  math(EXPR blocks "${blocks} + 1")
  string(SUBSTRING "${rest}" 0 ${begin} before)
  math(EXPR begin "${begin} + 8")
  string(SUBSTRING "${rest}" ${begin} -1 rest)
  string(FIND "${rest}" "\n```" end)
  string(SUBSTRING "${rest}" 0 ${end} block)
  math(EXPR end "${end} + 1")
  string(SUBSTRING "${rest}" ${end} -1 rest)
  if(NOT before MATCHES "\n<!-- compiled: ([^\n]*) -->[ \t]*\n*$")
    message(NOTICE "README.md, block ${blocks} of C++: no line `<!-- compiled: examples/NAME.cpp -->` before it:\n${block}\n")
    math(EXPR faults "${faults} + 1")
  elseif(NOT EXISTS "${ROOT}/${CMAKE_MATCH_1}")
    message(NOTICE "README.md, block ${blocks} of C++: there is no ${CMAKE_MATCH_1}")
    math(EXPR faults "${faults} + 1")
  else()
    file(READ "${ROOT}/${CMAKE_MATCH_1}" example)
    string(FIND "\n${example}\n" "\n${block}\n" at)
    if(at EQUAL -1)
      message(NOTICE "README.md, block ${blocks} of C++, does not stand so in ${CMAKE_MATCH_1}:\n${block}\n")
      math(EXPR faults "${faults} + 1")
    endif()
  endif()
  string(FIND "${rest}" "\n```cpp\n" begin)
endwhile()
message(NOTICE "blocks of C++ in README.md: ${blocks}")
if(faults GREATER 0)
  message(FATAL_ERROR "faults: ${faults}")
endif()
