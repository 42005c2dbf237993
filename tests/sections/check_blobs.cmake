# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# The blobs, the named data and the operands that kernels of blobs.cpp read lie in the sections that blobs.ld has for them, these hold
# nothing else, and no section besides holds a copy; what else stands in the model's file is nowhere:
#   cmake -DOBJCOPY=<objcopy> -DIMAGE=<image> -DSCRATCH=<folder> -P check_blobs.cmake
cmake_minimum_required(VERSION 3.25)
set(blobs "blob of one node" "blob of two nodes")
set(data "table of both blobs")
set(weights "weights of one sum" "state at the beginning")
set(unread "about this model" "weights once packed")

# The bytes of some sections of the image, in hexadecimal digits.
function(read_sections digits name)
  file(MAKE_DIRECTORY "${SCRATCH}")
  set(bytes "${SCRATCH}/${name}.bin")
  file(REMOVE "${bytes}")
  execute_process(COMMAND "${OBJCOPY}" -O binary ${ARGN} "${IMAGE}" "${bytes}" COMMAND_ERROR_IS_FATAL ANY)
  file(READ "${bytes}" found HEX)
  set(${digits} "${found}" PARENT_SCOPE)
endfunction()

# How often a text stands among bytes, a variable, which is left without it.
function(take_text times bytes text)
  set(rest "${${bytes}}")
  string(HEX "${text}" wanted)
  string(LENGTH "${wanted}" size)
  set(found 0)
  string(FIND "${rest}" "${wanted}" at)
  while(NOT at EQUAL -1)
    math(EXPR found "${found} + 1")
    string(SUBSTRING "${rest}" 0 ${at} before)
    math(EXPR at "${at} + ${size}")
    string(SUBSTRING "${rest}" ${at} -1 after)
    set(rest "${before}${after}")
    string(FIND "${rest}" "${wanted}" at)
  endwhile()
  set(${times} ${found} PARENT_SCOPE)
  set(${bytes} "${rest}" PARENT_SCOPE)
endfunction()

# One section: each text once, and only zeros besides, which align.
function(check_section section)
  read_sections(digits "${section}" "--only-section=${section}")
  foreach(text IN LISTS ARGN)
    take_text(count digits "${text}")
    if(NOT count EQUAL 1)
      message(SEND_ERROR "${section} of ${IMAGE} holds \"${text}\" ${count} times, not once")
    endif()
  endforeach()
  if(NOT digits MATCHES "^0*$")
    message(SEND_ERROR "${section} of ${IMAGE} holds something else, too: ${digits}")
  endif()
endfunction()
check_section(.npu_blobs ${blobs})
check_section(.npu_data ${data})
check_section(.model_weights ${weights})

read_sections(digits others --remove-section=.npu_blobs --remove-section=.npu_data --remove-section=.model_weights)
foreach(text IN LISTS blobs data weights unread)
  take_text(count digits "${text}")
  if(NOT count EQUAL 0)
    message(SEND_ERROR "${IMAGE} holds \"${text}\" outside the section that is for it, or has none")
  endif()
endforeach()
message(STATUS "Blobs, named data and weights each in a section of their own")
