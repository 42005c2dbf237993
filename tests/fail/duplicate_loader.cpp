// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: loaders of processed bytes are given twice; remove one
#include "run/float_net.hpp"

template <int>
struct flash {
  static auto load(const baton::processed_bytes::request&) -> baton::status_or<baton::processed_bytes::loaded> {
    return baton::status::not_found;
  }
};

template <class... Services>
using net_with = baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, Services...>;
#if defined(FIXED)
net_with<flash<0>> net;
#else
net_with<flash<0>, flash<1>> net;
#endif
