// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Partitions by patterns, by configurations and in order: for devices that have one routine for several operators, or specific rules for
// one operator.
#include <baton/baton.hpp>
#include <baton/report.hpp>

#include "digits_int8.tflite.hpp"

#include <cstdio>

template <baton::fixed_string Id>
struct backend {
  static constexpr auto id = baton::name<Id>;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};
using cnn = backend<"cnn">;  // has a routine for a depthwise convolution and its consumer
using dsp = backend<"dsp">;  // has a matrix product

constexpr auto target = baton::backends<cnn, dsp>;
constexpr auto model = baton::tflite::read<digits_int8_tflite>;

// A pattern is a small program. Its inputs match any value; types and shapes are not compared.
constexpr auto separable_convolution() -> baton::exported_program {
  constexpr auto any = baton::tensor(baton::dtype::int8, 1);
  baton::program_builder build;
  const auto depthwise =
      build.call("tfl.depthwise_conv_2d", {build.user_input("x", any), build.user_input("w", any), build.user_input("b", any)}, any);
  build.output(build.call("tfl.conv_2d", {depthwise, build.user_input("w_1", any), build.user_input("b_1", any)}, any));
  return build.finish();
}

// A configuration states when an operator is supported. The part of the operator also contains its weights and its bias.
struct small_product {
  static constexpr auto op = baton::name<"tfl.fully_connected">;
  static constexpr auto is_supported(const baton::program_view& program, const baton::node& product) -> baton::verdict {
    const auto weights = program.shape(program.inputs(product)[1]);
    if (weights[0] * weights[1] <= 4096) return baton::accept();
    return baton::refuse("its weights of ", weights[0], " by ", weights[1], " are too many for the dsp");
  }
};

using by_pattern = baton::by_pattern<cnn, baton::patterns<separable_convolution>, baton::no_support, baton::literals::ignored>;
using by_config = baton::by_config<dsp, small_product>;
constexpr auto lowered = baton::to_backend(target, model, baton::in_order(by_pattern{}, by_config{}));
static_assert(baton::delegates(lowered).size() == 2);

// Both partitioners report a reason for every node that they do not select.
auto main() -> int {
  const auto verdicts = baton::verdicts_of(model, baton::in_order(by_pattern{}, by_config{}));
  const auto text = baton::report::partition_table(lowered, baton::report::verdict_reasons(verdicts));
  std::fwrite(text.data(), 1, text.size(), stdout);
}

// Output:
// partition: 3 of 7 nodes delegated, in 2 parts
//   #  assigned to  nodes  processed bytes  scratch bytes
//   0  -                1                -              -
//      not delegated: cnn: pattern 0 is the closest match, but operand 0 of conv_2d comes from a placeholder, not from
//      tfl.depthwise_conv_2d; dsp: there is no config for tfl.conv_2d
//      conv_2d
//   1  cnn              2                0              0
//      lowered_module_0(int8[1,8,8,16] and 4 constants) -> int8[1,8,8,24]
//      depthwise_conv_2d conv_2d_1
//   2  -                1                -              -
//      not delegated: cnn: no pattern has the operator tfl.average_pool_2d; dsp: there is no config for
//      tfl.average_pool_2d
//      average_pool_2d
//   3  -                1                -              -
//      not delegated: cnn: no pattern has the operator tfl.reshape; dsp: there is no config for tfl.reshape
//      reshape
//   4  dsp              1                0              0
//      lowered_module_1(int8[1,384]) -> int8[1,10]
//      fully_connected
//   5  -                1                -              -
//      not delegated: cnn: no pattern has the operator tfl.softmax; dsp: there is no config for tfl.softmax
//      softmax
