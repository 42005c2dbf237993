# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Tests the errors of baton_model() for wrong arguments: cmake -DROOT=<repository> -DSCRATCH=<folder> -P wrong_model.cmake
cmake_minimum_required(VERSION 3.25)

set(faults 0)
# expect(<sentence> <call>): fails unless this call of baton_model is an error whose message contains the sentence.
function(expect sentence call)
  file(WRITE "${SCRATCH}/CMakeLists.txt" "cmake_minimum_required(VERSION 3.25)
project(wrong LANGUAGES NONE)
function(load)  # only functions and properties remain, as from a subdirectory
  include(\"${ROOT}/cmake/model.cmake\")
endfunction()
load()
file(WRITE \"\${CMAKE_CURRENT_SOURCE_DIR}/7-keywords.tflite\" \"\")
add_library(facts INTERFACE)
add_library(firmware STATIC)
add_custom_target(firmware_model_taken)
${call}
")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SCRATCH}" -B "${SCRATCH}/build" RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE message)
  string(REGEX REPLACE "[ \n]+" " " message "${message}")
  string(FIND "${message}" "${sentence}" at)
  if(status EQUAL 0 OR at EQUAL -1)
    message(NOTICE "${call}\n  expected: ${sentence}\n  actual: ${message}")
    math(EXPR faults "${faults} + 1")
    set(faults ${faults} PARENT_SCOPE)
  endif()
endfunction()

set(model "7-keywords.tflite NAME keywords")
expect("there is no file ${SCRATCH}/keyword.tflite; correct the name" "baton_model(firmware keyword.tflite)")
expect("\"7-keywords\" cannot be used as a namespace; set NAME" "baton_model(firmware 7-keywords.tflite)")
expect("\"baton\" cannot be used as a namespace; set NAME" "baton_model(firmware 7-keywords.tflite NAME baton)")
expect("\"auto\" cannot be used as a namespace; set NAME" "baton_model(firmware 7-keywords.tflite NAME auto)")
expect("firmware already has a model taken; set another NAME" "baton_model(firmware 7-keywords.tflite NAME taken)")
expect("there is no target other; call add_executable or add_library before" "baton_model(other ${model})")
expect("facts compiles nothing, so no translation unit of it can own a model" "baton_model(facts ${model})")
expect("BACKENDS and PARTITIONER need each other" "baton_model(firmware ${model} BACKENDS my_npu)")
expect("BACKENDS and PARTITIONER need each other" "baton_model(firmware ${model} PARTITIONER my_partitioner{})")
expect("no value is given for KERNELS; write baton_model(" "baton_model(firmware ${model} KERNELS)")
expect("unknown argument \"extra\"; write baton_model(" "baton_model(firmware 7-keywords.tflite extra NAME keywords)")
expect("in the section \".ccmram\", the zero bytes of the arena take as much flash as RAM" "baton_model(firmware ${model} ARENA .ccmram)")
expect("there is no file ${SCRATCH}/weights.bin, which FILES names; correct the name" "baton_model(firmware ${model} FILES weights.bin)")
expect("FILES selects the importer of ONNX models" "baton_model(firmware ${model} FILES 7-keywords.tflite ENTRY decode)")
if(faults GREATER 0)
  message(FATAL_ERROR "faults: ${faults}")
endif()
