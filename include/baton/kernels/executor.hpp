// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The executor as most users want it: with the kernels of the target.
#pragma once

#include <baton/kernels/default_kernels.hpp>
#include <baton/run/basic_executor.hpp>

namespace baton {

/// Runs a static program with the kernels of the target (`default_kernels`), or with a list of one's own: `baton::executor<lowered,
/// my_kernels + baton::portable_kernels>`.
template <auto Program, auto Kernels = default_kernels, plan_options Options = plan_options{}, class... Services>
using executor = basic_executor<Program, Kernels, Options, Services...>;

}  // namespace baton
