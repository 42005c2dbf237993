// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Estimates of layers with odd sizes or few channels are at least the measured instructions.
#include <baton/kernels/detail/measured_cost.hpp>
#include <baton/kernels/cortex_m/conv_2d.hpp>
#include <baton/kernels/cortex_m/depthwise_conv_2d.hpp>
#include <baton/kernels/cortex_m/winograd_conv_2d.hpp>
#include <baton/kernels/cortex_m4_costs.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/depthwise.hpp>

#include "kernels/square_layers.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace baton;
using one_layer::convolution;
using one_layer::depthwise;

template <class Kernel, one_layer::layer Of>
constexpr auto cost_of() -> node_cost {
  const auto program = one_layer::make_symmetric<Of>{}();
  return cortex_m4_costs::node<Kernel>(program, program_view(program).nodes[0]);
}

/// True if the estimates with margins of a layer and of its most expensive row are at least the measured instructions, and if the estimate
/// of the layer is at most `max_ratio` times the measured instructions. The first and the last row have fewer taps in the image.
template <class Kernel, one_layer::layer Of>
constexpr auto bounds(std::uint64_t layer, std::uint64_t row, double max_ratio) -> bool {
  const auto cost = cost_of<Kernel, Of>();
  const auto all = cost.bound(cost.instructions);
  const auto taps = static_cast<std::uint64_t>(Of.filter_height);
  const auto taps_of_rows = static_cast<std::uint64_t>(Of.height) * taps - (taps == 3 ? 2 : 0);
  const auto of_row = all * taps / taps_of_rows + cost.by_rows.per_call + cost.by_rows.at_first;
  return all >= layer && static_cast<double>(all) <= max_ratio * static_cast<double>(layer) && of_row >= row;
}

using all_weights = cortex_m::detail::conv_2d<>;
using packed = cortex_m::detail::packed_conv_2d<>;
using gathered = cortex_m::detail::gathered_conv_2d<>;
using by_taps = cortex_m::detail::depthwise_conv_2d_by_taps<>;

// Measured on a Cortex-M4 (QEMU, -O2): one call of `compute`, and the longest call of `compute_rows` for one row.
constexpr auto odd_layers_are_bounded() -> bool {
  return bounds<all_weights, convolution(7, 5, 7, 3)>(22400, 3560, 1.1) && bounds<packed, convolution(7, 5, 7, 3)>(25040, 3960, 1.1) &&
         bounds<gathered, convolution(7, 5, 7, 3)>(38520, 6240, 1.1) && bounds<all_weights, convolution(7, 13, 9, 3)>(55600, 8480, 1.1) &&
         bounds<all_weights, convolution(8, 13, 13, 1)>(18680, 2360, 1.1) && bounds<packed, convolution(8, 13, 13, 1)>(20400, 2560, 1.1) &&
         bounds<cortex_m::detail::depthwise_conv_2d<>, depthwise(8, 13, 1, 3)>(20000, 3920, 1.3) &&
         bounds<cortex_m::detail::winograd_conv_2d<>, convolution(7, 16, 16, 3)>(85920, 10780, 1.3);
}
constexpr auto layers_of_few_channels_are_bounded() -> bool {
  return bounds<all_weights, convolution(5, 9, 1, 3)>(9120, 2200, 1.3) && bounds<packed, convolution(5, 9, 1, 3)>(10160, 2440, 1.3) &&
         bounds<gathered, convolution(5, 9, 1, 3)>(16640, 4000, 1.3) && bounds<all_weights, convolution(6, 3, 2, 3)>(6400, 1360, 1.3) &&
         bounds<all_weights, convolution(6, 9, 4, 3)>(16000, 2960, 1.3) && bounds<all_weights, convolution(6, 9, 5, 3)>(20840, 3760, 1.3) &&
         bounds<all_weights, convolution(8, 16, 6, 3)>(53720, 6880, 1.3) && bounds<by_taps, depthwise(8, 3, 1, 3)>(52120, 6640, 1.4) &&
         bounds<by_taps, depthwise(3, 2, 1, 3)>(7520, 2600, 1.5) &&
         bounds<cortex_m::detail::depthwise_conv_2d<>, depthwise(8, 3, 1, 5)>(100280, 12680, 1.3) &&
         bounds<portable::conv_2d, convolution(5, 9, 1, 3)>(31320, 6360, 1.3) &&
         bounds<portable::conv_2d, convolution(5, 16, 1, 3)>(42480, 8800, 1.3) &&
         bounds<portable::conv_2d, convolution(5, 9, 2, 3)>(37240, 7560, 1.3) &&
         bounds<portable::conv_2d, convolution(5, 9, 4, 3)>(48240, 9760, 1.3) &&
         bounds<portable::conv_2d, convolution(5, 9, 6, 3)>(62600, 12640, 1.3) &&
         bounds<portable::depthwise_conv_2d, depthwise(6, 1, 1, 3)>(6600, 1240, 1.6) &&
         bounds<portable::depthwise_conv_2d, depthwise(6, 2, 1, 3)>(15120, 2760, 1.3) &&
         bounds<portable::depthwise_conv_2d, depthwise(6, 6, 1, 3)>(37120, 6720, 1.3) &&
         bounds<portable::depthwise_conv_2d, depthwise(8, 13, 1, 3)>(134440, 17880, 1.3);
}
static_assert(odd_layers_are_bounded());
static_assert(layers_of_few_channels_are_bounded());

// A call for a row of an odd number of pixels computes one pixel more.
static_assert(cost_of<all_weights, convolution(7, 5, 7, 3)>().by_rows.per_call ==
              cost_of<all_weights, convolution(8, 5, 7, 3)>().by_rows.per_call +
                  cost_of<all_weights, convolution(7, 5, 7, 3)>().instructions / 49 + 1);

}  // namespace

TEST_CASE("estimates of layers with odd sizes are at least the measured instructions") { CHECK(odd_layers_are_bounded()); }
TEST_CASE("estimates of layers of few channels are at least the measured instructions") { CHECK(layers_of_few_channels_are_bounded()); }
