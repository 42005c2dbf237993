// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Where in the scratch of a delegate its arguments and results would lie.
#pragma once

#include <baton/core/vector.hpp>

#include <cstdint>

namespace baton {

/// Where in the scratch of a delegate its arguments and results would lie if nothing were copied: offsets in bytes, in the order of
/// arguments and of results; -1, and what is left out at the end: anywhere. Arguments do not overlap, nor do results.
struct scratch_places {
  vector<std::int64_t> inputs;
  vector<std::int64_t> outputs;
};

}  // namespace baton
