// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Whether methods share their states.
#pragma once

#include <baton/core/config.hpp>

#include <cstdint>

namespace baton {

/// Whether a mutable buffer of one method is that of another which has its fully qualified name.
enum class state_sharing : std::uint8_t {
  apart,    ///< every method has its own
  by_name,  ///< they are one: what one method leaves in it the next one finds
};

}  // namespace baton
