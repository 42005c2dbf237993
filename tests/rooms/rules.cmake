# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Checks that cmake/rules.cmake generates the committed headers of rules and docs/errors.md from cmake/rules.txt, that no other header of
# ROOT/include/baton has a rule, and that each rule is broken by a header. The generator checks the format of the list.
#   cmake -DROOT=<repository> -DSCRATCH=<folder> -P tests/rooms/rules.cmake
cmake_minimum_required(VERSION 3.25)
cmake_path(ABSOLUTE_PATH ROOT)

set(faults 0)
# fault(<sentence>): reports a fault and continues, so that one run reports all faults.
macro(fault sentence)
  message(NOTICE "${sentence}")
  math(EXPR faults "${faults} + 1")
endmacro()

set(fresh "${SCRATCH}/rules")
file(REMOVE_RECURSE "${fresh}")
execute_process(COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${fresh}" "-DPAGE=${fresh}/errors.md" -P "${ROOT}/cmake/rules.cmake"
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${fresh}/errors.md" "${ROOT}/docs/errors.md" RESULT_VARIABLE differs ERROR_QUIET)
if(differs)
  fault("docs/errors.md is stale; run in the repository:\n  cmake -P cmake/rules.cmake")
endif()
file(GLOB_RECURSE generated RELATIVE "${fresh}" "${fresh}/*.hpp")
file(GLOB_RECURSE headers RELATIVE "${ROOT}/include/baton" "${ROOT}/include/baton/*.hpp")
set(names "")
set(uses "")
foreach(header IN LISTS generated)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${fresh}/${header}" "${ROOT}/include/baton/${header}" RESULT_VARIABLE differs
                  ERROR_QUIET)
  if(differs)
    fault("include/baton/${header} is stale; run in the repository:\n  cmake -P cmake/rules.cmake")
  endif()
  file(STRINGS "${fresh}/${header}" lines REGEX "^struct rule<")
  list(TRANSFORM lines REPLACE "^struct rule<\"([a-z_]+)\">.*$" "\\1")
  list(APPEND names ${lines})
endforeach()
foreach(header IN LISTS headers)
  if(header IN_LIST generated)
    continue()
  endif()
  file(STRINGS "${ROOT}/include/baton/${header}" lines REGEX "<\"[a-z_]+\"[>,]")
  if(lines MATCHES "struct rule<")
    fault("${header} has a rule that is not in cmake/rules.txt; move it there")
  endif()
  # A test for a rule does not break it.
  string(REGEX REPLACE "[^a-z_]is<\"[a-z_]+\">" "" lines "${lines}")
  string(APPEND uses "${lines}\n")
endforeach()
foreach(name IN LISTS names)
  if(NOT uses MATCHES "<\"${name}\"[>,]")
    fault("no header breaks ${name}; remove the rule")
  endif()
endforeach()
list(LENGTH names count)
message(NOTICE "rules: ${count}")
if(count EQUAL 0)
  fault("there are no rules")
endif()
if(faults GREATER 0)
  message(FATAL_ERROR "faults: ${faults}")
endif()
