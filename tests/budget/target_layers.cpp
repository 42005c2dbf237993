// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Measures the layers of tests/budget/targets.txt that no model of the other scripts has: a network on int16, and depthwise convolutions.
#include <baton/baton.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>

#include "budget/measured_instructions.hpp"
#include "cortex_m/semihosting.hpp"
#include "kernels/int16_layer.hpp"
#include "kernels/layer.hpp"
#include "kernels/square_layers.hpp"

#include <cstdint>

namespace {

using namespace baton;
using one_layer::depthwise;
using one_layer::layer;
using one_layer::op;

/// Returns the instructions of the only node of a program.
template <class Make>
auto instructions_of() -> std::uint64_t {
  return measured_instructions<basic_executor<static_program{Make{}}, cortex_m_kernels + portable_kernels>>();
}

constexpr layer first{.is = op::conv_2d,
                      .height = 49,
                      .width = 10,
                      .channels = 1,
                      .out_channels = 64,
                      .filter_height = 10,
                      .filter_width = 4,
                      .stride_h = 2,
                      .stride_w = 2};
constexpr layer image{.height = 25, .width = 5, .channels = 64, .out_channels = 64};
constexpr auto with_window(layer from, op is, int size) -> layer {
  from.is = is;
  from.filter_height = from.filter_width = size;
  return from;
}

/// The layers with weights of a keyword network like `arm_ds_cnn_s`, on int16.
auto int16_network() -> std::uint64_t {
  const auto of_depthwise = instructions_of<one_layer::make_int16<one_layer::int16_layer{with_window(image, op::depthwise_conv_2d, 3)}>>();
  const auto of_pointwise = instructions_of<one_layer::make_int16<one_layer::int16_layer{with_window(image, op::conv_2d, 1)}>>();
  return instructions_of<one_layer::make_int16<one_layer::int16_layer{first}>>() + 4 * (of_depthwise + of_pointwise) +
         instructions_of<one_layer::make_int16<one_layer::int16_layer{one_layer::dense(64, 12)}>>();
}

/// Prints the thousandths of an instruction per multiply-add.
template <layer Layer>
void print_layer(const char* name) {
  const auto instructions = instructions_of<one_layer::make_symmetric<Layer>>();
  firmware::print(name, ": instructions ", instructions);
  firmware::print(", per 1000 multiply-adds ", instructions * 1000 / static_cast<std::uint64_t>(Layer.out_count() * 9), "\n");
}

}  // namespace

int main() {
  firmware::print("layers of a network on int16: instructions ", int16_network(), "\n");
  print_layer<depthwise(48, 16, 1, 3, 2)>("depthwise, stride 2, 48 x 48 x 16");
  print_layer<depthwise(24, 32, 1, 3, 2)>("depthwise, stride 2, 24 x 24 x 32");
  print_layer<depthwise(12, 64, 1, 3, 2)>("depthwise, stride 2, 12 x 12 x 64");
  print_layer<depthwise(96, 1, 8, 3, 2)>("depthwise, one channel, 96 x 96 to 8 channels");
}
