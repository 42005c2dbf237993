// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Measures single nodes of the operators that tests/budget/kernel_costs.cpp does not measure, and nodes that are cut into slices of rows
// and of chunks.
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>

#include "kernels/costs/image_node.hpp"
#include "kernels/costs/measured_node.hpp"
#include "kernels/layer.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace {

using namespace measured_node;

template <std::size_t Count>
inline constexpr std::array<char, Count> zeros{};

template <fixed_string... Operators>
void measure_images() {
  (measure_node<image_node<Operators, 4, 3, 8>>(), ...);
  (measure_node<image_node<Operators, 23, 1, 64>>(), ...);
  (measure_node<image_node<Operators, 12, 10, 16>>(), ...);
}
template <fixed_string... Operators>
void measure_slices() {
  (measure_node<image_node<Operators, 23, 1, 64>, false>(), ...);
  (measure_node<image_node<Operators, 12, 10, 16>, false>(), ...);
}

template <int Steps, int Inputs, int Units>
struct lstm {
  constexpr auto operator()() const -> exported_program {
    program_builder b;
    const auto x = b.user_input("x", tensor(dtype::int8, 1, Steps, Inputs));
    b.quantize(x, 0.05f, 0);
    std::array<value_id, 4> weights{};
    std::array<value_id, 4> recurrent{};
    std::array<value_id, 4> bias{};
    for (std::size_t g = 0; g < 4; ++g) {
      weights[g] = b.constant("w", tensor(dtype::int8, Units, Inputs), {zeros<Units * Inputs>.data(), Units * Inputs});
      recurrent[g] = b.constant("r", tensor(dtype::int8, Units, Units), {zeros<Units * Units>.data(), Units * Units});
      bias[g] = b.constant("b", tensor(dtype::int32, Units), {zeros<4 * Units>.data(), 4 * Units});
      b.quantize(weights[g], 0.01f, 0);
      b.quantize(recurrent[g], 0.01f, 0);
    }
    const auto hidden = b.mutable_buffer("hidden", tensor(dtype::int8, 1, Units), {zeros<Units>.data(), Units});
    const auto cell = b.mutable_buffer("cell", tensor(dtype::int16, 1, Units), {zeros<2 * Units>.data(), 2 * Units});
    b.quantize(hidden, 0.0078125f, 0);
    b.quantize(cell, 1.0f / 4096, 0);
    constexpr auto omitted = none<value_id>;
    const auto y =
        b.call("tfl.unidirectional_sequence_lstm",
               {x,       weights[0], weights[1], weights[2], weights[3], recurrent[0], recurrent[1], recurrent[2], recurrent[3], omitted,
                omitted, omitted,    bias[0],    bias[1],    bias[2],    bias[3],      omitted,      omitted,      hidden,       cell},
               tensor(dtype::int8, 1, Steps, Units), {{"fused_activation_function", "tanh"}, {"time_major", false}, {"cell_clip", 0.0}});
    b.quantize(y, 0.0078125f, 0);
    b.output(y);
    return b.finish();
  }
};

}  // namespace

int main() {
  measure_images<"tfl.concatenation", "tfl.strided_slice", "tfl.slice", "tfl.split_v", "tfl.pad", "tfl.transpose", "tfl.mean">();
  measure_images<"tfl.resize_nearest_neighbor", "tfl.resize_bilinear", "tfl.logistic", "tfl.tanh", "tfl.leaky_relu", "tfl.quantize",
                 "tfl.dequantize">();
  measure_slices<"tfl.add", "tfl.mul", "tfl.softmax">();
  measure_node<lstm<4, 28, 20>>();
  measure_node<lstm<10, 16, 32>>();
  measure_node<lstm<6, 40, 64>>();
  measure_symmetric<whole(op::depthwise_conv_2d, 5, 1, 32, 32), whole(op::depthwise_conv_2d, 7, 1, 64, 64),
                    whole(op::depthwise_conv_2d, 13, 1, 32, 32), whole(op::depthwise_conv_2d, 23, 1, 64, 64)>();
  measure_symmetric<whole(op::conv_2d, 1, 1, 64, 64), whole(op::conv_2d, 1, 1, 32, 64), whole(op::conv_2d, 1, 1, 128, 32),
                    whole(op::conv_2d, 5, 1, 40, 32), whole(op::conv_2d, 3, 3, 16, 24)>();
  measure_fast<depthwise(20, 12, 1, 3)>();
  measure_layers<convolution(12, 8, 16, 3), convolution(10, 32, 40, 3), convolution(16, 3, 16, 3, 2), convolution(8, 64, 48, 1)>();
  measure_layers<depthwise(12, 16, 1, 3), depthwise(12, 32, 1, 3, 2), depthwise(16, 1, 8, 5, 2), depthwise(8, 12, 1, 5),
                 depthwise(8, 8, 2, 3)>();
  measure_layers<dense(128, 32), dense(300, 10), dense(64, 64)>();
  measure_layers<pool(op::average_pool_2d, 12, 16, 2, 2), pool(op::average_pool_2d, 9, 32, 9, 1), pool(op::max_pool_2d, 12, 16, 2, 2),
                 pool(op::max_pool_2d, 9, 32, 9, 1)>();
}
