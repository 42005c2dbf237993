# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the sections of processed_bytes.ld contain exactly the processed bytes, the named data and the operands of kernels of
# processed_bytes.cpp, and that no other section has a copy of them. The rest of the model's file must not be in the image:
#   cmake -DOBJCOPY=<objcopy> -DIMAGE=<image> -DSCRATCH=<folder> -P check_processed_bytes.cmake
cmake_minimum_required(VERSION 3.25)
set(processed_bytes "blob of one node" "blob of two nodes")
set(data "table of both blobs")
set(weights "weights of one sum" "state at the beginning")
set(unread "about this model" "weights once packed")

# read_sections(<digits> <name> <option of objcopy>...): sets <digits> to the bytes of the selected sections, in hexadecimal.
function(read_sections digits name)
  file(MAKE_DIRECTORY "${SCRATCH}")
  set(bytes "${SCRATCH}/${name}.bin")
  file(REMOVE "${bytes}")
  execute_process(COMMAND "${OBJCOPY}" -O binary ${ARGN} "${IMAGE}" "${bytes}" COMMAND_ERROR_IS_FATAL ANY)
  file(READ "${bytes}" hex HEX)
  set(${digits} "${hex}" PARENT_SCOPE)
endfunction()

# count_and_remove(<times> <bytes> <text>): sets <times> to the number of occurrences of <text> in the variable <bytes>, and removes them from it.
function(count_and_remove times bytes text)
  set(rest "${${bytes}}")
  string(HEX "${text}" wanted)
  string(LENGTH "${wanted}" size)
  set(count 0)
  string(FIND "${rest}" "${wanted}" at)
  while(NOT at EQUAL -1)
    math(EXPR count "${count} + 1")
    string(SUBSTRING "${rest}" 0 ${at} before)
    math(EXPR at "${at} + ${size}")
    string(SUBSTRING "${rest}" ${at} -1 after)
    set(rest "${before}${after}")
    string(FIND "${rest}" "${wanted}" at)
  endwhile()
  set(${times} ${count} PARENT_SCOPE)
  set(${bytes} "${rest}" PARENT_SCOPE)
endfunction()

# check_section(<section> <text>...): checks that the section contains each text once, and apart from them only zeros for alignment.
function(check_section section)
  read_sections(digits "${section}" "--only-section=${section}")
  foreach(text IN LISTS ARGN)
    count_and_remove(count digits "${text}")
    if(NOT count EQUAL 1)
      message(SEND_ERROR "${section} of ${IMAGE} contains \"${text}\" ${count} times instead of once")
    endif()
  endforeach()
  if(NOT digits MATCHES "^0*$")
    message(SEND_ERROR "${section} of ${IMAGE} contains other bytes: ${digits}")
  endif()
endfunction()
check_section(.npu_processed_bytes ${processed_bytes})
check_section(.npu_data ${data})
check_section(.model_weights ${weights})

read_sections(digits others --remove-section=.npu_processed_bytes --remove-section=.npu_data --remove-section=.model_weights)
foreach(text IN LISTS processed_bytes data weights unread)
  count_and_remove(count digits "${text}")
  if(NOT count EQUAL 0)
    message(SEND_ERROR "${IMAGE} contains \"${text}\" outside its section, or contains a text that must be omitted")
  endif()
endforeach()
message(STATUS "The processed bytes, the named data and the weights are in their sections")
