// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Measures more pools and depthwise convolutions than tests/budget/kernel_costs.cpp. Their costs depend on the pixels and the channels, not
// only on the number of outputs.
#include "kernels/costs/measured_node.hpp"
#include "kernels/layer.hpp"

namespace {

using namespace measured_node;

template <layer... Layers>
void measure_all_forms() {
  (measure_node<one_layer::make_symmetric<Layers>>(), ...);
}
template <op Pool>
void measure_pools() {
  measure_all_forms<pool(Pool, 11, 16, 3, 2), pool(Pool, 16, 8, 2, 2), pool(Pool, 10, 24, 2, 2), pool(Pool, 16, 32, 4, 4),
                    pool(Pool, 9, 64, 3, 1), pool(Pool, 12, 12, 2, 1), pool(Pool, 6, 8, 6, 1), pool(Pool, 3, 128, 3, 1)>();
}

}  // namespace

int main() {
  measure_pools<op::average_pool_2d>();
  measure_pools<op::max_pool_2d>();
  measure_fast<depthwise(9, 48, 1, 3), depthwise(25, 16, 1, 3), depthwise(7, 24, 1, 3), depthwise(30, 8, 1, 3, 2),
               depthwise(13, 20, 1, 3, 2)>();
  measure_fast<depthwise(8, 24, 1, 5), depthwise(12, 4, 1, 5), depthwise(9, 48, 1, 4, 2), depthwise(6, 8, 1, 7), depthwise(11, 32, 1, 2)>();
  measure_fast<depthwise(20, 1, 8, 3), depthwise(14, 1, 24, 3, 2)>();
  measure_fast<depthwise(10, 20, 1, 3), depthwise(28, 12, 1, 3), depthwise(9, 36, 1, 3)>();
}
