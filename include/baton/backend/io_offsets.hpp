// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The offsets at which a delegate wants its arguments and results in its scratch.
#pragma once

#include <baton/core/vector.hpp>

#include <cstdint>

namespace baton {

/// The preferred offsets of a delegate's arguments and results in its scratch, in bytes; at these offsets they need no copy. There is one
/// offset for each argument and each result, in order. -1 means no preference; a list may omit trailing -1. Arguments must not overlap each
/// other, and results must not overlap each other.
struct io_offsets {
  vector<std::int64_t> inputs;
  vector<std::int64_t> outputs;
};

}  // namespace baton
