// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: event tracers are given twice; remove one
#include "run/float_net.hpp"

template <int>
struct tracer {
  static void start(const baton::trace_event&) {}
};

template <class... Services>
using net_with = baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, Services...>;
#if defined(FIXED)
net_with<tracer<0>> net;
#else
net_with<tracer<0>, tracer<1>> net;
#endif
