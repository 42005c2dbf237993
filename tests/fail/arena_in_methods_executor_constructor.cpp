// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: an executor cannot be constructed with an arena, because it contains its arena; remove the argument
#include <baton/run/basic_methods_executor.hpp>

#include "run/float_net.hpp"

#include <span>

constexpr auto methods = baton::methods(baton::method<"forward">(float_net::model));
using net_type = baton::basic_methods_executor<methods, baton::kernels<float_net::copy>>;
char arena[2048];

#if defined(FIXED)
net_type net;
#else
net_type net{std::span<char>(arena)};
#endif
