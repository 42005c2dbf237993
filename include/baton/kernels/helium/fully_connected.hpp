// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fully connected layers on int8 for a Cortex-M with Helium.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/kernels/described_kernel.hpp>
#include <baton/kernels/helium/detail/dense.hpp>
#include <baton/kernels/helium/detail/packed_kernel.hpp>
#include <baton/kernels/portable/fully_connected.hpp>
#include <baton/plan/row_window.hpp>
#include <baton/run/kernel.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::helium {

/// `tfl.fully_connected` on int8 with constant weights; outputs are those of `portable::fully_connected`.
struct fully_connected : detail::packed_kernel<fully_connected, detail::dense> {
  static constexpr literal_name operators[] = {"tfl.fully_connected"};

  static constexpr auto layer_of(const program_view& program, const node& record) -> portable::description<detail::layer> {
    return portable::fully_connected::describe(program, record);
  }

  /// Its outputs have no rows of an image.
  template <class Call>
  static void run_rows(const Call& call, std::int32_t first, std::int32_t last) = delete;
  static constexpr auto window_of(const program_view&, const node&, std::size_t) -> row_window { return no_rows; }
};
static_assert(kernel<fully_connected>);

}  // namespace baton::helium
