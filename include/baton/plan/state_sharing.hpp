// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Whether methods share their mutable buffers.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton {

/// Whether mutable buffers with the same fully qualified name are one buffer, if they belong to different methods.
enum class state_sharing : std::uint8_t {
  apart,    ///< each method has its own buffers
  by_name,  ///< the methods share one buffer: each reads the value that the previous one wrote
};

}  // namespace baton
