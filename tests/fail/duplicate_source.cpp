// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: sources of named data are given twice; remove one
#include "run/float_net.hpp"

#include <string_view>

template <int>
struct file {
  static auto find_named_data(std::string_view) -> baton::status_or<baton::span<const char>> { return baton::status::not_found; }
};

template <class... Services>
using net_with = baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, Services...>;
#if defined(FIXED)
net_with<file<0>> net;
#else
net_with<file<0>, file<1>> net;
#endif
