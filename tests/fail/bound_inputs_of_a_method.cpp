// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton bound_inputs: a method of a methods executor cannot bind inputs or outputs; use an executor of one program
#include "fail/bound_net.hpp"

#include <baton/lower/methods.hpp>
#include <baton/run/basic_methods_executor.hpp>

#if !defined(FIXED)
constexpr auto all = baton::methods(baton::method<"forward">(float_net::model));
baton::basic_methods_executor<all, baton::kernels<float_net::copy>, baton::state_sharing::none, baton::plan_options{},
                              baton::bound_inputs<0>>
    other;
#endif
