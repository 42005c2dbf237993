// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The assembler of fully connected layers, Winograd convolutions, forms with less scratch, sums and pools against the portable kernels on
// random inputs, including ties among the sums.
#include <baton/kernels/cortex_m/add.hpp>
#include <baton/kernels/cortex_m/conv_2d.hpp>
#include <baton/kernels/cortex_m/depthwise_conv_2d_by_taps.hpp>
#include <baton/kernels/cortex_m/fully_connected.hpp>
#include <baton/kernels/cortex_m/pooling.hpp>
#include <baton/kernels/cortex_m/winograd_conv_2d.hpp>

#include "firmware/comparison.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace {

using baton::dtype;
using firmware::compare_kernels;
using firmware::compare_layers;
using firmware::pair;
using one_layer::activation;
using one_layer::layer;
using one_layer::once;
using one_layer::op;

template <layer L>
inline constexpr auto signs = [] {
  auto result = one_layer::filter_bytes<L>;
  for (auto& weight : result) weight = static_cast<signed char>(weight) < 0 ? '\xff' : '\1';
  return result;
}();

/// A layer whose factors are powers of two and whose weights are 1 and -1, so that many sums are halfway between two outputs.
template <layer L>
struct make_ties {
  constexpr auto operator()() const -> baton::exported_program {
    const bool is_dense = L.is == op::fully_connected;
    baton::program_builder b;
    const auto x = b.user_input(
        "x", is_dense ? baton::tensor(dtype::int8, L.batch, L.channels) : baton::tensor(dtype::int8, 1, L.height, L.width, L.channels));
    const auto filter = b.parameter("filter", is_dense ? baton::tensor(dtype::int8, L.out_channels, L.channels)
                                                       : baton::tensor(dtype::int8, L.out_channels, 3, 3, L.channels));
    b.at(filter).data = b.view(std::string_view(signs<L>.data() + 1, signs<L>.size() - 1));
    const auto name = baton::join(L.is_baton ? "baton." : "tfl.", std::string_view(one_layer::name_of(L.is)).substr(4));
    const std::array<std::int64_t, 4> pads{1, 1, 1, 1};  // the same as SAME
    const auto y = b.call(
        baton::view(name), {x, filter},
        is_dense ? baton::tensor(dtype::int8, L.batch, L.out_channels) : baton::tensor(dtype::int8, 1, L.height, L.width, L.out_channels),
        {{"padding", "same"}, {"pads", baton::span<const std::int64_t>{pads}}});
    b.quantize(x, 1.0f, L.input_zero_point);
    b.quantize(y, 8.0f, L.zero_point);
    baton::vector<float> scales;
    for (int c = 0; c < (L.is_per_channel ? L.out_channels : 1); ++c) scales.push_back(c % 3 == 0 ? 1.0f : 0.5f);
    b.quantize(filter, scales, baton::vector<std::int64_t>(scales.size(), 0), 0);
    b.output(y);
    return b.finish();
  }
};

/// Computes a Winograd convolution in calls for single rows, as segments do.
template <baton::cortex_m::options Options>
struct by_single_rows : baton::cortex_m::detail::winograd_conv_2d<Options> {
  using all = baton::cortex_m::detail::winograd_conv_2d<Options>;
  template <class Call>
  struct row_call : Call {
    static constexpr bool computes_single_rows = true;
  };
  template <class Call>
  static void compute(const Call& call) {
    constexpr auto plan = baton::node_plan<all, Call>;
    for (std::int32_t row = 0; row < plan.layer.batches * plan.layer.rows.output; ++row)
      all::compute_rows(row_call<Call>{call}, row, row + 1);
  }
};

template <class Kernel, class Portable, layer... Layers>
void compare_ties(const char* label) {
  (compare_kernels<make_ties<Layers>, Portable, Kernel>(label), ...);
}

constexpr auto dense(int inputs, int outputs, bool is_per_channel, int zero_point) -> layer {
  layer l;
  l.is = op::fully_connected;
  l.batch = 2;
  l.channels = inputs;
  l.out_channels = outputs;
  l.is_per_channel = is_per_channel;
  l.fused = zero_point == -128 ? activation::relu6 : activation::none;
  l.zero_point = zero_point;
  return l;
}
constexpr auto three_by_three(int rows, int columns, int inputs, int outputs, int zero_point) -> layer {
  layer l;
  l.height = rows;
  l.width = columns;
  l.channels = inputs;
  l.out_channels = outputs;
  l.filter_height = l.filter_width = 3;
  l.zero_point = zero_point;
  return l;
}
constexpr auto depthwise(int rows, int columns, int channels, int stride) -> layer {
  auto l = three_by_three(rows, columns, channels, channels, 5);
  l.is = op::depthwise_conv_2d;
  l.stride_h = l.stride_w = stride;
  return l;
}
constexpr auto pool(op is, int channels) -> layer {
  layer l;
  l.is = is;
  l.height = 9;
  l.width = 7;
  l.channels = l.out_channels = channels;
  l.filter_height = l.filter_width = 3;
  l.stride_h = 2;
  return l;
}

}  // namespace

int main() {
  namespace cortex_m = baton::cortex_m;
  namespace portable = baton::portable;
  constexpr cortex_m::options roomy{.max_winograd_bytes = 1 << 20};
  compare_layers<cortex_m::detail::fully_connected<>, portable::fully_connected, dense(10, 6, true, 5), dense(7, 19, false, -128),
                 dense(36, 8, true, -128), dense(64, 4, false, 3), dense(64, 2, true, 3), dense(128, 64, false, -128),
                 dense(128, 65, true, 5), dense(345, 13, true, 5), dense(700, 5, false, 5), once(dense(36, 9, true, 5)),
                 once(dense(345, 13, true, 5)), once(dense(700, 5, false, 5))>("fully connected");
  compare_layers<cortex_m::detail::fully_connected_from_bytes<>, portable::fully_connected, dense(7, 19, false, -128),
                 dense(36, 9, true, -128), dense(128, 65, true, 5), dense(345, 13, true, 5), dense(700, 9, false, 5),
                 once(dense(36, 9, true, 5)), once(dense(700, 13, true, 5))>("fully connected from bytes");
  compare_ties<cortex_m::detail::fully_connected_from_bytes<>, portable::fully_connected, dense(40, 13, true, 0), dense(640, 8, false, 3),
               once(dense(40, 13, true, 0))>("ties of fully connected from bytes");
  compare_layers<cortex_m::detail::winograd_conv_2d<roomy>, portable::conv_2d, three_by_three(6, 5, 8, 8, 5),
                 three_by_three(8, 8, 12, 10, -128), three_by_three(6, 8, 64, 8, 5), three_by_three(4, 4, 60, 12, -128),
                 three_by_three(7, 9, 20, 16, 0), once(three_by_three(7, 9, 20, 16, 0), 1, 1, 1, 1)>("Winograd");
  compare_layers<by_single_rows<roomy>, portable::conv_2d, three_by_three(6, 5, 8, 8, 5), three_by_three(8, 8, 12, 10, -128),
                 three_by_three(6, 8, 64, 8, 5), three_by_three(4, 4, 60, 12, -128), once(three_by_three(7, 9, 20, 16, 0), 1, 1, 1, 1)>(
      "Winograd by single rows");
  compare_layers<cortex_m::detail::gathered_conv_2d<>, portable::conv_2d, three_by_three(6, 5, 16, 8, 5),
                 three_by_three(8, 8, 12, 10, -128), once(three_by_three(7, 9, 20, 16, 0), 1, 1, 1, 1)>("gathered convolution");
  compare_layers<cortex_m::detail::depthwise_conv_2d_by_taps<>, portable::depthwise_conv_2d, depthwise(6, 5, 8, 1), depthwise(9, 8, 13, 2),
                 once(depthwise(7, 9, 20, 1), 1, 1, 1, 1)>("depthwise by taps");
  compare_ties<cortex_m::detail::fully_connected<>, portable::fully_connected, dense(40, 13, true, 0), dense(40, 7, false, 0),
               dense(700, 9, true, 5), dense(640, 8, false, 3), once(dense(40, 13, true, 0)), once(dense(640, 8, false, 3))>(
      "fully connected ties");
  compare_ties<cortex_m::detail::winograd_conv_2d<roomy>, portable::conv_2d, three_by_three(6, 8, 8, 10, 0),
               once(three_by_three(6, 8, 8, 10, 0), 1, 1, 1, 1)>("Winograd ties");
  compare_kernels<one_layer::make<pool(op::average_pool_2d, 9)>, portable::average_pool_2d, cortex_m::detail::average_pool_2d<>>("average");
  compare_kernels<one_layer::make<pool(op::max_pool_2d, 10)>, portable::max_pool_2d, cortex_m::detail::max_pool_2d<>>("largest");
  compare_kernels<pair<"tfl.add", 515, -128>, portable::pairwise, cortex_m::detail::add<>>("sum");
  compare_kernels<pair<"tfl.sub", 513, -100>, portable::pairwise, cortex_m::detail::add<>>("difference");
  compare_kernels<pair<"tfl.add", 512, 127>, portable::pairwise, cortex_m::detail::add<>>("sum at the end of the range");
  return firmware::verdict(4 * 52);
}
