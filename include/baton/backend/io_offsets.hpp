// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The preferred offsets of arguments and results in the scratch of a delegate.
#pragma once

#include <baton/core/vector.hpp>

#include <cstdint>

namespace baton {

/// The preferred offsets of arguments and results in the scratch of a delegate (the working memory of `execute`), in bytes. A value that is
/// stored at its preferred offset is not copied. There is one offset for each argument and each result, in order. -1 means no preference;
/// trailing entries of -1 may be omitted. Arguments must not overlap each other, and results must not overlap each other.
struct io_offsets {
  vector<std::int64_t> inputs;
  vector<std::int64_t> outputs;
};

}  // namespace baton
