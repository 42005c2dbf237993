// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/find_definition.hpp>

#include <baton/core/builder.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string_view>

namespace {

using namespace baton;
using enum dtype;

constexpr auto work_of(literal_name op, const tensor_type& a, const tensor_type& b, const tensor_type& c, const tensor_type& out)
    -> std::uint64_t {
  program_builder build;
  const auto x = build.user_input("x", a);
  const auto y = build.user_input("y", b);
  const auto z = build.user_input("z", c);
  build.output(build.call(op.text, {x, y, z}, out));
  const auto program = build.finish();
  return multiply_adds(program, program.nodes[0]);
}

/// Returns the multiply-adds of a call with operands of these types. A rank of 0 means that the operand is omitted.
constexpr auto work_of(std::string_view op, std::initializer_list<tensor_type> operands, const tensor_type& out, bool adj_x = false)
    -> std::uint64_t {
  program_builder build;
  baton::vector<value_id> inputs;
  for (const auto& type : operands) {
    inputs.push_back(none<value_id>);
    if (type.rank != 0) inputs.back() = build.user_input("x", type);
  }
  build.output(build.call("node", op, {}, out, {{"adj_x", adj_x}}));
  auto program = build.finish();
  auto& record = program.nodes[0];  // the builder accepts initializer lists only
  record.inputs = {static_cast<std::uint32_t>(program.operands.size()), static_cast<std::uint32_t>(inputs.size())};
  for (const auto id : inputs) program.operands.push_back(id);
  return multiply_adds(program, record);
}
constexpr tensor_type omitted{float32};

/// A transposed convolution adds each input pixel to a window of the output. Operand 0 is the size of the output.
constexpr auto transposed_convolutions_are_counted() -> bool {
  return work_of("tfl.transpose_conv", {tensor(int32, 4), tensor(int8, 16, 3, 3, 8), tensor(int8, 1, 5, 5, 8)},
                 tensor(int8, 1, 11, 11, 16)) == 5 * 5 * 8 * 16 * 9 &&
         work_of("tfl.conv_3d_transpose", {tensor(int32, 5), tensor(float32, 2, 3, 3, 6, 4), tensor(float32, 1, 2, 5, 5, 4)},
                 tensor(float32, 1, 3, 7, 7, 6)) == 2 * 5 * 5 * 4 * 6 * 2 * 3 * 3 &&
         work_of("tfl.transpose_conv", {tensor(int32, 4), tensor(int8, 16, 3, 3, 8), tensor(int8, -1, 5, 5, 8)},
                 tensor(int8, -1, 11, 11, 16)) == 0 &&
         work_of("tfl.transpose_conv", {tensor(int32, 4), tensor(int8, 16, 3, 3, 8)}, tensor(int8, 1, 11, 11, 16)) == 0;
}
static_assert(transposed_convolutions_are_counted());

/// The channels are the last dimensions, the input a 3-D filter. The first matrix of a product may be transposed.
constexpr auto layouts_are_respected() -> bool {
  return work_of("tfl.conv_3d", {tensor(float32, 1, 4, 6, 6, 3), tensor(float32, 2, 3, 3, 3, 5)}, tensor(float32, 1, 4, 6, 6, 5)) ==
             4 * 6 * 6 * 5 * (2 * 3 * 3 * 3) &&
         work_of("tfl.batch_matmul", {tensor(float32, 2, 3, 7), tensor(float32, 2, 7, 5)}, tensor(float32, 2, 3, 5)) == 2 * 3 * 5 * 7 &&
         work_of("tfl.batch_matmul", {tensor(float32, 2, 7, 3), tensor(float32, 2, 7, 5)}, tensor(float32, 2, 3, 5), true) == 2 * 3 * 5 * 7;
}
static_assert(layouts_are_respected());

/// SVDF: for each of 8 filters, a feature filter over the input and a time filter over the state; a batch of 2.
constexpr auto svdf_is_counted() -> bool {
  return work_of("tfl.svdf", {tensor(int8, 2, 40), tensor(int8, 8, 40), tensor(int8, 8, 10), tensor(int32, 4), tensor(int8, 2, 80)},
                 tensor(int8, 2, 4)) == 2 * (8 * 40 + 8 * 10);
}
static_assert(svdf_is_counted());

/// 4 inputs, 6 cells and 3 outputs by a projection, for a batch of 2 and 5 steps. Without an input gate, one of four matrices is missing.
constexpr auto lstm_is_counted() -> bool {
  constexpr auto in = tensor(float32, 6, 4);
  constexpr auto recurrent = tensor(float32, 6, 3);
  constexpr auto cell = tensor(float32, 6);
  constexpr auto out = tensor(float32, 2, 5, 3);
  const auto whole = work_of("tfl.unidirectional_sequence_lstm",
                             {tensor(float32, 2, 5, 4),
                              in,
                              in,
                              in,
                              in,
                              recurrent,
                              recurrent,
                              recurrent,
                              recurrent,
                              cell,
                              cell,
                              cell,
                              cell,
                              cell,
                              cell,
                              cell,
                              tensor(float32, 3, 6),
                              tensor(float32, 3),
                              tensor(float32, 2, 3),
                              tensor(float32, 2, 6),
                              cell,
                              cell,
                              cell,
                              cell},
                             out);
  const auto coupled = work_of("tfl.unidirectional_sequence_lstm",
                               {tensor(float32, 2, 5, 4),
                                omitted,
                                in,
                                in,
                                in,
                                omitted,
                                tensor(float32, 6, 6),
                                tensor(float32, 6, 6),
                                tensor(float32, 6, 6),
                                omitted,
                                omitted,
                                omitted,
                                omitted,
                                cell,
                                cell,
                                cell,
                                omitted,
                                omitted,
                                tensor(float32, 2, 6),
                                tensor(float32, 2, 6)},
                               tensor(float32, 2, 5, 6));
  const auto basic = work_of(
      "tfl.lstm", {tensor(float32, 2, 4), tensor(float32, 2, 6), tensor(float32, 24, 10), tensor(float32, 24), tensor(float32, 2, 6)},
      tensor(float32, 2, 6));
  return whole == 2 * 5 * (4 * 6 * 4 + 4 * 6 * 3 + 3 * 6 + 3 * 6) && coupled == 2 * 5 * (3 * 6 * 4 + 3 * 6 * 6) && basic == 2 * 24 * 10;
}
static_assert(lstm_is_counted());

/// 4 inputs, 6 forward cells, 5 backward cells and 3 steps. The auxiliary input has separate weights.
constexpr auto bidirectional_lstm_is_counted() -> bool {
  constexpr auto in = tensor(float32, 6, 4);
  constexpr auto recurrent = tensor(float32, 6, 6);
  constexpr auto in2 = tensor(float32, 5, 4);
  constexpr auto recurrent2 = tensor(float32, 5, 5);
  constexpr auto bias = tensor(float32, 6);
  constexpr auto bias2 = tensor(float32, 5);
  constexpr auto aux = tensor(float32, 6, 7);
  constexpr auto aux2 = tensor(float32, 5, 7);
  return work_of("tfl.bidirectional_sequence_lstm",
                 {tensor(float32, 3, 1, 4),
                  in,
                  in,
                  in,
                  in,
                  recurrent,
                  recurrent,
                  recurrent,
                  recurrent,
                  omitted,
                  omitted,
                  omitted,
                  bias,
                  bias,
                  bias,
                  bias,
                  omitted,
                  omitted,
                  in2,
                  in2,
                  in2,
                  in2,
                  recurrent2,
                  recurrent2,
                  recurrent2,
                  recurrent2,
                  omitted,
                  omitted,
                  omitted,
                  bias2,
                  bias2,
                  bias2,
                  bias2,
                  omitted,
                  omitted,
                  tensor(float32, 1, 6),
                  tensor(float32, 1, 6),
                  tensor(float32, 1, 5),
                  tensor(float32, 1, 5),
                  tensor(float32, 3, 1, 7),
                  aux,
                  aux,
                  aux,
                  aux,
                  aux2,
                  aux2,
                  aux2,
                  aux2},
                 tensor(float32, 3, 1, 11)) == 3 * 4 * (6 * 4 + 6 * 6 + 5 * 4 + 5 * 5 + 6 * 7 + 5 * 7);
}
static_assert(bidirectional_lstm_is_counted());

constexpr auto plain_recurrence_is_counted() -> bool {
  constexpr auto in = tensor(float32, 6, 4);
  constexpr auto recurrent = tensor(float32, 6, 6);
  constexpr auto bias = tensor(float32, 6);
  constexpr auto state = tensor(float32, 2, 6);
  return work_of("tfl.rnn", {tensor(float32, 2, 4), in, recurrent, bias, state}, state) == 2 * (24 + 36) &&
         work_of("tfl.unidirectional_sequence_rnn", {tensor(float32, 2, 5, 4), in, recurrent, bias, state}, tensor(float32, 2, 5, 6)) ==
             2 * 5 * (24 + 36) &&
         work_of("tfl.bidirectional_sequence_rnn",
                 {tensor(float32, 2, 5, 4), in, recurrent, bias, state, in, recurrent, bias, state, tensor(float32, 2, 5, 3),
                  tensor(float32, 6, 3), tensor(float32, 6, 3)},
                 tensor(float32, 2, 5, 6)) == 2 * 5 * 2 * (24 + 36 + 18);
}
static_assert(plain_recurrence_is_counted());

constexpr auto multiply_adds_are_counted() -> bool {
  return work_of("tfl.conv_2d", tensor(int8, 1, 8, 8, 3), tensor(int8, 16, 3, 3, 3), tensor(int32, 16), tensor(int8, 1, 8, 8, 16)) ==
             8 * 8 * 16 * 27 &&
         work_of("tfl.depthwise_conv_2d", tensor(int8, 1, 8, 8, 4), tensor(int8, 1, 3, 3, 4), tensor(int32, 4), tensor(int8, 1, 8, 8, 4)) ==
             8 * 8 * 4 * 9 &&
         work_of("baton.conv_2d", tensor(int8, 1, 8, 8, 3), tensor(int8, 16, 3, 3, 3), tensor(int32, 16), tensor(int8, 1, 10, 9, 16)) ==
             10 * 9 * 16 * 27 &&
         work_of("baton.depthwise_conv_2d", tensor(int8, 1, 8, 8, 4), tensor(int8, 1, 3, 3, 4), tensor(int32, 4),
                 tensor(int8, 1, 8, 8, 4)) == 8 * 8 * 4 * 9 &&
         work_of("baton.fully_connected", tensor(int8, 1, 64), tensor(int8, 10, 64), tensor(int32, 10), tensor(int8, 1, 10)) == 640 &&
         work_of("tfl.fully_connected", tensor(int8, 1, 64), tensor(int8, 10, 64), tensor(int32, 10), tensor(int8, 1, 10)) == 640 &&
         work_of("aten.addmm.default", tensor(float32, 3), tensor(float32, 2, 5), tensor(float32, 5, 3), tensor(float32, 2, 3)) == 30 &&
         work_of("aten.mm.default", tensor(float32, 2, 5), tensor(float32, 5, 3), tensor(float32, 1), tensor(float32, 2, 3)) == 30 &&
         work_of("tfl.softmax", tensor(int8, 1, 64), tensor(int8, 1), tensor(int8, 1), tensor(int8, 1, 64)) == 0 &&
         work_of("tfl.fully_connected", tensor(int8, -1, 64), tensor(int8, 10, 64), tensor(int32, 10), tensor(int8, -1, 10)) == 0;
}
static_assert(multiply_adds_are_counted());

// A rule is applied only to nodes with all required operands.
constexpr auto nodes_without_required_operands_count_zero() -> bool {
  constexpr operand_definition operands[] = {
      {"signal"}, {"bias", operand_definition::presence::optional}, {"taps", operand_definition::presence::repeated}};
  constexpr auto seven = [](const program_view&, const node&) -> std::uint64_t { return 7; };
  const operator_definition custom[] = {{.name = "my.fold", .operands = operands, .multiply_adds = seven}};
  constexpr auto type = tensor(dtype::int8, 1, 4);
  program_builder b;
  b.define(custom);
  const auto x = b.user_input("x", type), nothing = none<value_id>;
  const std::initializer_list<value_id> too_few[] = {{}, {x}, {x, x}, {nothing, x, x}, {x, x, nothing}, {x, x, x, nothing}};
  const std::initializer_list<value_id> enough[] = {{x, nothing, x}, {x, x, x, x}};
  for (const auto& each : too_few) b.output(b.call("my.fold", each, type));
  for (const auto& each : enough) b.output(b.call("my.fold", each, type));
  const auto program = b.finish();
  for (std::size_t n = 0; n < program.nodes.size(); ++n) {
    if (multiply_adds(program, program.nodes[n]) != (n < std::size(too_few) ? 0 : 7)) return false;
  }
  return true;
}
static_assert(nodes_without_required_operands_count_zero());
TEST_CASE("multiply_adds counts the work of each operator") {
  CHECK(multiply_adds_are_counted());
  CHECK(nodes_without_required_operands_count_zero());
  CHECK(transposed_convolutions_are_counted());
  CHECK(layouts_are_respected());
  CHECK(svdf_is_counted());
  CHECK(lstm_is_counted());
  CHECK(bidirectional_lstm_is_counted());
  CHECK(plain_recurrence_is_counted());
}

}  // namespace
