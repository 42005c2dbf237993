// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E57
// EXPECT: baton option_set: a set has more options than its capacity; increase the capacity
#include <baton/compat/executorch/option_set.hpp>

#if defined(FIXED)
constexpr std::size_t capacity = 2;
#else
constexpr std::size_t capacity = 1;
#endif

constexpr baton::option_set<capacity> options{baton::option{"threads", 4}, baton::option{"debug", true}};
