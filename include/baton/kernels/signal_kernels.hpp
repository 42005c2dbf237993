// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of TensorFlow Lite Micro's signal operators, for who wants them: `baton::portable_kernels + baton::signal_kernels`.
#pragma once

#include <baton/kernels/signal/filter_bank.hpp>
#include <baton/kernels/signal/fourier.hpp>
#include <baton/kernels/signal/frames.hpp>
#include <baton/kernels/signal/spectrum.hpp>
#include <baton/run/kernel.hpp>

namespace baton {

// clang-format off
/// What computes the front ends of audio models.
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
