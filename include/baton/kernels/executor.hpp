// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The executor as most users want it: with the kernels of the target.
#pragma once

#include <baton/kernels/kernels.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/basic_methods_executor.hpp>
#include <baton/run/kernel.hpp>

#if defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#include <baton/kernels/cortex_m_kernels.hpp>
#endif
#if defined(__ARM_FEATURE_MVE)
#include <baton/kernels/helium_kernels.hpp>
#endif

namespace baton {

/// What an executor computes with whose user says nothing of kernels: those for Helium where the target has it, the Cortex-M kernels where
/// it has the DSP extension, and the portable ones.
#if defined(__ARM_FEATURE_MVE)
inline constexpr auto default_kernels = helium_kernels + cortex_m_kernels + portable_kernels;
#elif defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
inline constexpr auto default_kernels = cortex_m_kernels + portable_kernels;
#else
inline constexpr auto default_kernels = portable_kernels;
#endif

/// Runs a static program with the kernels of the target (`default_kernels`), or with a list of one's own: `baton::executor<lowered,
/// my_kernels + baton::portable_kernels>`.
template <auto Program, auto Kernels = default_kernels, plan_options Options = plan_options{}, class... Services>
using executor = basic_executor<Program, Kernels, Options, Services...>;

/// Runs the methods of a model in one arena: `baton::methods_executor<lowered, baton::state_sharing::by_name> net;`, then
/// `net.run<"prefill">(tokens, logits)` and `net.run<"decode">(token, logits)`.
template <auto Methods, state_sharing Sharing = state_sharing::apart, auto Kernels = default_kernels, plan_options Options = plan_options{},
          class... Services>
using methods_executor = basic_methods_executor<Methods, Kernels, Sharing, Options, Services...>;

}  // namespace baton
