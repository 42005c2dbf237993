// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// fully_connected on int8 and float32 against the reference.
#include "check_layer.hpp"

#include <baton/kernels/portable/fully_connected.hpp>

namespace {

using baton::portable::fully_connected;
using one_layer::activation;
using one_layer::layer;
using one_layer::op;

constexpr auto dense(layer l) -> layer {
  l.is = op::fully_connected;
  return l;
}

}  // namespace

TEST_CASE("fully_connected int8 matches the reference") {
  check_layer<fully_connected, dense({.channels = 16, .out_channels = 16, .is_per_channel = false})>();
  check_layer<fully_connected,
              dense({.batch = 3, .channels = 37, .out_channels = 10, .is_per_channel = false, .fused = activation::relu})>();
  check_layer<fully_connected, dense({.batch = 2, .channels = 5, .out_channels = 1})>();
  check_layer<fully_connected, dense({.channels = 1, .out_channels = 7, .has_bias = false, .fused = activation::relu6})>();
  check_layer<fully_connected, dense({.channels = 300, .out_channels = 9})>();
  check_layer<fully_connected,
              dense(
                  {.channels = 128, .out_channels = 6, .fused = activation::relu_n1_to_1, .input_zero_point = 127, .zero_point = -128})>();
  check_layer<fully_connected, dense({.channels = 1500, .out_channels = 5, .input_zero_point = -128})>();
}

TEST_CASE("fully_connected float32 matches the reference") {
  check_layer<fully_connected, dense({.is_int8 = false, .channels = 1, .out_channels = 16})>();
  check_layer<fully_connected, dense({.is_int8 = false, .batch = 2, .channels = 19, .out_channels = 11, .fused = activation::relu})>();
  check_layer<fully_connected,
              dense({.is_int8 = false, .channels = 100, .out_channels = 3, .has_bias = false, .fused = activation::relu6})>();
}

TEST_CASE("fully_connected rounds the product of two scales to float, but a convolution does not") {
  using baton::portable::channel_scaling;
  constexpr auto l = dense({.channels = 4, .out_channels = 3, .is_per_channel = false});
  using program = baton::static_program<one_layer::make<l>>;
  const auto value_of = [](channel_scaling scaling) {
    return baton::portable::table_of<1>(program::value(), program::value().nodes[0], scaling).values[0];
  };
  const auto input = l.input_scale();
  const auto filter = l.filter_scale(0);
  const auto output = static_cast<double>(l.output_scale());
  const auto in_float = reference::multiplier_of(static_cast<double>(input * filter) / output).value;
  const auto in_double = reference::multiplier_of(static_cast<double>(input) * static_cast<double>(filter) / output).value;
  CHECK(in_float != in_double);
  CHECK(value_of(channel_scaling::one_scale_in_float) == in_float);
  CHECK(value_of(channel_scaling::in_double) == in_double);
}
