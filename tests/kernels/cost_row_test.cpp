// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The sizes of layers whose kernels for Cortex-M compute whole parts, such as pairs of pixels, compared with the chunks of the kernels.
#include <baton/kernels/shared/cost_row.hpp>
#include <baton/core/program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernels/cortex_m/conv_2d.hpp>
#include <baton/kernels/cortex_m/depthwise_conv_2d.hpp>
#include <baton/kernels/cortex_m/winograd_conv_2d.hpp>

#include "kernels/square_layers.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace baton;
using form = cost_row::kernel_form;
using one_layer::convolution;
using one_layer::depthwise;

template <one_layer::layer Of>
constexpr auto size_of(form as) -> cost_row::node_size {
  const auto program = one_layer::make_symmetric<Of>{}();
  return cost_row::size_of(program, program_view(program).nodes[0], as);
}
/// True if a form computes `chunks` times `of_chunk` outputs, and if the work is counted in the same ratio. `chunks` are the chunks of the
/// kernel.
template <class Kernel, one_layer::layer Of>
constexpr auto counts_whole_chunks(form as, int of_chunk) -> bool {
  const auto program = one_layer::make_symmetric<Of>{}();
  const auto chunks = ask_kernel<Kernel>(program, program_view(program).nodes[0]).facts.chunks;
  const auto size = size_of<Of>(as);
  const auto exact = size_of<Of>(form::portable);
  const auto computed = static_cast<double>(chunks) * of_chunk;
  const auto work = exact.work * computed / exact.outputs;
  return size.outputs > computed - 0.01 && size.outputs < computed + 0.01 && size.work > work - 0.01 && size.work < work + 0.01;
}

/// A chunk has two channels of two pixels.
constexpr auto convolutions_count_pairs() -> bool {
  using kernel = cortex_m::detail::conv_2d<>;
  return counts_whole_chunks<kernel, convolution(7, 5, 7, 3)>(form::cortex_m, 4) &&
         counts_whole_chunks<kernel, convolution(5, 9, 1, 3)>(form::cortex_m_packed, 4) &&
         counts_whole_chunks<kernel, convolution(6, 9, 5, 3)>(form::cortex_m_gathered, 4) &&
         counts_whole_chunks<kernel, convolution(8, 12, 8, 3)>(form::cortex_m, 4);
}
static_assert(convolutions_count_pairs());
static_assert(size_of<convolution(5, 9, 1, 3)>(form::cortex_m).setups == 26 &&
              size_of<convolution(5, 9, 1, 3)>(form::cortex_m_gathered).setups == 78);
static_assert(size_of<convolution(5, 9, 1, 3)>(form::portable).outputs == 25 &&
              size_of<convolution(5, 9, 1, 3)>(form::helium).outputs == 25);

// The rows for one pixel include the second pixel of the pair.
static_assert(size_of<convolution(1, 8, 7, 1)>(form::cortex_m).outputs == 8 &&
              size_of<convolution(1, 8, 7, 1)>(form::cortex_m).setups == 1);

/// A chunk has two tiles of four pixels.
constexpr auto winograd_counts_pairs_of_tiles() -> bool {
  using kernel = cortex_m::detail::winograd_conv_2d<>;
  return counts_whole_chunks<kernel, convolution(3, 8, 8, 3)>(form::winograd, 64) &&
         counts_whole_chunks<kernel, convolution(5, 8, 10, 3)>(form::winograd, 80) &&
         counts_whole_chunks<kernel, convolution(7, 8, 8, 3)>(form::winograd, 64) &&
         counts_whole_chunks<kernel, convolution(8, 8, 8, 3)>(form::winograd, 64);
}
static_assert(winograd_counts_pairs_of_tiles());
// By single rows, a row of five columns has three tiles of two columns, which are computed as two pairs.
static_assert(cost_row::pixels_of_tiles(7, 5, 1) == 7 * 8 && cost_row::pixels_of_tiles(7, 4, 1) == 7 * 4);

/// A chunk has four channels of two rows.
constexpr auto depthwise_counts_groups() -> bool {
  using kernel = cortex_m::detail::depthwise_conv_2d<>;
  return counts_whole_chunks<kernel, depthwise(5, 6, 1, 3)>(form::cortex_m, 2 * 5 * 4) &&
         counts_whole_chunks<kernel, depthwise(8, 13, 1, 3)>(form::cortex_m, 2 * 8 * 4) &&
         counts_whole_chunks<kernel, depthwise(4, 8, 1, 3)>(form::cortex_m, 2 * 4 * 4);
}
static_assert(depthwise_counts_groups());
// Fewer than four channels.
static_assert(size_of<depthwise(8, 3, 1, 3)>(form::cortex_m).outputs == 8 * 8 * 3);
static_assert(size_of<depthwise(8, 3, 1, 3)>(form::cortex_m_by_taps).outputs == 8 * 8 * 16);
static_assert(size_of<depthwise(8, 3, 1, 5)>(form::cortex_m).outputs == 8 * 8 * 16);

}  // namespace

TEST_CASE("the size of a layer counts the parts that its kernel computes as a whole") {
  CHECK(convolutions_count_pairs());
  CHECK(winograd_counts_pairs_of_tiles());
  CHECK(depthwise_counts_groups());
}
