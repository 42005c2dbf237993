// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Adds a backend, which turns parts of a model into processed bytes, and a partitioner, which selects the nodes. Both run at compile time.
#include <baton/baton.hpp>
#include <baton/report.hpp>

#include "digits_int8.tflite.hpp"  // generated from the model by baton_embed()

#include <cstdio>

// A backend is a struct. The processed bytes of this one are a list of operators; a real one emits instructions for its device.
struct my_npu {
  static constexpr auto id = baton::name<"MyNpu">;

  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::preprocess_result {
    baton::preprocess_result result;
    for (const auto& node : part.nodes) baton::append(baton::append(result.processed_bytes, part.text(node.target)), ";");
    return result;
  }
};

// A partitioner assigns nodes to backends: here all convolutions, in the smallest number of parts that form no cycle.
using my_partitioner = baton::by_support<my_npu, baton::operator_names<"tfl.conv_2d", "tfl.depthwise_conv_2d">>;

constexpr auto target = baton::backends<my_npu>;
constexpr auto model = baton::tflite::read<digits_int8_tflite>;
constexpr auto lowered = baton::to_backend(target, model, my_partitioner{});
static_assert(baton::delegates(lowered).size() == 1);
static_assert(baton::delegates(lowered)[0].processed_bytes() == "tfl.conv_2d;tfl.depthwise_conv_2d;tfl.conv_2d;");

auto main() -> int {
  const auto text = baton::report::partition_table(lowered);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

// Output:
// partition: 3 of 7 nodes delegated, in 1 part
//     #  assigned to  nodes  processed bytes  scratch bytes
//     0  MyNpu            3               46              0
//        lowered_module_0(int8[1,8,8,1] and 6 constants) -> int8[1,8,8,24]
//        conv_2d depthwise_conv_2d conv_2d_1
//   1-4  -                4                -              -
//        average_pool_2d reshape fully_connected softmax
