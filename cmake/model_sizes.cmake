# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0

# Writes the header of a model's sizes from the object file of its probe, which contains them as text; baton_model(... SIZES) runs it:
#   cmake -DOBJECT=<object file> -DOUTPUT=<header> -DNAME=<namespace> -P model_sizes.cmake
cmake_minimum_required(VERSION 3.25)
file(STRINGS "${OBJECT}" found REGEX "baton_model arena_bytes=[0-9]+")
if(NOT found MATCHES "baton_model arena_bytes=([0-9]+)")
  message(FATAL_ERROR "baton_model: ${OBJECT} does not contain the size of the arena; compile without link-time optimization, or omit SIZES")
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "// Made by baton_model(): sizes of a model, as its target's compiler plans it. Do not edit.
#pragma once

#include <cstddef>

namespace ${NAME} {

/// The bytes of memory that the model runs in, without those of its backends.
constexpr auto arena_bytes() -> std::size_t { return ${CMAKE_MATCH_1}; }

}  // namespace ${NAME}
")
