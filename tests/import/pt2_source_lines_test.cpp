// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/import/pt2_source_lines.hpp>

#include <baton/core/error.hpp>
#include <baton/import/detail/stack_trace.hpp>
#include <baton/import/source_line.hpp>

#include "import/pt2_writer.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

using baton::source_line;
using baton::view;

constexpr auto is(const source_line& line, std::string_view file, std::int64_t number, std::string_view function, std::string_view text)
    -> bool {
  return view(line.file) == file && line.number == number && view(line.function) == function && view(line.text) == text;
}
constexpr auto the_innermost_frame_outside_torch_is_found() -> bool {
  using baton::detail::source_line_of;
  constexpr std::string_view layer = "  File \"/v/site-packages/torch/nn/conv.py\", line 565, in forward\n    return self._conv()";
  constexpr std::string_view inner = "  File \"torch/functional.py\", line 9, in relu\n    return x \r\n";
  constexpr std::string_view user =
      "File \"net.py\", line 7, in forward\n    y = self.block(x)\n  File \"net.py\", line 3, in block\n    a(' File \"b.py\", line 4')\n  "
      "  ~~^";
  const auto both = baton::join(user, "\n", layer, "\n  File \"<eval_with_key>.0\", line 5, in forward\n    b"),
             nested = baton::join(layer, "\n", inner), around = baton::join(layer, "\n", user);
  return is(source_line_of(view(both)), "net.py", 3, "block", "a(' File \"b.py\", line 4')") &&
         is(source_line_of(view(around)), "net.py", 3, "block", "a(' File \"b.py\", line 4')") &&
         is(source_line_of(layer), "/v/site-packages/torch/nn/conv.py", 565, "forward", "return self._conv()") &&
         is(source_line_of(view(nested)), "torch/functional.py", 9, "relu", "return x") &&
         is(source_line_of("File \"net.py\", line 1"), "net.py", 1, "", "") && is(source_line_of(""), "", 0, "", "") &&
         is(source_line_of("File \"net.py\", line x, in f\nFile \"b"), "net.py", 0, "f", "") &&
         is(source_line_of("File \"net.py"), "", 0, "", "");
}
static_assert(the_innermost_frame_outside_torch_is_found());
static_assert(baton::detail::is_of_torch("C:\\Python\\Lib\\site-packages\\torch\\nn\\conv.py"));
static_assert(baton::detail::is_of_torch("/home/a/pytorch/torch/nn/conv.py"));
static_assert(!baton::detail::is_of_torch("/home/a/torch/net.py"));
static_assert(baton::detail::is_of_torch("<eval_with_key>.0") && baton::detail::is_of_torch("<string>"));
static_assert(!baton::detail::is_of_torch("<ipython-input-3-ab>") && !baton::detail::is_of_torch("<stdin>"));

/// Two nodes; the subgraph of the first one contains a third node.
constexpr auto nodes_of_all_graphs_have_lines() -> bool {
  tests::pt2_graph body;
  body.input("a");
  body.value("b", {2});
  body.node("inner", "torch.ops.aten.relu.default", {tests::tensor_argument("a")}, {tests::tensor_argument("b")});
  body.output("b");
  tests::pt2_program net;
  net.user_input("x", {2});
  net.value("y", {2});
  net.value("z", {2});
  net.node("wrap", "torch.ops.higher_order.wrap_with_set_grad_enabled",
           {tests::argument_of("as_bool", "false"), body.argument("inner"), tests::tensor_argument("x")}, {tests::tensor_argument("y")});
  net.node("outer", "torch.ops.aten.relu.default", {tests::tensor_argument("y")}, {tests::tensor_argument("z")});
  net.user_output("z");
  const auto bytes = net.file();
  const auto lines = baton::pt2::source_lines_of(bytes);
  bool are_equal = lines && lines.value.size() == 3;
  for (const auto& each : lines.value) are_equal = are_equal && is(each, "net.py", 1, "", "");
  const auto damaged = net.file("{\"graph_module\": {\"graph\": {\"nodes\": [{\"metadata\": {\"stack_trace\": \"File");
  return are_equal && baton::pt2::source_lines_of(damaged).error.is<"damaged_model">() &&
         baton::pt2::source_lines_of(bytes, "decode").error.is<"unknown_name">() && !baton::pt2::source_lines_of({});
}
static_assert(nodes_of_all_graphs_have_lines());

}  // namespace

TEST_CASE("pt2: nodes have the lines of Python that called them") {
  CHECK(the_innermost_frame_outside_torch_is_found());
  CHECK(nodes_of_all_graphs_have_lines());
}
