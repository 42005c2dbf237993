// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The measured costs of the Cortex-M kernels and the portable kernels on a Cortex-M4.
#pragma once

#include <baton/kernels/detail/measured_cost.hpp>
#include <baton/kernels/shared/cost_row.hpp>

namespace baton::detail {

// The instructions are fitted to measurements of single nodes with -O2 and GCC 12.2. To repeat the measurements, run:
// sh tests/budget/kernel_costs.sh
// Packed convolutions were measured with weights without -128. A layer that has this weight is computed with wide weights, which take fewer
// instructions. Its estimate is nevertheless that of packed weights.
// The bytes of code are rounded averages over the nodes of five models. They include code and tables, and come from the line "flash" that
// examples/cortex_m/run.sh prints.
inline constexpr cost_row cortex_m4_rows[] = {
    {"tfl.conv_2d", cost_row::node_class::int16, cost_row::kernel_form::cortex_m, {6062, 11.87, 1.889, 0.0002}, 850},
    {"tfl.conv_2d", cost_row::node_class::int16, cost_row::kernel_form::portable, {17630, 12.65, 6.606, 1.8e-05}, 850},
    {"tfl.depthwise_conv_2d", cost_row::node_class::int16, cost_row::kernel_form::cortex_m, {555, 0, 5.092, 0}, 620},
    {"tfl.depthwise_conv_2d", cost_row::node_class::int16, cost_row::kernel_form::portable, {0, 98.71, 5.325, 0.015}, 1100},
    {"tfl.fully_connected", cost_row::node_class::int16, cost_row::kernel_form::cortex_m, {428.2, 18.28, 1.483, 0}, 420},
    {"tfl.fully_connected", cost_row::node_class::int16, cost_row::kernel_form::portable, {0, 22.16, 5.041, 0.0012}, 250},
    {"tfl.depthwise_conv_2d", cost_row::node_class::one_pixel, cost_row::kernel_form::cortex_m, {206.2, 16.79, 2.132, 0.0059}, 620},
    {"tfl.depthwise_conv_2d", cost_row::node_class::one_pixel, cost_row::kernel_form::portable, {18.92, 48.16, 20.49, 0.00053}, 1100},
    {"tfl.conv_2d", cost_row::node_class::one_pixel, cost_row::kernel_form::cortex_m, {0, 9.41, 1.456, 0.098}, 850},
    {"tfl.conv_2d", cost_row::node_class::one_pixel, cost_row::kernel_form::cortex_m_packed, {581.9, 7.449, 1.476, 0.0031}, 850},
    {"tfl.conv_2d", cost_row::node_class::one_pixel, cost_row::kernel_form::portable, {2027, 0, 2.882, 0.051}, 850},
    {"tfl.conv_2d", cost_row::node_class::one_by_one_many_weights, cost_row::kernel_form::cortex_m, {0, 3.876, 0.8116, 0.046}, 850},
    {"tfl.conv_2d", cost_row::node_class::one_by_one, cost_row::kernel_form::cortex_m, {1695, 8.804, 0.6294, 0.082}, 850},
    {"tfl.conv_2d", cost_row::node_class::many_weights, cost_row::kernel_form::cortex_m, {11560, 16.69, 0.7441, 0.017}, 850},
    {"tfl.conv_2d", cost_row::node_class::any, cost_row::kernel_form::cortex_m, {2565, 13.64, 0.717, 0.12}, 850},
    {"tfl.conv_2d", cost_row::node_class::one_by_one, cost_row::kernel_form::cortex_m_packed, {1988, 8.853, 0.7269, 0.09}, 850},
    {"tfl.conv_2d", cost_row::node_class::any, cost_row::kernel_form::cortex_m_packed, {2938, 14.03, 0.8268, 0.11}, 850},
    {"tfl.conv_2d", cost_row::node_class::many_weights, cost_row::kernel_form::cortex_m_gathered, {30270, 19.1, 0.7515, 0.037}, 850},
    {"tfl.conv_2d", cost_row::node_class::any, cost_row::kernel_form::cortex_m_gathered, {5859, 36.18, 0.6811, 0.26}, 850},
    {"tfl.conv_2d", cost_row::node_class::any, cost_row::kernel_form::winograd, {12970, 32.81, 0.3221, 0.14}, 2200},
    {"tfl.conv_2d", cost_row::node_class::any, cost_row::kernel_form::winograd_by_single_rows, {33070, 52.55, 0.4173, 0.058}, 2200},
    {"tfl.conv_2d", cost_row::node_class::one_by_one, cost_row::kernel_form::portable, {2487, 39.98, 2.746, 0.1}, 850},
    {"tfl.conv_2d", cost_row::node_class::any, cost_row::kernel_form::portable, {286.5, 45.04, 3.145, 0.11}, 850},
    {"tfl.depthwise_conv_2d", cost_row::node_class::one_channel, cost_row::kernel_form::cortex_m, {16000, 0, 1.095, 0.055}, 620},
    {"tfl.depthwise_conv_2d", cost_row::node_class::one_channel, cost_row::kernel_form::cortex_m_packed, {16520, 0, 1.223, 0.048}, 620},
    {"tfl.depthwise_conv_2d", cost_row::node_class::one_channel, cost_row::kernel_form::cortex_m_gathered, {55810, 0, 1.839, 0.37}, 620},
    {"tfl.depthwise_conv_2d", cost_row::node_class::three_by_three_strided, cost_row::kernel_form::cortex_m, {6434, 22.61, 0, 0.1}, 620},
    {"tfl.depthwise_conv_2d", cost_row::node_class::three_by_three, cost_row::kernel_form::cortex_m, {2785, 0, 2.033, 0.47}, 620},
    {"tfl.depthwise_conv_2d",
     cost_row::node_class::three_by_three_few,
     cost_row::kernel_form::cortex_m_by_taps,
     {2581, 60.65, 0, 0.51},
     620},
    {"tfl.depthwise_conv_2d", cost_row::node_class::three_by_three, cost_row::kernel_form::cortex_m_by_taps, {0, 0, 4.97, 0.064}, 620},
    {"tfl.depthwise_conv_2d", cost_row::node_class::any, cost_row::kernel_form::cortex_m, {19860, 4.332, 2.876, 0.01}, 620},
    {"tfl.depthwise_conv_2d", cost_row::node_class::three_by_three_strided, cost_row::kernel_form::portable, {598.4, 99.32, 0, 0.39}, 1100},
    {"tfl.depthwise_conv_2d", cost_row::node_class::three_by_three, cost_row::kernel_form::portable, {0, 96.94, 0, 0.66}, 1100},
    {"tfl.depthwise_conv_2d",
     cost_row::node_class::outputs_multiple_of_four,
     cost_row::kernel_form::portable,
     {0, 45.82, 2.957, 0.14},
     1100},
    {"tfl.depthwise_conv_2d", cost_row::node_class::other_output_counts, cost_row::kernel_form::portable, {0, 43.11, 5.468, 0.37}, 1100},
    {"tfl.depthwise_conv_2d", cost_row::node_class::any, cost_row::kernel_form::portable, {0, 52.73, 4.099, 0.038}, 1100},
    {"tfl.fully_connected", cost_row::node_class::any, cost_row::kernel_form::cortex_m, {313.8, 4.185, 0.9196, 0.017}, 420},
    {"tfl.fully_connected", cost_row::node_class::any, cost_row::kernel_form::cortex_m_from_bytes, {359, 4.945, 1.103, 0.019}, 500},
    {"tfl.fully_connected", cost_row::node_class::any, cost_row::kernel_form::portable, {55.38, 39.14, 2.763, 0.011}, 250},
    {"tfl.average_pool_2d", cost_row::node_class::any, cost_row::kernel_form::cortex_m, {0, 42.97, 0.3828, 0.29}, 300},
    {"tfl.average_pool_2d", cost_row::node_class::any, cost_row::kernel_form::portable, {0, 17.59, 9.306, 0.03}, 350},
    {"tfl.max_pool_2d", cost_row::node_class::any, cost_row::kernel_form::cortex_m, {0, 8.033, 1.637, 0.49}, 300},
    {"tfl.max_pool_2d", cost_row::node_class::any, cost_row::kernel_form::portable, {0, 11.96, 10.54, 0.042}, 350},
    {"tfl.add", cost_row::node_class::any, cost_row::kernel_form::cortex_m, {40, 11.25, 0, 0}, 250},
    {"tfl.add", cost_row::node_class::any, cost_row::kernel_form::portable, {0, 40, 0, 0}, 300},
    {"tfl.mul", cost_row::node_class::any, cost_row::kernel_form::portable, {23.6, 24, 0, 0.00085}, 300},
    {"tfl.maximum", cost_row::node_class::any, cost_row::kernel_form::portable, {8.877, 7.977, 0, 0.0026}, 150},
    {"tfl.minimum", cost_row::node_class::any, cost_row::kernel_form::portable, {8.877, 7.977, 0, 0.0026}, 150},
    {"tfl.softmax", cost_row::node_class::any, cost_row::kernel_form::portable, {76.75, 43.49, 0, 0.094}, 350},
    {"tfl.reshape", cost_row::node_class::any, cost_row::kernel_form::portable, {40, 0, 0, 0}, 10},
    {"tfl.concatenation", cost_row::node_class::any, cost_row::kernel_form::portable, {43.87, 0.5283, 0, 0.01}, 300},
    {"tfl.split_v", cost_row::node_class::any, cost_row::kernel_form::portable, {26.05, 1.125, 0, 0.027}, 300},
    {"tfl.strided_slice", cost_row::node_class::any, cost_row::kernel_form::portable, {29.61, 0.5248, 0, 0.0027}, 200},
    {"tfl.slice", cost_row::node_class::any, cost_row::kernel_form::portable, {29.61, 0.5248, 0, 0.0027}, 200},
    {"tfl.pad", cost_row::node_class::any, cost_row::kernel_form::portable, {14.21, 0.7751, 0, 0.03}, 250},
    {"tfl.transpose", cost_row::node_class::any, cost_row::kernel_form::portable, {59.82, 0.6172, 0, 0.8}, 250},
    {"tfl.mean", cost_row::node_class::any, cost_row::kernel_form::portable, {121.6, 27.57, 3.936, 2e-05}, 400},
    {"tfl.resize_nearest_neighbor", cost_row::node_class::any, cost_row::kernel_form::portable, {552.3, 1.252, 0, 0.37}, 300},
    {"tfl.resize_bilinear", cost_row::node_class::any, cost_row::kernel_form::portable, {2688, 20.61, 0, 0.27}, 600},
    {"tfl.logistic", cost_row::node_class::any, cost_row::kernel_form::portable, {0, 5, 0, 0}, 300},
    {"tfl.tanh", cost_row::node_class::any, cost_row::kernel_form::portable, {0, 5, 0, 0}, 300},
    {"tfl.leaky_relu", cost_row::node_class::any, cost_row::kernel_form::portable, {0, 5, 0, 0}, 300},
    {"tfl.quantize", cost_row::node_class::any, cost_row::kernel_form::portable, {0, 40.95, 0, 0.0014}, 300},
    {"tfl.dequantize", cost_row::node_class::any, cost_row::kernel_form::portable, {17.24, 8.987, 0, 0.00045}, 300},
    {"tfl.svdf", cost_row::node_class::any, cost_row::kernel_form::cortex_m, {1848, 0, 1.629, 0.0023}, 500},
    {"tfl.svdf", cost_row::node_class::any, cost_row::kernel_form::portable, {1915, 53.66, 5.538, 3.2e-05}, 500},
    {"tfl.unidirectional_sequence_lstm", cost_row::node_class::any, cost_row::kernel_form::cortex_m, {1387, 405.1, 1.459, 0}, 1500},
    {"tfl.unidirectional_sequence_lstm", cost_row::node_class::any, cost_row::kernel_form::portable, {333.3, 515.3, 3.735, 0}, 1500},
};

/// The additional instructions of a node that is cut into slices of rows, and of one that is cut into slices of chunks (`call_row`).
inline constexpr call_row cortex_m4_calls[] = {
    {"tfl.conv_2d", cost_row::kernel_form::cortex_m, {193, 0}, {938, 0}},
    {"tfl.depthwise_conv_2d", cost_row::kernel_form::cortex_m, {1360, 0}, {526, 2.94}},
    {"tfl.fully_connected", cost_row::kernel_form::cortex_m, {1000, 0}, {48, 3.01}},
    {"tfl.average_pool_2d", cost_row::kernel_form::cortex_m, {0, 0}, {0, 0}},
    {"tfl.max_pool_2d", cost_row::kernel_form::cortex_m, {0, 0}, {20, 0}},
    {"tfl.add", cost_row::kernel_form::cortex_m, {24.3, 0}, {1000, 0}},
    {"tfl.svdf", cost_row::kernel_form::cortex_m, {1000, 0}, {82.8, 3.06}},
    {"tfl.unidirectional_sequence_lstm", cost_row::kernel_form::cortex_m, {1000, 0}, {9.1, 154}},
    {"tfl.conv_2d", cost_row::kernel_form::cortex_m_packed, {193, 0}, {461, 0}},
    {"tfl.conv_2d", cost_row::kernel_form::cortex_m_gathered, {63.3, 0}, {2.01, 1.66}},
    {"tfl.depthwise_conv_2d", cost_row::kernel_form::cortex_m_gathered, {60, 0}, {55, 0}},
    {"tfl.depthwise_conv_2d", cost_row::kernel_form::cortex_m_by_taps, {267, 0}, {76.7, 6.56}},
    {"tfl.fully_connected", cost_row::kernel_form::cortex_m_from_bytes, {1000, 0}, {25, 0}},
    {"tfl.conv_2d", cost_row::kernel_form::winograd, {93.3, 0}, {144, 0}},
    {"tfl.conv_2d", cost_row::kernel_form::portable, {80, 0}, {1150, 0}},
    {"tfl.depthwise_conv_2d", cost_row::kernel_form::portable, {240, 0}, {1230, 0}},
    {"tfl.fully_connected", cost_row::kernel_form::portable, {1000, 0}, {2130, 0}},
    {"tfl.average_pool_2d", cost_row::kernel_form::portable, {13.3, 0}, {0.583, 1.28}},
    {"tfl.max_pool_2d", cost_row::kernel_form::portable, {13.3, 0}, {0.583, 1.28}},
    {"tfl.add", cost_row::kernel_form::portable, {121, 5.02}, {1000, 0}},
    {"tfl.mul", cost_row::kernel_form::portable, {13.9, 0}, {1000, 0}},
    {"tfl.softmax", cost_row::kernel_form::portable, {1000, 0}, {3.48, 0}},
    {"tfl.concatenation", cost_row::kernel_form::portable, {88.6, 0}, {1000, 0}},
    {"tfl.strided_slice", cost_row::kernel_form::portable, {30, 0}, {1000, 0}},
    {"tfl.slice", cost_row::kernel_form::portable, {30, 0}, {1000, 0}},
    {"tfl.pad", cost_row::kernel_form::portable, {35.2, 0}, {1000, 0}},
    {"tfl.transpose", cost_row::kernel_form::portable, {1000, 0}, {1000, 0}},
    {"tfl.mean", cost_row::kernel_form::portable, {1000, 0}, {1.98, 38}},
    {"tfl.resize_nearest_neighbor", cost_row::kernel_form::portable, {5, 0}, {1000, 0}},
    {"tfl.resize_bilinear", cost_row::kernel_form::portable, {14.4, 1.92}, {1000, 0}},
    {"tfl.logistic", cost_row::kernel_form::portable, {1000, 0}, {10.7, 0}},
    {"tfl.tanh", cost_row::kernel_form::portable, {1000, 0}, {10.7, 0}},
    {"tfl.leaky_relu", cost_row::kernel_form::portable, {1000, 0}, {10.7, 0}},
    {"tfl.quantize", cost_row::kernel_form::portable, {1000, 0}, {20, 0}},
    {"tfl.dequantize", cost_row::kernel_form::portable, {1000, 0}, {12.2, 0}},
    {"tfl.svdf", cost_row::kernel_form::portable, {1000, 0}, {76.4, 72.4}},
    {"tfl.unidirectional_sequence_lstm", cost_row::kernel_form::portable, {1000, 0}, {4.12, 156}},
};

/// The table of a Cortex-M4. `row` and `portable_row` are the additional instructions of each row of a node in a segment: the calls, and
/// the move of the kept rows. These instructions were measured on the models `kws_ref_model` and `pretrainedResnet_quant` in
/// tests/budget/gates.json: the difference between `row_streaming` and `in_place`, divided by the number of rows. The portable kernels take
/// more instructions per row, because they may run pixel by pixel.
inline constexpr measured_table cortex_m4_table{.rows = cortex_m4_rows, .calls = cortex_m4_calls, .row = 1600, .portable_row = 3800};

}  // namespace baton::detail
