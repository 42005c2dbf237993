// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Whether methods share their mutable buffers.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton {

/// Whether mutable buffers of different methods are one buffer if they have the same fully qualified name.
enum class state_sharing : std::uint8_t {
  none,     ///< each method has its own buffers
  by_name,  ///< buffers with the same name are one buffer: a method reads the value that the previously run method wrote
};

}  // namespace baton
