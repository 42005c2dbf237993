// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Control flow and functions of ONNX models.
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/onnx.hpp>
#include <baton/operators/infer.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "onnx_writer.hpp"

namespace {

using namespace baton;
using namespace tests;  // the writer
using bytes = baton::vector<char>;

/// A program, and the file that it views.
struct imported {
  bytes file;
  exported_program program;

  constexpr explicit imported(const bytes& from) : file(from), program(onnx::read_bytes(file)) {}

  /// The number of nodes of graph `g`.
  constexpr auto nodes_in(std::size_t g) const -> std::size_t { return program.graphs[g].nodes.size; }
  constexpr auto node_of_graph(std::size_t g, std::size_t at) const -> const node& {
    return program.nodes[program.graphs[g].nodes.first + at];
  }
  constexpr auto is(const node& record, std::string_view op) const -> bool { return program.text(record.target) == op; }
  /// The inputs of graph `g` of a kind.
  constexpr auto inputs(std::size_t g, value_kind kind) const -> vector<value_id> {
    vector<value_id> ids;
    for (const auto id : program.inputs(program.graphs[g])) {
      if (program[id].kind == kind) ids.push_back(id);
    }
    return ids;
  }
  constexpr auto names(span<const value_id> ids) const -> text_buffer {
    text_buffer text;
    for (const auto id : ids) append(append(text, text.empty() ? "" : " "), program.text(program[id].name));
    return text;
  }
  /// True if these are the names of the inputs of graph `g`: first its constants, then its user inputs.
  constexpr auto has_inputs(std::size_t g, std::string_view constants, std::string_view user_inputs) const -> bool {
    return view(names(inputs(g, value_kind::constant))) == constants && view(names(inputs(g, value_kind::user_input))) == user_inputs;
  }
  constexpr auto has_operands(const node& record, std::string_view expected) const -> bool {
    return view(names(program.inputs(record))) == expected;
  }
  constexpr auto has_outputs(const node& record, std::string_view expected) const -> bool {
    return view(names(program.outputs_of(record))) == expected;
  }
};

template <fixed_string Rule>
constexpr auto is_rejected(const bytes& model, std::string_view reason) -> bool {
  const auto read = onnx::try_read_bytes(model);
  const std::string_view text{read.error.reason.data(), read.error.reason.size()};
  return !read && read.error.is<Rule>() && text.find(reason) != std::string_view::npos && read.value.graphs.empty();
}

constexpr std::string_view zeros{"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16};
constexpr auto flag(std::string_view name) -> message_writer { return typed_value(name, onnx_bool, {}); }
constexpr auto weight(std::string_view name) -> message_writer { return raw_tensor(name, onnx_float, {1, 4}, zeros); }
constexpr auto truth(std::string_view name) -> message_writer { return raw_tensor(name, onnx_bool, {}, "\1"); }

// If: the branches capture x and the constant w; the second branch returns x itself.

constexpr auto captures_become_operands() -> bool {
  const auto then_graph = graph_of({.nodes = {node_of({"Add", {"x", "w"}, {"t"}}), node_of({"Mul", {"t", "own"}, {"u"}})},
                                    .outputs = {untyped_value("u")},
                                    .initializers = {weight("own")},
                                    .name = "then"});
  const auto else_graph = graph_of({.nodes = {}, .outputs = {untyped_value("x")}, .name = ""});
  const imported of(model_of(graph_of(
      {.nodes =
           {node_of(
                {"If", {"p"}, {"y"}, {graph_attribute("else_branch", else_graph), graph_attribute("then_branch", then_graph)}, "choice"}),
            node_of({"Relu", {"a"}, {"x"}})},
       .inputs = {row("a"), flag("p")},
       .outputs = {row("y")},
       .initializers = {weight("w")}})));
  const auto& choice = of.node_of_graph(0, 1);
  const auto graphs = of.program.subgraphs_of(choice);
  return of.program.graphs.size() == 3 && of.is(of.node_of_graph(0, 0), "onnx.Relu") && of.is(choice, "cond") &&
         of.has_operands(choice, "p x") && choice.debug_handle == 1 && index(graphs[0]) == 1 && of.has_inputs(1, "w own", "x") &&
         of.nodes_in(1) == 2 && of.node_of_graph(1, 0).debug_handle == 3 && of.has_inputs(2, "", "x") && of.nodes_in(2) == 0 &&
         of.program.text(of.program.graphs[2].name) == "choice.body" && of.has_inputs(0, "", "a p");
}
static_assert(captures_become_operands());

// Nested: the inner If captures x and q of the root graph.

constexpr auto captures_pass_through_several_graphs() -> bool {
  const auto inner = [](std::string_view op, std::string_view output) {
    return graph_of({.nodes = {node_of({op, {"x"}, {output}})}, .outputs = {untyped_value(output)}, .name = op});
  };
  const auto outer = graph_of(
      {.nodes = {node_of(
           {"If", {"q"}, {"i"}, {graph_attribute("then_branch", inner("Relu", "r")), graph_attribute("else_branch", inner("Neg", "n"))}})},
       .outputs = {untyped_value("i")},
       .name = "outer"});
  const imported of(model_of(graph_of(
      {.nodes = {node_of({"If", {"p"}, {"y"}, {graph_attribute("then_branch", outer), graph_attribute("else_branch", inner("Abs", "b"))}})},
       .inputs = {row("x"), flag("p"), flag("q")},
       .outputs = {row("y")}})));
  return of.program.graphs.size() == 5 && of.has_operands(of.node_of_graph(0, 0), "p q x") && of.has_inputs(1, "", "q x") &&
         of.has_operands(of.node_of_graph(1, 0), "q x") && of.has_inputs(4, "", "q x") && of.nodes_in(2) == 1 && of.has_inputs(2, "", "x");
}
static_assert(captures_pass_through_several_graphs());

constexpr auto branches_must_match_their_node() -> bool {
  const auto choice = [](const message_writer& then_graph, const message_writer& else_graph) {
    return model_of(graph_of(
        {.nodes = {node_of({"If", {"p"}, {"y"}, {graph_attribute("then_branch", then_graph), graph_attribute("else_branch", else_graph)}})},
         .inputs = {row("x"), flag("p")},
         .outputs = {row("y")}}));
  };
  const auto relu = node_of({"Relu", {"x"}, {"r"}});
  const auto valid = graph_of({.nodes = {relu}, .outputs = {untyped_value("r")}, .name = "valid"});
  const auto with_input = graph_of({.nodes = {relu}, .inputs = {row("v")}, .outputs = {untyped_value("r")}, .name = "with_input"});
  const auto without_output = graph_of({.nodes = {relu}, .outputs = {}, .name = "without_output"});
  const auto with_two = graph_of({.nodes = {relu}, .outputs = {untyped_value("r"), untyped_value("x")}, .name = "with_two"});
  return onnx::try_read_bytes(choice(valid, valid)) &&
         is_rejected<"malformed_operator">(choice(with_input, valid), "its then_branch has 1 input, not 0") &&
         is_rejected<"malformed_operator">(choice(valid, without_output), "its else_branch has 0 outputs, but the node has 1") &&
         is_rejected<"malformed_operator">(choice(with_two, valid), "its branches have different numbers of outputs, 2 and 1");
}
static_assert(branches_must_match_their_node());

// Loops: the body adds x and c to the carried value h, and stacks it.

struct loop_parts {
  std::string_view limit;
  std::string_view condition;
  std::string_view returned = "keep";  ///< the condition that the body returns
  bool is_stacked = true;
};
constexpr auto loop(const loop_parts& parts) -> bytes {
  const auto stacked = node_of({"Identity", {"h2"}, {"s"}});
  message_writer body = graph_of({.nodes = {node_of({"Identity", {"cond"}, {"keep"}}), node_of({"Add", {"h", "x"}, {"h1"}}),
                                            node_of({"Add", {"h1", "c"}, {"h2"}}), stacked},
                                  .inputs = {typed_value("i", onnx_int64, {}), flag("cond"), row("h")},
                                  .outputs = {untyped_value(parts.returned), untyped_value("h2")},
                                  .name = "body"});
  if (parts.is_stacked) body.child(number::graph::output, untyped_value("s"));
  message_writer call;
  call.text(number::node::input, parts.limit).text(number::node::input, parts.condition).text(number::node::input, "x");
  call.text(number::node::output, "y");
  if (parts.is_stacked) call.text(number::node::output, "all");
  call.text(number::node::op_type, "Loop").text(number::node::name, "loop").child(number::node::attribute, graph_attribute("body", body));
  message_writer of = graph_of({.nodes = {call},
                                .inputs = {row("x"), typed_value("n", onnx_int64, {}), typed_value("one_n", onnx_int64, {{1}}), flag("p")},
                                .outputs = {row("y")},
                                .initializers = {weight("c"), int64_tensor("six", {}, {6}), truth("yes")}});
  if (parts.is_stacked) of.child(number::graph::output, untyped_value("all"));
  return model_of(of);
}
constexpr auto counted_loops_are_scans() -> bool {
  const imported of(loop({"six", "yes"}));
  const auto& record = of.node_of_graph(0, 0);
  const auto all = of.program.outputs_of(record)[1];
  constexpr std::int64_t sizes[] = {6, 1, 4};
  return of.nodes_in(0) == 1 && of.is(record, "scan") && of.has_operands(record, "x loop.iterations x") &&
         of.has_outputs(record, "y all") && of.program.integer(record, "carried") == 1 && of.program.integer(record, "scanned") == 1 &&
         same(of.program.shape(all), span<const std::int64_t>(sizes)) && of.has_inputs(1, "loop.condition c", "h i x") &&
         of.nodes_in(1) == 4;
}
static_assert(counted_loops_are_scans());

constexpr auto other_loops_are_while_loops() -> bool {
  const imported with_limit(loop({"n", "", "keep", false})), with_condition(loop({"", "p", "keep", false}));
  const auto& limited = with_limit.node_of_graph(0, 0);
  const auto& conditional = with_condition.node_of_graph(0, 0);
  return with_limit.is(limited, "while_loop") && with_limit.has_operands(limited, "loop.iteration x n x") &&
         with_limit.has_outputs(limited, "loop_carried_0 y") && with_limit.nodes_in(0) == 1 &&
         with_condition.is(conditional, "while_loop") && with_condition.has_operands(conditional, "p x x") &&
         with_condition.has_outputs(conditional, "loop_carried_0 y") &&
         with_condition.nodes_in(index(with_condition.program.subgraphs_of(conditional)[0])) == 0 &&
         with_limit.is(with_limit.node_of_graph(2, 0), "onnx.Less") &&
         with_limit.has_operands(with_limit.node_of_graph(2, 0), "loop.iteration n") &&
         index(with_limit.program.subgraphs_of(limited)[0]) == 2 && index(with_limit.program.subgraphs_of(limited)[1]) == 1;
}
static_assert(other_loops_are_while_loops());

/// The limit may have one dimension even if the iteration number is a scalar.
constexpr auto conditions_have_inferred_types() -> bool {
  const imported of(loop({"one_n", "p", "keep", false}));
  const auto& less = of.node_of_graph(2, 0);
  const auto& both = of.node_of_graph(2, 1);
  return of.is(less, "onnx.Less") && of.is(both, "onnx.And") && of.program.shape(of.program.outputs_of(less)[0]).size() == 1 &&
         of.program.shape(of.program.outputs_of(both)[0]).size() == 1 && !check_inference(of.program);
}
static_assert(conditions_have_inferred_types());

constexpr auto stacks_of_ended_loops_are_sliced() -> bool {
  const imported of(loop({"six", "p"}));
  const auto& record = of.node_of_graph(0, 0);
  const auto& slice = of.node_of_graph(0, 2);
  constexpr std::int64_t sizes[] = {-1, 1, 4};
  return of.nodes_in(0) == 3 && of.is(record, "while_loop") && of.has_operands(record, "loop.iteration p x loop.stack_0 six x") &&
         of.is(slice, "onnx.Slice") && of.has_outputs(slice, "all") &&
         same(of.program.shape(of.program.outputs_of(slice)[0]), span<const std::int64_t>(sizes));
}
static_assert(stacks_of_ended_loops_are_sliced());

constexpr auto conditional(std::int64_t type, std::initializer_list<dim> sizes, std::initializer_list<dim> row_sizes) -> bytes {
  const auto body = graph_of({.nodes = {node_of({"Identity", {"c"}, {"c2"}}), node_of({"Identity", {"r"}, {"h2"}})},
                              .inputs = {typed_value("i", onnx_int64, {}), flag("cond"), row("h")},
                              .outputs = {untyped_value("c2"), untyped_value("h2")},
                              .name = "body"});
  return model_of(graph_of({.nodes = {node_of({"Loop", {"", "p", "x"}, {"y"}, {graph_attribute("body", body)}, "loop"})},
                            .inputs = {row("x"), flag("p"), typed_value("c", type, sizes), typed_value("r", onnx_float, row_sizes)},
                            .outputs = {row("y")}}));
}
constexpr auto conditions_are_scalars() -> bool {
  const imported of(conditional(onnx_bool, {{1}, {1}}, {{1}, {4}}));
  const auto& last = of.node_of_graph(1, 2);
  return of.nodes_in(1) == 3 && of.is(last, "onnx.Reshape") && of.program.shape(of.program.outputs_of(last)[0]).empty() &&
         is_rejected<"malformed_operator">(conditional(onnx_bool, {{2}}, {{1}, {4}}), "its condition is not one boolean") &&
         is_rejected<"malformed_operator">(conditional(onnx_float, {}, {{1}, {4}}), "its condition is not one boolean") &&
         is_rejected<"malformed_operator">(conditional(onnx_bool, {}, {{1}, {5}}), "its body changes the type of carried value 0");
}
static_assert(conditions_are_scalars());

constexpr auto impossible_loops_are_rejected() -> bool {
  return is_rejected<"unsupported_model">(loop({"n", "yes"}), "stacks outputs over an unknown number of iterations") &&
         is_rejected<"unsupported_model">(loop({"", "yes", "keep", false}),
                                          "it never ends: its operand M is omitted, and its condition is always true") &&
         is_rejected<"unsupported_model">(loop({"", "", "cond", false}), "it never ends") &&
         is_rejected<"malformed_operator">(model_of(graph_of({.nodes = {node_of({"Loop", {}, {"y"}})}, .outputs = {untyped_value("y")}})),
                                           "attribute body is missing");
}
static_assert(impossible_loops_are_rejected());

// Scan

// With `is_turned`, the stacks are along other dimensions.
constexpr auto scan(const message_writer& first, const message_writer& second, bool is_turned = false) -> bytes {
  const auto body = graph_of({.nodes = {node_of({"Add", {"h", "e"}, {"g"}}), node_of({"Mul", {"g", "c"}, {"s"}})},
                              .inputs = {untyped_value("h"), untyped_value("e")},
                              .outputs = {untyped_value("g"), untyped_value("s")},
                              .name = "body"});
  const auto stack = [](std::string_view name, std::int64_t planes, std::int64_t rows, std::int64_t columns) {
    return typed_value(name, onnx_float, {{planes}, {rows}, {columns}});
  };
  const auto list = stack("list", is_turned ? 1 : 5, is_turned ? 5 : 1, 4);
  const auto all = stack("all", is_turned ? 1 : 5, is_turned ? 4 : 1, is_turned ? 5 : 4);
  return model_of(graph_of({.nodes = {node_of({"Scan",
                                               {"x", "list"},
                                               {"y", "all"},
                                               {int_attribute("num_scan_inputs", 1), graph_attribute("body", body), first, second},
                                               "scan"})},
                            .inputs = {row("x"), list, row("c")},
                            .outputs = {row("y"), all}}));
}
constexpr auto scans_are_read() -> bool {
  const auto forward = ints_attribute("scan_input_directions", {0});
  const imported of(scan(forward, ints_attribute("scan_input_axes", {-3})));
  const auto& record = of.node_of_graph(0, 0);
  return of.nodes_in(0) == 1 && of.is(record, "scan") && of.has_operands(record, "x list c") && of.has_outputs(record, "y all") &&
         of.has_inputs(1, "", "h e c") &&
         is_rejected<"malformed_operator">(scan(forward, ints_attribute("scan_input_axes", {3})),
                                           "scan_input_axes has the axis 3, but the tensor has 3 dimensions") &&
         is_rejected<"malformed_operator">(scan(forward, ints_attribute("scan_output_axes", {-4})),
                                           "has the axis -4, but the tensor has 3 dimensions");
}
constexpr auto other_stacks_are_moved() -> bool {
  const imported of(scan(ints_attribute("scan_input_axes", {1}), ints_attribute("scan_output_axes", {-1}), true));
  const imported back(scan(ints_attribute("scan_input_directions", {1}), ints_attribute("scan_output_directions", {1})));
  const auto perm = [&](std::size_t n, std::int64_t first, std::int64_t last) {
    const auto list = program_view(of.program).integer_list(of.program.find(of.node_of_graph(0, n), "perm")->list);
    return list.size() == 3 && list[0] == first && list[2] == last;
  };
  return of.nodes_in(0) == 3 && of.is(of.node_of_graph(0, 0), "onnx.Transpose") && perm(0, 1, 2) &&
         of.has_operands(of.node_of_graph(0, 1), "x scan.input_1 c") && of.has_outputs(of.node_of_graph(0, 1), "y scan.output_1") &&
         perm(2, 1, 0) && of.has_outputs(of.node_of_graph(0, 2), "all") && back.nodes_in(0) == 3 &&
         back.is(back.node_of_graph(0, 0), "onnx.Slice") && back.is(back.node_of_graph(0, 2), "onnx.Slice") &&
         back.has_outputs(back.node_of_graph(0, 2), "all") && back.inputs(0, value_kind::constant).size() == 4;
}
static_assert(other_stacks_are_moved());
static_assert(scans_are_read());

// Functions

constexpr auto functions_are_replaced_by_their_nodes() -> bool {
  // Scaled(a, b?) = LeakyRelu(a + a, alpha = slope) - its second output is not used by the second call.
  const auto scaled =
      function_of("my", "Scaled", {"a", "b"}, {"c", "d"},
                  {node_of({"Add", {"a", "a"}, {"t"}}), node_of({"LeakyRelu", {"t"}, {"c"}, {reference_attribute("alpha", "slope")}}),
                   node_of({"Clip", {"t", "b"}, {"d"}, {reference_attribute("unused", "absent")}})},
                  {float_attribute("slope", 0.5f)});
  const auto twice = function_of("my", "Twice", {"x"}, {"y"},
                                 {node_of({"Scaled", {"x"}, {"t"}, {reference_attribute("slope", "slope")}, "", "my"}),
                                  node_of({"Scaled", {"t"}, {"y"}, {}, "", "my"})});
  const imported of(model_of(graph_of({.nodes = {node_of({"Relu", {"x"}, {"t"}}),
                                                 node_of({"Twice", {"t"}, {"y"}, {float_attribute("slope", 0.25f)}, "call", "my"})},
                                       .inputs = {row("x")},
                                       .outputs = {row("y")}}),
                             17, {scaled, twice}));
  const auto& first = of.node_of_graph(0, 2);
  const auto& second = of.node_of_graph(0, 5);
  return of.nodes_in(0) == 7 && of.is(first, "onnx.LeakyRelu") && of.program.real(first, "alpha") == 0.25 && first.debug_handle == 2 &&
         of.is(second, "onnx.LeakyRelu") && of.program.real(second, "alpha") == 0.5 && of.has_outputs(second, "y") &&
         of.has_operands(of.node_of_graph(0, 1), "t t") && of.program.find(of.node_of_graph(0, 3), "unused") == nullptr &&
         of.node_of_graph(0, 3).inputs.size == 2;
}
static_assert(functions_are_replaced_by_their_nodes());

/// Functions with the same name and domain differ in their overload.
constexpr auto calls_name_an_overload() -> bool {
  const auto function = [](std::string_view op, std::string_view overload) {
    return function_of("my", "F", {"a"}, {"b"}, {node_of({op, {"a"}, {"b"}})}).text(number::function::overload, overload);
  };
  const auto call = [](std::string_view overload) {
    const auto node = node_of({"F", {"x"}, {"y"}, {}, "call", "my"}).text(number::node::overload, overload);
    return graph_of({.nodes = {node}, .inputs = {row("x")}, .outputs = {row("y")}});
  };
  const imported first(model_of(call("a"), 17, {function("Relu", "a"), function("Abs", "b")}));
  const imported second(model_of(call("b"), 17, {function("Relu", "a"), function("Abs", "b")}));
  return first.is(first.node_of_graph(0, 0), "onnx.Relu") && second.is(second.node_of_graph(0, 0), "onnx.Abs") &&
         is_rejected<"unsupported_operators">(model_of(call("b"), 17, {function("Relu", "a")}), "my.F (1)");
}
static_assert(calls_name_an_overload());

constexpr auto functions_may_contain_control_flow() -> bool {
  const auto branch = [](std::string_view op, std::string_view output) {
    return graph_of({.nodes = {node_of({op, {"t"}, {output}, {reference_attribute("alpha", "slope")}})},
                     .outputs = {untyped_value(output)},
                     .name = op});
  };
  const auto choose = function_of(
      "my", "Choose", {"x", "p"}, {"y"},
      {node_of({"Relu", {"x"}, {"t"}}),
       node_of({"If",
                {"p"},
                {"y"},
                {graph_attribute("then_branch", branch("LeakyRelu", "l")), graph_attribute("else_branch", branch("Elu", "e"))}})});
  const imported of(model_of(graph_of({.nodes = {node_of({"Choose", {"x", "p"}, {"y"}, {float_attribute("slope", 0.25f)}, "", "my"})},
                                       .inputs = {row("x"), flag("p")},
                                       .outputs = {row("y")}}),
                             17, {choose}));
  return of.nodes_in(0) == 2 && of.has_operands(of.node_of_graph(0, 1), "p t") &&
         of.program.real(of.node_of_graph(1, 0), "alpha") == 0.25 && of.is(of.node_of_graph(2, 0), "onnx.Elu");
}
static_assert(functions_may_contain_control_flow());

constexpr auto impossible_functions_are_rejected() -> bool {
  const auto call = graph_of({.nodes = {node_of({"F", {"x"}, {"y"}, {}, "call", "my"})}, .inputs = {row("x")}, .outputs = {row("y")}});
  const auto recursive = function_of("my", "F", {"a"}, {"b"}, {node_of({"F", {"a"}, {"b"}, {}, "", "my"})});
  const auto without_inputs = function_of("my", "F", {}, {"b"}, {});
  const auto undefined = function_of("my", "F", {"a"}, {"b"}, {node_of({"Add", {"a", "z"}, {"b"}})});
  const auto unknown = function_of("my", "F", {"a"}, {"b"}, {node_of({"Wobble", {"a"}, {"b"}})});
  auto old = function_of("my", "F", {"a"}, {"b"}, {node_of({"Relu", {"a"}, {"b"}})});
  old.child(number::function::opset_import, opset(9));
  return is_rejected<"nested_too_deep">(model_of(call, 17, {recursive}), "in function F") &&
         is_rejected<"malformed_operator">(model_of(call, 17, {without_inputs}),
                                           "node call has more operands or outputs than the function F") &&
         is_rejected<"damaged_model">(model_of(call, 17, {undefined}), "no node of the function defines z") &&
         is_rejected<"unsupported_operators">(model_of(call, 17, {unknown}), "Wobble (1)") &&
         is_rejected<"unsupported_operators">(model_of(call), "my.F (1)") &&
         is_rejected<"unsupported_model">(model_of(call, 17, {old}), "a function uses version 9");
}
static_assert(impossible_functions_are_rejected());

}  // namespace

TEST_CASE("onnx: captured values become operands of If") {
  CHECK(captures_become_operands());
  CHECK(captures_pass_through_several_graphs());
}
TEST_CASE("onnx: branches that do not match their If are rejected") { CHECK(branches_must_match_their_node()); }
TEST_CASE("onnx: loops become scans or while loops") {
  CHECK(counted_loops_are_scans());
  CHECK(other_loops_are_while_loops());
  CHECK(conditions_have_inferred_types());
  CHECK(stacks_of_ended_loops_are_sliced());
  CHECK(conditions_are_scalars());
  CHECK(impossible_loops_are_rejected());
  CHECK(scans_are_read());
  CHECK(other_stacks_are_moved());
}
TEST_CASE("onnx: functions are replaced by their nodes") {
  CHECK(functions_are_replaced_by_their_nodes());
  CHECK(calls_name_an_overload());
  CHECK(functions_may_contain_control_flow());
  CHECK(impossible_functions_are_rejected());
}
