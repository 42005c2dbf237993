// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Partitions a program of torch.export with its operators as exported, and brings the other nodes to the operators of the kernels.
// examples/digits/export.py writes the file.
#include <baton/baton.hpp>
#include <baton/report.hpp>

#include "digits.pt2.hpp"
#include "digits/seven.h"
#include "exported_model/dense_unit.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>

namespace {

using exported_model::dense_partitioner;
using exported_model::dense_unit;

constexpr auto exported = baton::pt2::read<digits_pt2>;

// The partitioner and the backend see the names of the file, such as aten.linear.default.
constexpr auto lowered = baton::to_backend(baton::backends<dense_unit>, exported, dense_partitioner{});
constexpr auto legal = baton::transform(lowered, baton::default_passes);
baton::executor<legal> net_with_unit;

// The same program without a backend.
constexpr auto without_unit = baton::transform(exported, baton::default_passes);
baton::executor<without_unit> net;

// A seven, 8 by 8 pixels from 0 to 1.
auto seven() -> std::array<float, 64> {
  std::array<float, 64> image{};
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = drawn_seven[i] == ' ' ? 0.0F : 1.0F;
  return image;
}

void print(const baton::text_buffer& text) { std::printf("%.*s\n", static_cast<int>(text.size()), text.data()); }

}  // namespace

auto main() -> int {
  print(baton::report::partition_table(lowered));
  print(baton::report::operator_table(legal));
  std::array<float, 10> scores{};
  net.run(seven(), scores);
  std::array<float, 10> with_unit{};
  net_with_unit.run(seven(), with_unit);
  std::printf("it is a %d; with the unit: %s scores\n", static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin()),
              with_unit == scores ? "the same" : "other");
}

// Output:
// partition: 5 of 28 nodes delegated, in 1 part
//      #  assigned to  nodes  processed bytes  scratch bytes
//   0-21  -               22                -              -
//         quantize_per_tensor dequantize_per_tensor dequantize_per_channel dequantize_per_channel_1 conv2d relu
//         quantize_per_tensor_1 dequantize_per_tensor_1 max_pool2d quantize_per_tensor_2 dequantize_per_tensor_2
//         dequantize_per_channel_2 dequantize_per_channel_3 conv2d_1 relu_1 quantize_per_tensor_3 dequantize_per_tensor_3
//         max_pool2d_1 quantize_per_tensor_4 dequantize_per_tensor_4 flatten quantize_per_tensor_5
//     22  DenseUnit        5              700              0
//         lowered_module_0(int8[1,64]) -> int8[1,10]
//         dequantize_per_tensor_5 dequantize_per_tensor_6 dequantize_per_tensor_7 linear quantize_per_tensor_6
//     23  -                1                -              -
//         dequantize_per_tensor_8
//
// operators of model: 10
//   #  node                                  operator                  operands                             outputs
//   0  quantize_per_tensor                   baton.quantize            float32[1,1,8,8]                     int8[1,1,8,8]
//   1  ...e_per_tensor_channels_last_layout  tfl.reshape               int8[1,1,8,8]                        int8[1,8,8,1]
//   2  conv2d                                baton.conv_2d             ...[1,8,8,1] int8[8,3,3,1] int32[8]  int8[1,8,8,8]
//   3  max_pool2d                            tfl.max_pool_2d           int8[1,8,8,8]                        int8[1,4,4,8]
//   4  conv2d_1                              baton.conv_2d             ...,4,4,8] int8[16,3,3,8] int32[16]  int8[1,4,4,16]
//   5  max_pool2d_1                          tfl.max_pool_2d           int8[1,4,4,16]                       int8[1,2,2,16]
//   6  ...er_tensor_4_channels_first_layout  tfl.transpose             int8[1,2,2,16] int32[4]              int8[1,16,2,2]
//   7  flatten                               tfl.reshape               int8[1,16,2,2]                       int8[1,64]
//   8  executorch_call_delegate              executorch_call_delegate  int8[1,64]                           int8[1,10]
//   9  dequantize_per_tensor_8               tfl.dequantize            int8[1,10]                           float32[1,10]
//
// it is a 7; with the unit: the same scores
