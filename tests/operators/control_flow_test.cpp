// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/shared/control_flow.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/verify.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace baton;
using enum dtype;

constexpr auto scalar = tensor(boolean);
constexpr auto four = tensor(float32, 4);
constexpr auto three = tensor(float32, 3);
constexpr auto three_fours = tensor(float32, 3, 4);

/// Adds a graph of one node. It has inputs of types `input_types` and an output of type `output_type`.
constexpr auto add_graph(program_builder& b, std::string_view name, std::initializer_list<tensor_type> input_types, tensor_type output_type)
    -> graph_id {
  const auto previous = b.current();
  const auto added = b.add_graph(name);
  auto first = none<value_id>;
  for (const auto& type : input_types) {
    const auto input = b.user_input("y", type);
    if (first == none<value_id>) first = input;
  }
  b.output(b.call("made", "my.op", {first}, output_type));
  b.enter(previous);
  return added;
}

/// The definition of a control flow node.
struct node_definition {
  std::string_view op;
  std::initializer_list<tensor_type> operands;
  std::initializer_list<tensor_type> results;
  std::initializer_list<named_literal> literals;
};

constexpr auto with_node(program_builder& b, const node_definition& definition, std::initializer_list<graph_id> graphs)
    -> exported_program {
  baton::vector<value_id> inputs;
  for (const auto& type : definition.operands) inputs.push_back(b.user_input("x", type));
  baton::vector<value_id> outputs;
  for (const auto& type : definition.results) outputs.push_back(b.add_value(b.make_value("out", type, value_kind::intermediate)));
  b.add_node(b.make_node("node", definition.op), inputs, outputs, {definition.literals.begin(), definition.literals.size()});
  b.set_subgraphs({graphs.begin(), graphs.size()});
  for (const auto output : outputs) b.output(output);
  return b.finish();
}

struct error_case {
  std::string_view description;
  exported_program (*build)();
  std::string_view facts;
};

// E27: in the original, an operand that is not a get_attr. Here, subgraphs that do not fit the node.
constexpr error_case error_cases[] = {
    {"a choice with one branch",
     [] {
       program_builder b;
       const auto branch = add_graph(b, "branch", {four}, four);
       return with_node(b, {"cond", {scalar, four}, {four}, {}}, {branch});
     },
     "[node: node] [operator: cond] [it needs 2 subgraphs and has 1]"},
    {"a choice without branches",
     [] {
       program_builder b;
       return with_node(b, {"tfl.if", {scalar, four}, {four}, {}}, {});
     },
     "[node: node] [operator: tfl.if] [it needs 2 subgraphs and has 0]"},
    {"a map without a body",
     [] {
       program_builder b;
       return with_node(b, {"map", {three_fours}, {three_fours}, {{"mapped", 1}}}, {});
     },
     "[node: node] [operator: map] [it needs 1 subgraphs and has 0]"},
    {"a choice by more than a scalar",
     [] {
       program_builder b;
       const auto branch = add_graph(b, "branch", {four}, four);
       return with_node(b, {"cond", {four, four}, {four}, {}}, {branch, branch});
     },
     "[node: node] [operator: cond] [the predicate is not a scalar]"},
    {"a branch that takes more than it is given",
     [] {
       program_builder b;
       const auto good = add_graph(b, "good", {four}, four);
       const auto bad = add_graph(b, "bad", {four, four}, four);
       return with_node(b, {"cond", {scalar, four}, {four}, {}}, {good, bad});
     },
     "[node: node] [operator: cond] [subgraph bad has inputs that do not match the operands]"},
    {"a branch that takes less than it is given",
     [] {
       program_builder b;
       const auto good = add_graph(b, "good", {four, four}, four);
       const auto bad = add_graph(b, "bad", {four}, four);
       return with_node(b, {"cond", {scalar, four, four}, {four}, {}}, {bad, good});
     },
     "[node: node] [operator: cond] [subgraph bad has inputs that do not match the operands]"},
    {"a branch that gives another type",
     [] {
       program_builder b;
       const auto good = add_graph(b, "good", {four}, four);
       const auto bad = add_graph(b, "bad", {four}, three);
       return with_node(b, {"cond", {scalar, four}, {four}, {}}, {good, bad});
     },
     "[node: node] [operator: cond] [subgraph bad has outputs that do not match those of the node]"},
    {"a loop whose condition is no scalar",
     [] {
       program_builder b;
       const auto condition = add_graph(b, "condition", {four}, four);
       const auto body = add_graph(b, "body", {four}, four);
       return with_node(b, {"while_loop", {four}, {four}, {}}, {condition, body});
     },
     "[node: node] [operator: while_loop] [subgraph condition must return one scalar]"},
    {"a loop that gives more than it carries",
     [] {
       program_builder b;
       const auto graph = add_graph(b, "graph", {four}, scalar);
       return with_node(b, {"tfl.while", {four}, {four, four}, {}}, {graph, graph});
     },
     "[node: node] [operator: tfl.while] [every output needs a carried operand]"},
    {"a loop whose body changes the type",
     [] {
       program_builder b;
       const auto condition = add_graph(b, "condition", {four}, scalar);
       const auto body = add_graph(b, "body", {four}, three);
       return with_node(b, {"while_loop", {four}, {three}, {}}, {condition, body});
     },
     "[node: node] [operator: while_loop] [subgraph body changes the type of a carried value]"},
    {"a map that does not say how many stacks it has",
     [] {
       program_builder b;
       const auto body = add_graph(b, "body", {four}, four);
       return with_node(b, {"map", {three_fours}, {three_fours}, {}}, {body});
     },
     "[node: node] [operator: map] [attribute mapped, the number of stacked operands, is missing or less than 1]"},
    {"a scan with more stacks than operands",
     [] {
       program_builder b;
       const auto body = add_graph(b, "body", {four, four}, four);
       return with_node(b, {"scan", {four, three_fours}, {four}, {{"carried", 1}, {"scanned", 2}}}, {body});
     },
     "[node: node] [operator: scan] [its attributes require 1 carried and 2 stacked operands, but it has 2 operands]"},
    {"a scan with more carried values than outputs",
     [] {
       program_builder b;
       const auto body = add_graph(b, "body", {four, four, four}, four);
       return with_node(b, {"scan", {four, four, three_fours}, {four}, {{"carried", 2}, {"scanned", 1}}}, {body});
     },
     "[node: node] [operator: scan] [attribute carried, the number of carried operands, is 2, but it has 1 output]"},
    {"a map over slices of another type",
     [] {
       program_builder b;
       const auto body = add_graph(b, "body", {three}, four);
       return with_node(b, {"map", {three_fours}, {three_fours}, {{"mapped", 1}}}, {body});
     },
     "[node: node] [operator: map] [subgraph body has inputs that do not match the carried values, the slices and the other operands]"},
    {"a scan over stacks of different heights",
     [] {
       program_builder b;
       const auto body = add_graph(b, "body", {four, four}, four);
       return with_node(b, {"scan", {three_fours, tensor(float32, 2, 4)}, {three_fours}, {{"carried", 0}, {"scanned", 2}}}, {body});
     },
     "[node: node] [operator: scan] [the sizes of the stacked operands differ in dimension 0]"},
    {"a map that makes a stack of another height",
     [] {
       program_builder b;
       const auto body = add_graph(b, "body", {four}, four);
       return with_node(b, {"map", {three_fours}, {tensor(float32, 2, 4)}, {{"mapped", 1}}}, {body});
     },
     "[node: node] [operator: map] [the sizes of the stacked outputs and operands differ in dimension 0]"},
    {"a scan over stacks of different heights after a stack of unknown height",
     [] {
       program_builder b;
       const auto body = add_graph(b, "body", {four, four, four}, four);
       return with_node(b,
                        {"scan",
                         {tensor(float32, -1, 4), three_fours, tensor(float32, 2, 4)},
                         {tensor(float32, -1, 4)},
                         {{"carried", 0}, {"scanned", 3}}},
                        {body});
     },
     "[node: node] [operator: scan] [the sizes of the stacked operands differ in dimension 0]"},
    {"a scan that makes a stack of another height than its second operand",
     [] {
       program_builder b;
       const auto body = add_graph(b, "body", {four, four}, four);
       return with_node(b, {"scan", {tensor(float32, -1, 4), three_fours}, {tensor(float32, 2, 4)}, {{"carried", 0}, {"scanned", 2}}},
                        {body});
     },
     "[node: node] [operator: scan] [the sizes of the stacked outputs and operands differ in dimension 0]"},
    {"a map that makes two stacks of different heights from a stack of unknown height",
     [] {
       program_builder b;
       const auto body = b.add_graph("body");
       const auto slice = b.user_input("slice", four);
       for (const auto* const name : {"first", "second"}) b.output(b.call(name, "my.op", {slice}, four));
       b.enter(graph_id{0});
       return with_node(b, {"map", {tensor(float32, -1, 4)}, {three_fours, tensor(float32, 2, 4)}, {{"mapped", 1}}}, {body});
     },
     "[node: node] [operator: map] [the sizes of the stacked outputs and operands differ in dimension 0]"},
};

constexpr auto is_reported(const error_case& row) -> bool {
  const auto text = message(verify(row.build()));
  return view(text) == view(join(rule<"malformed_operator">::sentence, " ", row.facts));
}
template <std::size_t... Index>
constexpr auto every_error_is_reported(std::index_sequence<Index...>) -> bool {
  return (is_reported(error_cases[Index]) && ...);
}
static_assert(every_error_is_reported(std::make_index_sequence<std::size(error_cases)>{}));

constexpr auto valid_control_flow_passes() -> bool {
  return !verify(conformance::g_cond()) && !verify(conformance::g_map()) &&
         control_flow_of(conformance::g_map(), conformance::g_map().nodes[1]) == control_flow::map;
}
static_assert(valid_control_flow_passes());

// Bodies of TensorFlow Lite own constants and variables, which are not passed as operands.
constexpr auto a_body_may_own_data() -> bool {
  program_builder b;
  const auto condition = add_graph(b, "condition", {four}, scalar);
  const auto body = b.add_graph("body");
  const auto w = b.constant("w", four);
  const auto state = b.mutable_buffer("state", four);
  const auto x = b.user_input("x", four);
  b.mutation(b.call("next", "add", {state, w}, four), "state");
  b.output(b.call("made", "add", {x, w}, four));
  b.enter(graph_id{0});
  return !verify(with_node(b, {"tfl.while", {four}, {four}, {}}, {condition, body}));
}
static_assert(a_body_may_own_data());

// An unknown size fits any size. An operator that only a backend knows may have any subgraphs.
constexpr auto unknown_sizes_and_operators_are_accepted() -> bool {
  program_builder b;
  const auto branch = add_graph(b, "branch", {tensor(float32, -1)}, tensor(float32, -1));
  program_builder other;
  const auto inner = add_graph(other, "inner", {three}, three);
  return !verify(with_node(b, {"cond", {scalar, four}, {four}, {}}, {branch, branch})) &&
         !verify(with_node(other, {"my.call", {four}, {four}, {}}, {inner}));
}
static_assert(unknown_sizes_and_operators_are_accepted());

// A file may state the height of only some stacks.
constexpr auto unknown_heights_are_accepted() -> bool {
  const auto open_fours = tensor(float32, -1, 4);
  const auto is_valid_scan = [](const tensor_type& first, const tensor_type& second, const tensor_type& result) {
    program_builder b;
    const auto body = add_graph(b, "body", {four, four}, four);
    return !verify(with_node(b, {"scan", {first, second}, {result}, {{"carried", 0}, {"scanned", 2}}}, {body}));
  };
  return is_valid_scan(open_fours, three_fours, three_fours) && is_valid_scan(three_fours, open_fours, three_fours) &&
         is_valid_scan(three_fours, three_fours, open_fours) && is_valid_scan(open_fours, open_fours, three_fours) &&
         is_valid_scan(open_fours, open_fours, open_fours);
}
static_assert(unknown_heights_are_accepted());

}  // namespace

TEST_CASE("control flow with subgraphs that do not fit is rejected (E27)") {
  for (const auto& row : error_cases) {
    INFO(std::string(row.description));
    CHECK(std::string(view(message(verify(row.build())))) ==
          std::string(rule<"malformed_operator">::sentence) + " " + std::string(row.facts));
  }
}

TEST_CASE("control flow with subgraphs that fit is accepted") {
  CHECK(valid_control_flow_passes());
  CHECK(a_body_may_own_data());
  CHECK(unknown_sizes_and_operators_are_accepted());
  CHECK(unknown_heights_are_accepted());
}
