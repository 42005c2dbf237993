// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fully connected layers on int8 for a Cortex-M with Helium.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernels/helium/detail/dense.hpp>
#include <baton/kernels/helium/detail/packed_kernel.hpp>
#include <baton/kernels/portable/fully_connected.hpp>

namespace baton::helium {

namespace detail {

/// A kernel that computes `tfl.fully_connected` and `baton.fully_connected` on int8 with constant weights. Requires requantization factors
/// in [0, 1/2), and sums that provably fit 32 bits. Outputs are bit-identical to `portable::fully_connected`.
struct fully_connected : detail::packed_kernel<fully_connected, detail::dense> {
  static constexpr literal_name operators[] = {"tfl.fully_connected", "baton.fully_connected"};

  static constexpr auto layer_of(const program_view& program, const node& record) -> node_description<detail::layer> {
    return portable::fully_connected::describe(program, record);
  }
};
static_assert(kernel<fully_connected>);

}  // namespace detail

}  // namespace baton::helium
