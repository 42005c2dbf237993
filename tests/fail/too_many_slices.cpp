// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: the root graph has too many steps for slices, more than 65534; remove in_slices, or divide the program
#include <baton/run/detail/slice_position.hpp>

#if defined(FIXED)
inline constexpr bool is_countable = baton::detail::require_countable_steps<65534>();
#else
inline constexpr bool is_countable = baton::detail::require_countable_steps<65535>();
#endif
