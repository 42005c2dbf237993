// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/compat/executorch/delegated_graph.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace {

using namespace baton;

/// Two branches (one is called twice), omitted operands, several outputs, and literals.
constexpr auto model() -> exported_program {
  constexpr auto one = tensor(dtype::float32, 1);
  program_builder b;
  const auto x = b.user_input("x", one);
  const auto yes = b.add_graph("true_graph");
  b.output(b.call("neg", "aten.neg.default", {b.user_input("x", one)}, one));
  const auto no = b.add_graph("false_graph");
  const auto y = b.user_input("y", one);
  b.output(b.call("clamp", "aten.clamp.default", {y, none<value_id>, y}, one, {{"min", 0.5}, {"mode", "a'b"}}));
  b.enter(graph_id{0});
  const auto both = b.call_many("split", "aten.split.default", {x}, {one, one}, {{"keepdim", true}});
  b.call_many("print", "aten.print.default", {both[0]}, {});
  b.output(b.call_many("cond", "cond", {both[0], both[1]}, {one}, {}, {yes, no})[0]);
  b.output(b.call_many("cond_1", "cond", {both[0], both[1]}, {one}, {}, {no, no})[0]);
  return b.finish();
}

constexpr std::string_view root =
    "graph():\n"
    "  %x : [num_users=1] = placeholder[target=x]\n"
    "  %split_0, %split_1 : [num_users=3, 2] = call_function[target=aten.split.default](args = (%x,), kwargs = {keepdim: True})\n"
    "  call_function[target=aten.print.default](args = (%split_0,), kwargs = {})\n"
    "  %cond_0 : [num_users=1] = call_function[target=cond](args = (%true_graph, %false_graph, %split_0, %split_1), kwargs = {})\n"
    "  %cond_1_0 : [num_users=1] = call_function[target=cond](args = (%false_graph, %false_graph, %split_0, %split_1), kwargs = {})\n"
    "  return (cond_0, cond_1_0)\n";

constexpr std::string_view branches =
    "    true_graph graph():\n"
    "      %x : [num_users=1] = placeholder[target=x]\n"
    "      %neg : [num_users=1] = call_function[target=aten.neg.default](args = (%x,), kwargs = {})\n"
    "      return (neg,)\n"
    "    false_graph graph():\n"
    "      %y : [num_users=1] = placeholder[target=y]\n"
    "      %clamp : [num_users=1] = call_function[target=aten.clamp.default](args = (%y, None, %y), kwargs = {min: 0.5, mode: 'a\\'b'})\n"
    "      return (clamp,)\n";

constexpr auto the_root_is_shown() -> bool { return view(report::delegated_graph(model())) == root; }
static_assert(the_root_is_shown());

constexpr auto branches_are_shown_on_request() -> bool {
  const auto text = report::delegated_graph(model(), reach::branches);
  return view(text).find(branches) != std::string_view::npos && view(report::delegated_graph(exported_program{})) == "graph():\n";
}
static_assert(branches_are_shown_on_request());

}  // namespace

TEST_CASE("delegated graph: users are counted, literals and absent operands shown") {
  CHECK(std::string(view(report::delegated_graph(model()))) == root);
  CHECK(the_root_is_shown());
}
TEST_CASE("delegated graph: branches are printed below their nodes on request") { CHECK(branches_are_shown_on_request()); }
