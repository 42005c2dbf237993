// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Measures single float32 nodes with the portable kernels, as whole nodes and in slices of rows and of chunks.
#include <baton/core/tensor.hpp>
#include <baton/kernels/kernels.hpp>

#include "kernels/costs/image_node.hpp"
#include "kernels/costs/measured_node.hpp"
#include "kernels/layer.hpp"

namespace {

using namespace measured_node;

template <class Make>
void measure_float_node() {
  measure_list<static_program{Make{}}, true>(portable_kernels);
}
constexpr auto in_float(layer from) -> layer {
  from.is_int8 = false;
  return from;
}
template <layer... Layers>
void measure_float_layers() {
  (measure_float_node<one_layer::make<in_float(Layers)>>(), ...);
}
template <fixed_string... Operators>
void measure_float_images() {
  (measure_float_node<image_node<Operators, 4, 3, 8, dtype::float32>>(), ...);
  (measure_float_node<image_node<Operators, 23, 1, 64, dtype::float32>>(), ...);
  (measure_float_node<image_node<Operators, 12, 10, 16, dtype::float32>>(), ...);
}

}  // namespace

int main() {
  measure_float_layers<convolution(8, 4, 8, 3), convolution(10, 8, 16, 3, 2), convolution(6, 16, 24, 3), convolution(12, 3, 8, 3),
                       convolution(7, 8, 10, 5), convolution(16, 16, 16, 3)>();
  measure_float_layers<convolution(8, 16, 16, 1), convolution(4, 64, 32, 1), convolution(10, 8, 24, 1), convolution(5, 40, 12, 1),
                       convolution(12, 32, 32, 1)>();
  measure_float_layers<depthwise(10, 8, 1, 3), depthwise(16, 16, 1, 3, 2), depthwise(5, 64, 1, 3), depthwise(24, 4, 1, 3),
                       depthwise(20, 32, 1, 3), depthwise(8, 12, 1, 5)>();
  measure_float_layers<depthwise(12, 1, 8, 5), depthwise(16, 1, 4, 3), depthwise(8, 8, 2, 3), depthwise(7, 3, 4, 5),
                       depthwise(9, 6, 3, 3)>();
  measure_float_layers<dense(64, 10), dense(256, 32), dense(16, 64), dense(300, 4), dense(128, 128)>();
  measure_float_layers<pool(op::average_pool_2d, 8, 16, 2, 2), pool(op::average_pool_2d, 8, 32, 8, 1),
                       pool(op::average_pool_2d, 9, 24, 3, 1), pool(op::average_pool_2d, 11, 8, 3, 2),
                       pool(op::average_pool_2d, 5, 64, 5, 1)>();
  measure_float_layers<pool(op::max_pool_2d, 8, 16, 2, 2), pool(op::max_pool_2d, 8, 32, 8, 1), pool(op::max_pool_2d, 9, 24, 3, 1),
                       pool(op::max_pool_2d, 11, 8, 3, 2), pool(op::max_pool_2d, 5, 64, 5, 1)>();
  measure_float_images<"tfl.concatenation", "tfl.strided_slice", "tfl.slice", "tfl.split_v", "tfl.pad", "tfl.transpose", "tfl.mean">();
  measure_float_images<"tfl.resize_nearest_neighbor", "tfl.resize_bilinear", "tfl.logistic", "tfl.tanh", "tfl.leaky_relu">();
  measure_float_images<"tfl.add", "tfl.mul", "tfl.softmax">();
}
