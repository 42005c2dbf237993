// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The number of what is not there.
#pragma once

#include <cstdint>

namespace baton {

/// An index, an offset or a position that is none, as in `std::string_view`. Ids have `none<Id>`, which is the same number.
inline constexpr std::uint32_t npos = 0xffffffffu;

}  // namespace baton
