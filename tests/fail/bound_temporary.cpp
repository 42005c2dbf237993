// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: a bound buffer is a temporary object; bind a variable that lives as long as the inferences
#include "fail/bound_net.hpp"

using six = std::array<float, 6>;

#if defined(FIXED)
six buffer;
auto bind() -> baton::status { return net.bind_input(buffer); }
#else
auto bind() -> baton::status { return net.bind_input(six{}); }
#endif
