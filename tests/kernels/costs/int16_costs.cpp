// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Measures single layers on int16, SVDF layers, and hybrid layers, as whole nodes and in slices.
#include <baton/core/tensor.hpp>
#include <baton/kernels/cortex_m_kernels.hpp>
#include <baton/kernels/kernels.hpp>

#include "kernels/costs/hybrid_node.hpp"
#include "kernels/costs/measured_node.hpp"
#include "kernels/costs/svdf_node.hpp"
#include "kernels/int16_layer.hpp"
#include "kernels/layer.hpp"

namespace {

using namespace measured_node;

// Only the kernels that support such layers, because each kernel of a list costs compile time.
constexpr auto kernels_of_layers =
    kernels<cortex_m::detail::int16_conv_2d<>, cortex_m::detail::int16_depthwise_conv_2d<>, cortex_m::detail::int16_fully_connected<>,
            cortex_m::detail::svdf<>, portable::conv_2d, portable::depthwise_conv_2d, portable::fully_connected, portable::detail::svdf>;

template <class... Nodes>
void measure_nodes() {
  (measure_list<static_program{Nodes{}}, true>(kernels_of_layers), ...);
}
/// Layers on int16 that sum in 64 bits, and in 32 bits.
template <layer... Layers>
void measure_int16() {
  measure_nodes<one_layer::make_int16<one_layer::int16_layer{Layers}>...,
                one_layer::make_int16<one_layer::int16_layer{.shape = Layers, .bias = dtype::int32}>...>();
}
template <layer... Layers>
void measure_hybrid() {
  measure_nodes<hybrid_node<Layers>...>();
}

}  // namespace

int main() {
  measure_int16<convolution(8, 8, 16, 3), convolution(6, 16, 32, 1), convolution(10, 4, 8, 3, 2), convolution(7, 8, 24, 5),
                convolution(12, 16, 16, 1), convolution(5, 32, 12, 3)>();
  measure_int16<depthwise(8, 16, 1, 3), depthwise(10, 8, 1, 3, 2), depthwise(12, 1, 8, 5), depthwise(5, 64, 1, 3), depthwise(9, 12, 1, 5),
                depthwise(16, 4, 1, 3)>();
  measure_int16<dense(64, 10), dense(256, 32), dense(40, 128), dense(128, 4), dense(300, 17)>();
  measure_nodes<svdf<40, 16, 2, 8>, svdf<16, 32, 1, 10>, svdf<96, 32, 1, 16>, svdf<64, 24, 2, 12>, svdf<20, 64, 1, 32>>();
  measure_nodes<svdf<40, 16, 2, 8, dtype::int8>, svdf<16, 32, 1, 10, dtype::int8>, svdf<96, 32, 1, 16, dtype::int8>>();
  measure_hybrid<dense(64, 10), dense(256, 32), dense(40, 128), dense(300, 4), dense(16, 64), dense(128, 128)>();
  measure_hybrid<convolution(8, 8, 16, 3), convolution(6, 16, 32, 1), convolution(10, 4, 8, 3, 2), convolution(7, 8, 12, 5)>();
  measure_hybrid<depthwise(8, 16, 1, 3), depthwise(10, 8, 1, 3, 2), depthwise(12, 1, 8, 5), depthwise(9, 12, 1, 5)>();
}
