// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Declares and lists the kernels that cortex_m_kernels.hpp, helium_kernels.hpp and signal_kernels.hpp define. So an executor that uses one
// of these kernels can report that the header of the kernel is not included. To add a kernel, add a declaration and an entry in its list
// here. A form of a kernel is an alternative kernel that only `within` selects. A form is also declared here, but it is listed in the
// member `forms` of its kernel.
#pragma once

#include <baton/kernel/kernel.hpp>
#include <baton/kernels/cortex_m/options.hpp>

// Defined by <baton/kernels/cortex_m_kernels.hpp>.
namespace baton::cortex_m::detail {
template <options Options>
struct winograd_conv_2d;
template <options Options>
struct conv_2d;
template <options Options>
struct packed_conv_2d;
template <options Options>
struct gathered_conv_2d;
template <options Options>
struct depthwise_conv_2d;
template <options Options>
struct depthwise_conv_2d_by_taps;
template <options Options>
struct fully_connected;
template <options Options>
struct fully_connected_from_bytes;
template <options Options>
struct add;
template <options Options>
struct average_pool_2d;
template <options Options>
struct max_pool_2d;
template <options Options>
struct lstm;
template <options Options>
struct svdf;
template <options Options>
struct int16_depthwise_conv_2d;
template <options Options>
struct int16_conv_2d;
template <options Options>
struct int16_fully_connected;
}  // namespace baton::cortex_m::detail

// Defined by <baton/kernels/helium_kernels.hpp>.
namespace baton::helium::detail {
struct conv_2d;
struct few_channel_depthwise;
struct depthwise_conv_2d;
struct fully_connected;
struct add;
struct mul;
struct average_pool_2d;
struct max_pool_2d;
}  // namespace baton::helium::detail

// Defined by <baton/kernels/signal_kernels.hpp>.
namespace baton::portable::detail {
struct signal_window;
struct signal_auto_scale;
struct signal_fourier;
struct signal_energy;
struct signal_filter_bank;
struct signal_square_root;
struct signal_spectral_subtraction;
struct signal_pcan;
struct signal_log;
struct signal_framer;
struct signal_stacker;
struct signal_delay;
struct signal_overlap_add;
}  // namespace baton::portable::detail

namespace baton {

// clang-format off
/// The Cortex-M kernels with custom options. List these kernels before the portable kernels, because a node uses the first kernel that
/// supports it: `baton::executor<lowered, baton::with_kernels<baton::cortex_m_kernels_with<baton::cortex_m::options{.max_wide_weights = 0}>
/// + baton::portable_kernels>>`.
template <cortex_m::options Options>
inline constexpr auto cortex_m_kernels_with = kernel_list<
    cortex_m::detail::winograd_conv_2d<Options>,
    cortex_m::detail::conv_2d<Options>,
    cortex_m::detail::depthwise_conv_2d<Options>,
    cortex_m::detail::fully_connected<Options>,
    cortex_m::detail::add<Options>,
    cortex_m::detail::average_pool_2d<Options>,
    cortex_m::detail::max_pool_2d<Options>,
    cortex_m::detail::lstm<Options>,
    cortex_m::detail::svdf<Options>,
    cortex_m::detail::int16_depthwise_conv_2d<Options>,
    cortex_m::detail::int16_conv_2d<Options>,
    cortex_m::detail::int16_fully_connected<Options>
    >{};

/// The Cortex-M kernels with default options.
inline constexpr auto cortex_m_kernels = cortex_m_kernels_with<cortex_m::options{}>;

/// The kernels for Helium. List these kernels before all other kernels: `baton::executor<lowered, baton::with_kernels<baton::helium_kernels
/// + baton::cortex_m_kernels + baton::portable_kernels>>`.
inline constexpr auto helium_kernels = kernel_list<
    helium::detail::conv_2d,
    helium::detail::few_channel_depthwise,
    helium::detail::depthwise_conv_2d,
    helium::detail::fully_connected,
    helium::detail::add,
    helium::detail::mul,
    helium::detail::average_pool_2d,
    helium::detail::max_pool_2d>{};

/// The kernels of the signal operators of audio front ends.
inline constexpr auto signal_kernels = kernel_list<
    portable::detail::signal_window,
    portable::detail::signal_auto_scale,
    portable::detail::signal_fourier,
    portable::detail::signal_energy,
    portable::detail::signal_filter_bank,
    portable::detail::signal_square_root,
    portable::detail::signal_spectral_subtraction,
    portable::detail::signal_pcan,
    portable::detail::signal_log,
    portable::detail::signal_framer,
    portable::detail::signal_stacker,
    portable::detail::signal_delay,
    portable::detail::signal_overlap_add>{};
// clang-format on

}  // namespace baton
