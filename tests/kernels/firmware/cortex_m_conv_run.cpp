// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The assembler of convolutions against the portable kernels on random inputs: packed and wide weights, common and separate shifts,
// corrections, activation bounds, odd numbers of pixels, channels and products, per-layer and shared code, as a whole and by rows.
#include <baton/kernels/cortex_m/conv_2d.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/depthwise.hpp>

#include "firmware/comparison.hpp"

#include <cstdint>

namespace {

using baton::cortex_m::optimize_for;
using baton::cortex_m::options;
using one_layer::activation;
using one_layer::layer;
using one_layer::once;
using one_layer::op;
using one_layer::rounding;

enum class unit { row, chunk };

/// Computes one row or one chunk after another, as segments and limited slices do. If a row has an odd number of pixels, the last pixel is
/// computed alone.
template <unit Unit, options Options>
struct by_units : baton::cortex_m::detail::conv_2d<Options> {
  using all = baton::cortex_m::detail::conv_2d<Options>;
  template <class Call>
  static void compute(const Call& call) {
    constexpr auto plan = baton::node_plan<all, Call>;
    constexpr auto units = Unit == unit::row ? plan.pixels() / plan.row_pixels : baton::node_facts<all, Call>.chunks;
    for (std::int32_t n = 0; n < units; ++n) {
      if constexpr (Unit == unit::row) {
        all::compute_rows(call, n, n + 1);
      } else {
        all::compute_chunks(call, n, n + 1);
      }
    }
  }
};
template <options Options>
using by_rows = by_units<unit::row, Options>;

template <layer L, options... Options>
void compare_chunks() {
  firmware::compare_kernels<firmware::make<L>, baton::portable::conv_2d, by_units<unit::chunk, Options>...>("convolution by chunks");
}

template <class Reference, layer L, options... Options>
void compare_kernels() {
  firmware::compare_kernels<firmware::make<L>, Reference, baton::cortex_m::detail::conv_2d<Options>..., by_rows<Options>...>("convolution");
}

/// The encoding of a layer's sums.
template <layer L, options Options>
constexpr auto encoding_of() -> baton::cortex_m::detail::sum_encoding {
  const auto program = firmware::make<L>{}();
  const baton::program_view view(program);
  return baton::cortex_m::detail::conv_2d<Options>::describe(view, view.nodes[0]).plan.encoding;
}
/// True if the sums of a layer are divided into segments.
template <layer L, options Options>
constexpr auto is_segmented() -> bool {
  return encoding_of<L, Options>().is_segmented != 0;
}

/// Compares a layer whose windows are packed before its channels are computed.
template <class Reference, layer L>
void compare_windows() {
  static_assert(encoding_of<L, options{}>().is_by_windows != 0);
  compare_kernels<Reference, L, options{}>();
}

/// Compares layers that are divided into segments, in packed forms.
template <layer... Layers>
void compare_segments() {
  constexpr options speed{.max_wide_weights = 0};
  constexpr options code_size{.optimize = optimize_for::code_size, .max_wide_weights = 0};
  static_assert(((is_segmented<Layers, speed>() && is_segmented<Layers, code_size>()) && ...));
  (compare_kernels<baton::portable::conv_2d, Layers, speed, code_size>(), ...);
}

/// Compares each layer in all forms.
template <layer... Layers>
void compare() {
  (compare_kernels<baton::portable::conv_2d, Layers, options{}, options{.max_wide_weights = 0},
                   options{.optimize = optimize_for::code_size}, options{.optimize = optimize_for::code_size, .max_wide_weights = 0}>(),
   ...);
}

}  // namespace

int main() {
  compare<layer{.batch = 2, .height = 5, .width = 5, .channels = 4, .out_channels = 6, .filter_height = 3, .filter_width = 3},
          layer{.height = 3, .width = 3, .channels = 12, .out_channels = 5, .is_per_channel = false, .zero_point = 0},
          layer{.height = 6,
                .width = 5,
                .channels = 3,
                .out_channels = 8,
                .filter_height = 3,
                .filter_width = 3,
                .stride_h = 2,
                .stride_w = 2,
                .fused = activation::relu6,
                .zero_point = -128},
          layer{.height = 7,
                .width = 4,
                .channels = 1,
                .out_channels = 4,
                .filter_height = 5,
                .filter_width = 4,
                .fused = activation::relu,
                .zero_point = 5},
          layer{.height = 1, .width = 9, .channels = 64, .out_channels = 2, .has_bias = false, .fused = activation::relu_n1_to_1},
          layer{.height = 5,
                .width = 7,
                .channels = 8,
                .out_channels = 3,
                .filter_height = 2,
                .filter_width = 3,
                .dilation_h = 2,
                .dilation_w = 2,
                .is_same = false,
                .is_per_channel = false,
                .fused = activation::relu6,
                .input_zero_point = 127},
          layer{.height = 4, .width = 3, .channels = 16, .out_channels = 1, .filter_height = 3, .filter_width = 3, .zero_point = 127},
          layer{.height = 2, .width = 2, .channels = 4, .out_channels = 2, .fused = activation::relu, .zero_point = 127}>();
  // Rounded once, with pads on four sides. The second layer has long loops and a shift per channel, in which layers that round twice share
  // the code with the correction.
  compare<once(layer{.height = 5,
                     .width = 6,
                     .channels = 4,
                     .out_channels = 6,
                     .filter_height = 3,
                     .filter_width = 3,
                     .stride_h = 2,
                     .stride_w = 1},
               2, 0, 1, 2),
          once(layer{.height = 2, .width = 3, .channels = 288, .out_channels = 9, .output_min = -100}),
          layer{.height = 3,
                .width = 4,
                .channels = 3,
                .out_channels = 5,
                .filter_height = 2,
                .filter_width = 2,
                .fused = activation::relu,
                .is_baton = true,
                .top = 1,
                .left = 1,
                .bottom = 0,
                .right = 1,
                .round = rounding::twice}>();
  compare_kernels<baton::portable::depthwise_conv_2d,
                  layer{.is = op::depthwise_conv_2d,
                        .height = 6,
                        .width = 6,
                        .channels = 1,
                        .out_channels = 7,
                        .filter_height = 3,
                        .filter_width = 3,
                        .stride_h = 2,
                        .stride_w = 2},
                  options{}, options{.optimize = optimize_for::code_size, .max_wide_weights = 0}>();
  // Without padding, filter rows that are rounded up to whole words read past the image.
  compare_kernels<baton::portable::depthwise_conv_2d,
                  layer{.is = op::depthwise_conv_2d,
                        .height = 5,
                        .width = 7,
                        .channels = 1,
                        .out_channels = 4,
                        .filter_height = 3,
                        .filter_width = 3,
                        .stride_h = 1,
                        .stride_w = 2,
                        .is_same = false},
                  options{}, options{.max_wide_weights = 0}>();
  // Packed windows: padding on the right and at the bottom, a block and three more windows with padding on all sides, and rows that are two
  // apart, without padding.
  compare_windows<baton::portable::depthwise_conv_2d, layer{.is = op::depthwise_conv_2d,
                                                            .height = 8,
                                                            .width = 30,
                                                            .channels = 1,
                                                            .out_channels = 8,
                                                            .filter_height = 3,
                                                            .filter_width = 3,
                                                            .stride_h = 2,
                                                            .stride_w = 2,
                                                            .zero_point = -128}>();
  constexpr auto wide = once(layer{
      .batch = 2, .height = 4, .width = 27, .channels = 1, .out_channels = 5, .filter_height = 3, .filter_width = 3, .zero_point = 9});
  compare_windows<baton::portable::conv_2d, wide>();
  // Negative sums with a correction.
  compare_windows<baton::portable::conv_2d,
                  layer{
                      .height = 9, .width = 61, .channels = 1, .out_channels = 7, .filter_height = 3, .filter_width = 3, .stride_h = 2}>();
  compare_windows<baton::portable::conv_2d, layer{.height = 9,
                                                  .width = 14,
                                                  .channels = 1,
                                                  .out_channels = 1,
                                                  .filter_height = 3,
                                                  .filter_width = 3,
                                                  .stride_w = 3,
                                                  .dilation_h = 2,
                                                  .is_same = false,
                                                  .zero_point = -128}>();
  // Three segments with odd rows, and four segments of a 3 × 3 window with an activation and an odd number of channels.
  compare_segments<layer{.height = 2, .width = 3, .channels = 1100, .out_channels = 2, .input_zero_point = -128, .zero_point = 4},
                   layer{.height = 3,
                         .width = 4,
                         .channels = 128,
                         .out_channels = 3,
                         .filter_height = 3,
                         .filter_width = 3,
                         .fused = activation::relu6,
                         .input_zero_point = 127,
                         .zero_point = -100}>();
  // Pairs of pixels in two rows, and a last pixel alone.
  compare_chunks<layer{.height = 5, .width = 5, .channels = 4, .out_channels = 6, .filter_height = 3, .filter_width = 3}, options{},
                 options{.optimize = optimize_for::code_size}>();
  compare_chunks<layer{
                     .height = 4, .width = 7, .channels = 1, .out_channels = 5, .filter_height = 3, .filter_width = 3, .zero_point = -128},
                 options{}>();
  // Rows of one pixel, and an odd number of channels; also with gathered inputs.
  compare_chunks<layer{.height = 6, .width = 1, .channels = 5, .out_channels = 7, .filter_height = 3, .filter_width = 3}, options{},
                 options{.optimize = optimize_for::code_size}, options{.gathers_inputs = true},
                 options{.optimize = optimize_for::code_size, .gathers_inputs = true}>();
  // Sums of several segments.
  compare_chunks<layer{.height = 3, .width = 3, .channels = 40, .out_channels = 5, .filter_height = 3, .filter_width = 3}, options{}>();
  return firmware::verdict(2 * 4 * (4 * 11 + 2 + 2 + 4 + 2 * 2) + 4 * 8);
}
