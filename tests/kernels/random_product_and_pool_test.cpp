// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// fully_connected and the pools on random layers.
#include "random_layer.hpp"

#include <baton/kernels/portable/fully_connected.hpp>
#include <baton/kernels/portable/pooling.hpp>

TEST_CASE("random fully connected layers match the reference") {
  one_layer::check_random_layers<baton::portable::fully_connected, one_layer::op::fully_connected, 20>();
}

TEST_CASE("random fully connected layers, rounded once or twice, match the reference") {
  one_layer::check_random_layers<baton::portable::fully_connected, one_layer::op::fully_connected, 20, one_layer::random_baton_layer>();
}

TEST_CASE("random pools match the reference") {
  one_layer::check_random_layers<baton::portable::average_pool_2d, one_layer::op::average_pool_2d, 16>();
  one_layer::check_random_layers<baton::portable::max_pool_2d, one_layer::op::max_pool_2d, 16>();
}
