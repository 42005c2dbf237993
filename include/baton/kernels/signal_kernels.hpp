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
inline constexpr auto signal_kernels = kernels<
    portable::signal_window,
    portable::signal_auto_scale,
    portable::signal_fourier,
    portable::signal_energy,
    portable::signal_filter_bank,
    portable::signal_square_root,
    portable::signal_spectral_subtraction,
    portable::signal_pcan,
    portable::signal_log,
    portable::signal_framer,
    portable::signal_stacker,
    portable::signal_delay,
    portable::signal_overlap_add>;
// clang-format on

}  // namespace baton
