// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// depthwise_conv_2d on random layers.
#include "random_layer.hpp"

#include <baton/kernels/portable/depthwise.hpp>

TEST_CASE("random depthwise convolutions match the reference") {
  one_layer::check_random_layers<baton::portable::depthwise_conv_2d, one_layer::op::depthwise_conv_2d, 20>();
}

TEST_CASE("random depthwise convolutions with pads, rounded once or twice, match the reference") {
  one_layer::check_random_layers<baton::portable::depthwise_conv_2d, one_layer::op::depthwise_conv_2d, 20, one_layer::random_baton_layer>();
}
