# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Builds and runs the example in Rust: cmake -DROOT=<repository> -DSCRATCH=<folder> -P rust.cmake
cmake_minimum_required(VERSION 3.25)

find_program(CARGO cargo)
find_program(RUSTC rustc)
if(NOT CARGO OR NOT RUSTC)
  message(NOTICE "SKIPPED: rustc and cargo are not installed (Debian: apt-get install rustc cargo)")
  return()
endif()
file(REMOVE_RECURSE "${SCRATCH}")
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${ROOT}" -B "${SCRATCH}/baton" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${SCRATCH}/baton" --prefix "${SCRATCH}/prefix" OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
# The example is copied, because cargo writes into its folder.
file(COPY "${ROOT}/examples/owned_model" "${ROOT}/examples/digits" DESTINATION "${SCRATCH}/examples")
set(ENV{CMAKE_PREFIX_PATH} "${SCRATCH}/prefix")
execute_process(COMMAND "${CARGO}" run --offline --quiet WORKING_DIRECTORY "${SCRATCH}/examples/owned_model/rust" OUTPUT_VARIABLE output
                COMMAND_ERROR_IS_FATAL ANY)
if(NOT output STREQUAL "it is a 7\n")
  message(FATAL_ERROR "the example in Rust printed: ${output}")
endif()
