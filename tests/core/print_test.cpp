// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/print.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/decimal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string_view>

namespace {

constexpr auto prints(const baton::exported_program& program, std::string_view text) -> bool {
  return baton::view(baton::print(program)) == text;
}

constexpr std::string_view conv_relu_tan =
    "forward:\n"
    "  %p_conv1_weight = placeholder[target=conv1.weight]  # float32[16, 3, 3, 3], parameter\n"
    "  %p_conv1_bias = placeholder[target=conv1.bias]  # float32[16], parameter\n"
    "  %p_conv2_weight = placeholder[target=conv2.weight]  # float32[32, 16, 3, 3], parameter\n"
    "  %p_conv2_bias = placeholder[target=conv2.bias]  # float32[32], parameter\n"
    "  %x = placeholder[target=x]  # float32[4, 3, 64, 64]\n"
    "  %conv = call_function[target=aten.convolution.default](%x, %p_conv1_weight, %p_conv1_bias)  # float32[4, 16, 62, 62]\n"
    "  %relu = call_function[target=aten.relu.default](%conv)  # float32[4, 16, 62, 62]\n"
    "  %conv_1 = call_function[target=aten.convolution.default](%relu, %p_conv2_weight, %p_conv2_bias)  # float32[4, 32, 60, 60]\n"
    "  %relu_1 = call_function[target=aten.relu.default](%conv_1)  # float32[4, 32, 60, 60]\n"
    "  %tan = call_function[target=aten.tan.default](%relu_1)  # float32[4, 32, 60, 60]\n"
    "  return (%tan,)\n";

constexpr auto a_model_prints_one_line_per_node() -> bool { return prints(conformance::g_crt(), conv_relu_tan); }
static_assert(a_model_prints_one_line_per_node());

constexpr auto every_literal() -> baton::exported_program {
  using enum baton::dtype;
  constexpr std::int64_t dims[] = {1, -2};
  baton::program_builder b;
  const auto x = b.user_input("x", baton::tensor(float32, -1, 4));
  const auto parts =
      b.call_many("split", "aten.split.Tensor", {x, baton::none<baton::value_id>}, {baton::tensor(int8, 2), baton::tensor(int32)},
                  {{"dims", dims},
                   {"eps", 1e-5},
                   {"keepdim", true},
                   {"flag", false},
                   {"n", -7},
                   {"mode", "it's\n"},
                   {"none", baton::span<const std::int64_t>{}}});
  constexpr double scales[] = {0.5, 3};
  b.add_attribute({.name = b.own("scales"), .kind = baton::attribute_kind::reals, .list = b.reals(scales)});
  b.add_attribute({.name = b.own("raw"), .kind = baton::attribute_kind::bytes, .bytes = b.own(std::string_view{"a\0\xff", 3})});
  b.add_node(b.make_node("nothing", "my.sink"), {}, {});
  b.output(parts[0]);
  b.output(parts[1]);
  return b.finish();
}

constexpr auto literals_print_as_python_does() -> bool {
  return prints(
      every_literal(),
      "forward:\n"
      "  %x = placeholder[target=x]  # float32[?, 4]\n"
      "  %split_0, %split_1 = call_function[target=aten.split.Tensor](%x, None, dims=[1, -2], eps=1e-05, keepdim=True, flag=False, n=-7, "
      "mode='it\\'s\\x0a', none=[], scales=[0.5, 3.0], raw=b'a\\x00\\xff')  # int8[2], int32[]\n"
      "  call_function[target=my.sink]()\n"
      "  return (%split_0, %split_1)\n");
}
static_assert(literals_print_as_python_does());

constexpr auto mutations_and_kinds_are_printed() -> bool {
  return prints(conformance::g_mut(),
                "forward:\n"
                "  %b_my_state = placeholder[target=my_state]  # float32[2, 2], mutable buffer\n"
                "  %c_lifted_tensor_0 = placeholder[target=lifted_tensor_0]  # float32[2, 2], constant\n"
                "  %x = placeholder[target=x]  # float32[2, 2]\n"
                "  %add = call_function[target=aten.add.Tensor](%x, %b_my_state)  # float32[2, 2]\n"
                "  %add_1 = call_function[target=aten.add.Tensor](%b_my_state, %c_lifted_tensor_0)  # float32[2, 2]\n"
                "  return (%add_1, %add)  # %add_1 mutates my_state\n");
}
static_assert(mutations_and_kinds_are_printed());

constexpr auto subgraphs_are_printed_below_their_node() -> bool {
  const auto scalar = baton::tensor(baton::dtype::boolean);
  const auto type = baton::tensor(baton::dtype::int8, 3);
  baton::program_builder b;
  const auto root = b.current();
  const auto branch = b.add_graph("true_graph");
  const auto y = b.user_input("y", type);
  b.output(b.call("neg", "aten.neg.default", {y}, type));
  b.enter(root);
  const auto pred = b.user_input("pred", scalar);
  const auto x = b.user_input("x", type);
  b.output(b.call_many("cond", "test.cond", {pred, x}, {type}, {}, {branch, branch})[0]);
  const auto entry = b.add_graph("prefill");
  b.output(b.user_input("z", type));
  b.enter(entry);
  return prints(b.finish(),
                "forward:\n"
                "  %pred = placeholder[target=pred]  # boolean[]\n"
                "  %x = placeholder[target=x]  # int8[3]\n"
                "  %cond_0 = call_function[target=test.cond](%pred, %x, subgraphs=[true_graph, true_graph])  # int8[3]\n"
                "    true_graph:\n"
                "      %y = placeholder[target=y]  # int8[3]\n"
                "      %neg = call_function[target=aten.neg.default](%y)  # int8[3]\n"
                "      return (%neg,)\n"
                "  return (%cond_0,)\n"
                "prefill:\n"
                "  %z = placeholder[target=z]  # int8[3]\n"
                "  return (%z,)\n");
}
static_assert(subgraphs_are_printed_below_their_node());

constexpr auto tags_are_printed() -> bool {
  baton::program_builder b;
  const auto type = baton::tensor(baton::dtype::int8, 3);
  const auto w = b.parameter("w", type);
  b.output(b.call("add", "aten.add.Tensor", {w}, type));
  b.draft().tags.push_back({.name = b.own("t")});
  b.at(w).tag = baton::tag_id{0};
  b.latest_node().tag = baton::tag_id{0};
  return prints(b.finish(),
                "forward:\n"
                "  %p_w = placeholder[target=w]  # int8[3], parameter, tag t\n"
                "  %add = call_function[target=aten.add.Tensor](%p_w)  # int8[3], tag t\n"
                "  return (%add,)\n");
}
static_assert(tags_are_printed());

constexpr auto printing_a_recursive_program_terminates() -> bool {
  baton::program_builder b;
  const auto x = b.user_input("x", baton::tensor(baton::dtype::int8));
  b.output(b.call_many("cond", "test.cond", {x}, {baton::tensor(baton::dtype::int8)}, {}, {baton::graph_id{0}})[0]);
  return !baton::print(b.finish()).empty();
}
static_assert(printing_a_recursive_program_terminates());

template <class T>
constexpr auto real_prints(T number, std::string_view text) -> bool {
  baton::text_buffer buffer;
  return baton::view(baton::append_real(buffer, number)) == text;
}

constexpr auto reals_have_the_fewest_digits() -> bool {
  using limits = std::numeric_limits<double>;
  return real_prints(0.0, "0.0") && real_prints(-0.0, "-0.0") && real_prints(1.0, "1.0") && real_prints(-1.5, "-1.5") &&
         real_prints(0.1, "0.1") && real_prints(0.1f, "0.1") && real_prints(1e-5, "1e-05") && real_prints(1e-4, "0.0001") &&
         real_prints(123456.789, "123456.789") && real_prints(1e15, "1000000000000000.0") && real_prints(1e16, "1e+16") &&
         real_prints(1.5e17, "1.5e+17") && real_prints(2.0 / 3, "0.6666666666666666") && real_prints(0.007843138f, "0.007843138") &&
         real_prints(16777216.0f, "16777216.0") && real_prints(9007199254740992.0, "9007199254740992.0") &&
         real_prints(1.0 - limits::epsilon() / 2, "0.9999999999999999") && real_prints(limits::infinity(), "inf") &&
         real_prints(-limits::infinity(), "-inf") && real_prints(limits::quiet_NaN(), "nan");
}
static_assert(reals_have_the_fewest_digits());

constexpr auto the_smallest_and_largest_floats_print() -> bool {
  return real_prints(std::numeric_limits<float>::denorm_min(), "1e-45") &&
         real_prints(std::numeric_limits<float>::max(), "3.4028235e+38") && real_prints(std::numeric_limits<float>::min(), "1.1754944e-38");
}
static_assert(the_smallest_and_largest_floats_print());

constexpr auto the_smallest_and_largest_doubles_print() -> bool {
  using limits = std::numeric_limits<double>;
  return real_prints(limits::denorm_min(), "5e-324") && real_prints(limits::max(), "1.7976931348623157e+308") &&
         real_prints(limits::min(), "2.2250738585072014e-308");
}

}  // namespace

TEST_CASE("a program prints one line per node, in the style of torch.fx") {
  CHECK(a_model_prints_one_line_per_node());
  CHECK(literals_print_as_python_does());
  CHECK(mutations_and_kinds_are_printed());
  CHECK(subgraphs_are_printed_below_their_node());
  CHECK(tags_are_printed());
  CHECK(printing_a_recursive_program_terminates());
}

TEST_CASE("a real number prints with the fewest digits that parse back to it") {
  CHECK(reals_have_the_fewest_digits());
  CHECK(the_smallest_and_largest_floats_print());
  CHECK(the_smallest_and_largest_doubles_print());
}
