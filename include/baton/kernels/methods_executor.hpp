// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The executor of a model's methods as most users want it: with the kernels of the target.
#pragma once

#include <baton/kernels/default_kernels.hpp>
#include <baton/run/basic_methods_executor.hpp>

namespace baton {

/// Runs the methods of a model in one arena: `baton::methods_executor<lowered, baton::state_sharing::by_name> net;`, then
/// `net.run<"prefill">(tokens, logits)` and `net.run<"decode">(token, logits)`.
template <auto Methods, state_sharing Sharing = state_sharing::apart, auto Kernels = default_kernels, plan_options Options = plan_options{},
          class... Services>
using methods_executor = basic_methods_executor<Methods, Kernels, Sharing, Options, Services...>;

}  // namespace baton
