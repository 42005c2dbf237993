// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: the number of elements of a bound buffer differs from the required number; its size in bytes must be bound_input_bytes<I> or bound_output_bytes<I>, rounded up to whole elements
// EXPECT: given<float, 5
// EXPECT: wanted<float, 6
#include "fail/bound_net.hpp"

#if defined(FIXED)
std::array<float, 6> buffer;
#else
std::array<float, 5> buffer;
#endif

auto bind() -> baton::status { return net.bind_input(buffer); }
