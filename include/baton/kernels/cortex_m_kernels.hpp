// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The list of kernels for a Cortex-M with the DSP extension; they run everywhere, and pay there. A new one is a line here.
#pragma once

#include <baton/kernels/cortex_m/add.hpp>
#include <baton/kernels/cortex_m/conv_2d.hpp>
#include <baton/kernels/cortex_m/depthwise_conv_2d.hpp>
#include <baton/kernels/cortex_m/fully_connected.hpp>
#include <baton/kernels/cortex_m/options.hpp>
#include <baton/kernels/cortex_m/pooling.hpp>
#include <baton/kernels/cortex_m/recurrent.hpp>
#include <baton/kernels/cortex_m/winograd_conv_2d.hpp>
#include <baton/run/kernel.hpp>

namespace baton {

// clang-format off
/// The Cortex-M kernels with options of one's own, to stand in front of the portable ones:
/// `baton::executor<lowered, baton::cortex_m_kernels_with<baton::cortex_m::options{.wide_weights = 0}> + baton::portable_kernels>`.
template <cortex_m::options Options>
inline constexpr auto cortex_m_kernels_with = kernel_list<
    cortex_m::detail::winograd_conv_2d<Options>,
    cortex_m::detail::conv_2d<Options>,
    cortex_m::detail::depthwise_conv_2d<Options>,
    cortex_m::detail::fully_connected<Options>,
    cortex_m::detail::add<Options>,
    cortex_m::detail::average_pool_2d<Options>,
    cortex_m::detail::max_pool_2d<Options>,
    cortex_m::detail::lstm<Options>
    >{};
// clang-format on

/// The same as most users want them.
inline constexpr auto cortex_m_kernels = cortex_m_kernels_with<cortex_m::options{}>;

}  // namespace baton
