// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of the target that is compiled for.
#pragma once

#include <baton/kernels/kernels.hpp>
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

}  // namespace baton
