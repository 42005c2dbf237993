# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Tests direction.cmake on small houses: one in order, and one for each fault that it must see.
cmake_minimum_required(VERSION 3.25)

set(house "${SCRATCH}/direction_test")

# build(<rooms> [<header> <includes>]...): a house with these rooms and these headers, and nothing else.
function(build rooms)
  file(REMOVE_RECURSE "${house}")
  file(WRITE "${house}/cmake/rooms.txt" "${rooms}")
  set(arguments "${ARGN}")
  while(arguments)
    list(POP_FRONT arguments header includes)
    set(text "#pragma once\n")
    string(REPLACE " " ";" includes "${includes}")
    foreach(include IN LISTS includes)
      string(APPEND text "#include ${include}\n")
    endforeach()
    file(WRITE "${house}/include/baton/${header}" "${text}")
  endwhile()
endfunction()

# expect(<text>): the check must fail and say so, or pass if <text> is "passes".
function(expect text)
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DROOT=${house}" -P "${ROOT}/tests/rooms/direction.cmake"
                  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  string(FIND "${said}" "${text}" at)
  if(text STREQUAL "passes" AND NOT status STREQUAL "0")
    message(FATAL_ERROR "a house in order must pass:\n${said}")
  elseif(NOT text STREQUAL "passes" AND (status STREQUAL "0" OR at EQUAL -1))
    message(FATAL_ERROR "must fail and say \"${text}\":\n${said}")
  endif()
endfunction()

set(rooms "core:\nrun: core\n")
build("${rooms}" core/a.hpp "<vector>" core/b.hpp "<baton/core/a.hpp>" run/c.hpp "<baton/core/b.hpp>" baton.hpp "<baton/run/c.hpp>"
      core/query.hpp "<range/v3/view/all.hpp>")
expect("passes")
build("${rooms}" core/a.hpp "<baton/run/c.hpp>" run/c.hpp "<baton/core/b.hpp>" core/b.hpp "")
expect("baton/core/a.hpp: core may not include run")
build("${rooms}" core/a.hpp "" run/c.hpp "<vector>")
expect("run may include core, but no header does")
build("${rooms}" core/a.hpp "<baton/core/b.hpp>" core/b.hpp "<baton/core/a.hpp>" run/c.hpp "<baton/core/a.hpp>")
expect("includes go round in a cycle")
build("${rooms}" core/a.hpp "<range/v3/view/all.hpp>" run/c.hpp "<baton/core/a.hpp>")
expect("baton/core/a.hpp: only core/query.hpp and report/ may include range-v3")
build("${rooms}" core/a.hpp "" core/query.hpp "" run/c.hpp "<baton/core/a.hpp> <baton/core/query.hpp>")
expect("core/query.hpp is for users alone")
build("${rooms}" core/a.hpp "" run/c.hpp "<baton/core/a.hpp>" attic/d.hpp "")
expect("attic is no room")
build("${rooms}" core/a.hpp "" run/c.hpp "<baton/core/gone.hpp>")
expect("there is no <baton/core/gone.hpp>")
build("${rooms}" core/a.hpp "" run/c.hpp "\"baton/core/a.hpp\"")
expect("angle brackets")
build("${rooms}" core/a.hpp "" baton.hpp "" run/c.hpp "<baton/core/a.hpp> <baton/baton.hpp>")
expect("may not include the umbrella")
build("core: run\nrun:\n" core/a.hpp "" run/c.hpp "")
expect("no room above it")
