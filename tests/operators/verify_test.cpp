// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/verify.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace baton;
using enum dtype;
using namespace std::string_view_literals;

constexpr auto four = tensor(int8, 4);

/// x -> neg -> relu -> return: node 0 is `neg`, node 1 is `relu`; values x, neg, relu.
constexpr auto chain() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", four);
  const auto neg = b.call("neg", "aten.neg.default", {x}, four);
  b.output(b.call("relu", "aten.relu.default", {neg}, four));
  return b.finish();
}

/// A node with a subgraph: root graph 0 holds node `cond`, graph 1 holds node `neg`.
constexpr auto nested() -> exported_program {
  program_builder b;
  const auto root = b.current();
  const auto branch = b.add_graph("branch");
  const auto y = b.user_input("y", four);
  b.output(b.call("neg", "aten.neg.default", {y}, four));
  b.enter(root);
  const auto x = b.user_input("x", four);
  b.output(b.call_many("cond", "test.cond", {x}, {four}, {}, {branch})[0]);
  return b.finish();
}

/// A program with a literal of every form, a lowered module, a compile spec, a mapping and a tag: one record in every pool.
constexpr auto full() -> exported_program {
  auto program = chain();
  constexpr range text{0, 1};
  const byte_ref name{nullptr, text.first, text.size};
  program.nodes[0].attributes = {0, 2};
  program.attributes.push_back({.name = name, .kind = attribute_kind::integers, .bytes = name, .list = {0, 1}});
  program.attributes.push_back({.name = name, .kind = attribute_kind::reals, .list = {0, 1}});
  program.reals.push_back(0.5);
  program.tags.push_back({.name = name, .backend_id = name, .compile_specs = {0, 1}});
  program.compile_specs.push_back({name, name});
  program.mappings.push_back({.text = name, .handles = {0, 1}});
  program.delegates.push_back(
      {.name = name, .backend_id = name, .processed_bytes = name, .original = graph_id{0}, .compile_specs = {0, 1}, .debug_map = {0, 1}});
  program.delegates[0].original = graph_id{0};
  return program;
}

/// A program that calls a lowered module with one node, after `change` was applied to it.
constexpr auto calling(void (*change)(exported_program&)) -> exported_program {
  program_builder b;
  const auto inner = b.add_graph("inner");
  const auto y = b.user_input("y", four);
  b.output(b.call("neg", "aten.neg.default", {y}, four));
  b.enter(graph_id{0});
  const auto x = b.user_input("x", four);
  b.output(b.call("call", call_delegate.text, {x}, four));
  b.latest_node().delegate = delegate_id{0};
  b.draft().delegates.push_back({.original = inner});
  auto program = b.finish();
  change(program);
  return program;
}

/// A program with a node that has the same scratch operand twice.
constexpr auto scratch_of(std::string_view op) -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", four);
  const auto s = b.scratch("s", tensor(dtype::uint8, 100));
  b.output(b.call("y", op, {x, s, s}, four));
  return b.finish();
}
static_assert(!verify(scratch_of("my_company.fft")) && !verify(scratch_of("tfl.custom.ethos-u")));

/// An invalid program, the sentence of the rule that it breaks, and the facts after the sentence.
struct error_case {
  std::string_view description;
  exported_program (*build)();
  std::string_view sentence;
  std::int64_t node;
  std::string_view facts;
};

constexpr error_case error_cases[] = {
    {"no graph at all", [] { return exported_program{}; }, rule<"misplaced_index">::sentence, -1, " [the program has no graph]"},
    {"a graph whose nodes are not there",
     [] {
       auto p = chain();
       p.graphs[0].nodes.size = 3;
       return p;
     },
     rule<"misplaced_index">::sentence, -1, " [a graph's lists]"},
    {"scratch of a builtin operator", [] { return scratch_of("tfl.add"); }, rule<"undefined_value">::sentence, 0,
     " [node: y] [operator: tfl.add] [operand s]"},
    {"scratch that is an input of the graph",
     [] {
       auto p = chain();
       p.values[0].kind = value_kind::scratch;
       return p;
     },
     rule<"malformed_signature">::sentence, -1, " [graph input x]"},
    {"scratch that is an output of the graph",
     [] {
       auto p = scratch_of("my_company.fft");
       p.outputs[0].value = value_id{1};
       return p;
     },
     rule<"undefined_value">::sentence, -1, " [graph output s]"},
    {"scratch that a node makes",
     [] {
       auto p = scratch_of("my_company.fft");
       p.values[2].kind = value_kind::scratch;
       return p;
     },
     rule<"value_defined_twice">::sentence, 0, " [node: y] [operator: my_company.fft] [output y]"},
    {"a range so long that its end wraps",
     [] {
       auto p = chain();
       p.graphs[0].inputs = {2, 0xffffffffu};
       return p;
     },
     rule<"misplaced_index">::sentence, -1, " [a graph's lists]"},
    {"a value of a graph that is not there",
     [] {
       auto p = chain();
       p.values[1].graph = graph_id{1};
       return p;
     },
     rule<"misplaced_index">::sentence, -1, " [value 1]"},
    {"a value with a tag that does not exist",
     [] {
       auto p = chain();
       p.values[2].tag = tag_id{7};
       return p;
     },
     rule<"misplaced_index">::sentence, -1, " [value 2]"},
    {"a name beyond the bytes",
     [] {
       auto p = chain();
       p.values[0].name.first = 1000;
       return p;
     },
     rule<"misplaced_index">::sentence, -1, " [value 0]"},
    {"an operand that is not there",
     [] {
       auto p = chain();
       p.operands[p.nodes[1].inputs.first] = value_id{3};
       return p;
     },
     rule<"misplaced_index">::sentence, -1, " [node 1]"},
    {"a delegate that is not there",
     [] {
       auto p = chain();
       p.nodes[0].delegate = delegate_id{0};
       return p;
     },
     rule<"misplaced_index">::sentence, -1, " [node 0]"},
    {"a call of nothing", [] { return calling([](auto& p) { p.nodes[0].delegate = none<delegate_id>; }); },
     rule<"malformed_operator">::sentence, 0,
     " [node: call] [operator: executorch_call_delegate] [a node has a delegate if and only if it is a delegate call]"},
    {"a call with too few arguments", [] { return calling([](auto& p) { p.nodes[0].inputs.size = 0; }); },
     rule<"malformed_operator">::sentence, 0,
     " [node: call] [operator: executorch_call_delegate] [the number of arguments is 1 in the lowered module and 0 in the call]"},
    {"a call without outputs",
     [] {
       return calling([](auto& p) {
         p.nodes[0].outputs.size = 0;
         p.graphs[0].outputs.size = 0;
       });
     },
     rule<"malformed_operator">::sentence, 0,
     " [node: call] [operator: executorch_call_delegate] [the number of outputs is 1 in the lowered module and 0 in the call]"},
    {"a call with another type", [] { return calling([](auto& p) { p.values[2].type = dtype::int32; }); },
     rule<"malformed_operator">::sentence, 0,
     " [node: call] [operator: executorch_call_delegate] [the arguments differ in type at position 0, y]"},
    {"a subgraph that is not there",
     [] {
       auto p = nested();
       p.subgraphs[0] = graph_id{2};
       return p;
     },
     rule<"misplaced_index">::sentence, -1, " [node 0]"},
    {"a literal's numbers that are not there",
     [] {
       auto p = full();
       p.attributes[0].list = {0, 1000};
       return p;
     },
     rule<"misplaced_index">::sentence, -1, " [node 0]"},
    {"folded debug handles that are not there",
     [] {
       auto p = full();
       p.nodes[0].folded_handles = {0, 1000};
       return p;
     },
     rule<"misplaced_index">::sentence, -1, " [node 0]"},
    {"a literal's real numbers that are not there",
     [] {
       auto p = full();
       p.attributes[1].list = {1, 1};
       return p;
     },
     rule<"misplaced_index">::sentence, -1, " [node 0]"},
    {"a lowered module made from a graph that is not there",
     [] {
       auto p = full();
       p.delegates[0].original = none<graph_id>;
       return p;
     },
     rule<"misplaced_index">::sentence, -1, " [a lowered module]"},
    {"a lowered module whose constants to pack are not there",
     [] {
       auto p = full();
       p.delegates[0].packing = {0, 1000};
       return p;
     },
     rule<"misplaced_index">::sentence, -1, " [a lowered module]"},
    {"a compile spec beyond the bytes",
     [] {
       auto p = full();
       p.compile_specs[0].value.size = 1000;
       return p;
     },
     rule<"misplaced_index">::sentence, -1, " [a compile spec]"},
    {"a mapping's handles that are not there",
     [] {
       auto p = full();
       p.mappings[0].handles.size = 1000;
       return p;
     },
     rule<"misplaced_index">::sentence, -1, " [a delegate mapping]"},
    {"a tag's compile specs that are not there",
     [] {
       auto p = full();
       p.tags[0].compile_specs.size = 2;
       return p;
     },
     rule<"misplaced_index">::sentence, -1, " [a tag]"},
    {"a graph input that is not there",
     [] {
       auto p = chain();
       p.operands[p.graphs[0].inputs.first] = none<value_id>;
       return p;
     },
     rule<"misplaced_index">::sentence, -1, " [a graph input]"},
    {"a graph output that is not there",
     [] {
       auto p = chain();
       p.outputs[0].value = none<value_id>;
       return p;
     },
     rule<"misplaced_index">::sentence, -1, " [a graph output]"},
    {"an operand before its definition",
     [] {
       auto p = chain();
       std::swap(p.nodes[0], p.nodes[1]);
       return p;
     },
     rule<"undefined_value">::sentence, 0, " [node: relu] [operator: aten.relu.default] [operand neg]"},
    {"a node that uses its own output",
     [] {
       auto p = chain();
       p.operands[p.nodes[0].inputs.first] = value_id{1};
       return p;
     },
     rule<"undefined_value">::sentence, 0, " [node: neg] [operator: aten.neg.default] [operand neg]"},
    {"an output that nothing makes",
     [] {
       auto p = chain();
       p.graphs[0].nodes.size = 1;
       return p;
     },
     rule<"undefined_value">::sentence, -1, " [graph output relu]"},
    {"two nodes that make one value",
     [] {
       auto p = chain();
       p.operands[p.nodes[1].outputs.first] = value_id{1};
       return p;
     },
     rule<"value_defined_twice">::sentence, 1, " [node: relu] [operator: aten.relu.default] [output neg]"},
    {"a node that makes an input",
     [] {
       auto p = chain();
       p.operands[p.nodes[0].outputs.first] = value_id{0};
       return p;
     },
     rule<"value_defined_twice">::sentence, 0, " [node: neg] [operator: aten.neg.default] [output x]"},
    {"an input that is listed twice",
     [] {
       program_builder b;
       const auto x = b.user_input("x", four);
       b.add_input(x);
       return b.finish();
     },
     rule<"value_defined_twice">::sentence, -1, " [graph input x]"},
    {"an operand of another graph",
     [] {
       auto p = nested();
       for (auto& id : p.operands) {
         if (p[id].graph == graph_id{0} && p[id].kind == value_kind::user_input) id = value_id{0};
       }
       p.graphs[0].inputs.size = 0;
       return p;
     },
     rule<"foreign_value">::sentence, 0, " [node: cond] [operator: test.cond] [operand y]"},
    {"an input of another graph",
     [] {
       auto p = nested();
       p.operands[p.graphs[0].inputs.first] = value_id{0};
       return p;
     },
     rule<"foreign_value">::sentence, -1, " [graph input y]"},
    {"an output of another graph",
     [] {
       auto p = nested();
       p.outputs[p.graphs[0].outputs.first].value = value_id{1};
       return p;
     },
     rule<"foreign_value">::sentence, -1, " [graph output neg]"},
    {"a node that makes a value of another graph",
     [] {
       auto p = nested();
       p.operands[p.nodes[0].outputs.first] = value_id{1};
       return p;
     },
     rule<"foreign_value">::sentence, 0, " [node: cond] [operator: test.cond] [output neg]"},
    {"a size below the unknown one",
     [] {
       auto p = chain();
       p.integers[p.values[1].shape.first] = -2;
       return p;
     },
     rule<"malformed_shape">::sentence, -1, " [value neg]"},
    {"more bytes than 32 bits count",
     [] {
       program_builder b;
       b.user_input("x", tensor(int8, 65536, 65536));
       return b.finish();
     },
     rule<"malformed_shape">::sentence, -1, " [value x]"},
    {"more elements than 63 bits count",
     [] {
       program_builder b;
       b.user_input("x", tensor(int8, INT64_MAX, INT64_MAX));
       return b.finish();
     },
     rule<"malformed_shape">::sentence, -1, " [value x]"},
    {"too few bytes of data",
     [] {
       program_builder b;
       b.constant("w", tensor(int16, 2), "abc"sv);
       return b.finish();
     },
     rule<"malformed_data">::sentence, -1, " [value c_w needs 4 bytes and has 3]"},
    {"too few scales",
     [] {
       program_builder b;
       const float scales[] = {1, 2, 3};
       const std::int64_t zero_points[] = {0, 0, 0};
       b.quantize(b.user_input("x", four), scales, zero_points, 0);
       return b.finish();
     },
     rule<"malformed_quantization">::sentence, -1, " [value x]"},
    {"an axis that the shape does not have",
     [] {
       program_builder b;
       const float scales[] = {1, 2, 3, 4};
       const std::int64_t zero_points[] = {0, 0, 0, 0};
       b.quantize(b.user_input("x", four), scales, zero_points, 1);
       return b.finish();
     },
     rule<"malformed_quantization">::sentence, -1, " [value x]"},
    {"fewer zero points than scales",
     [] {
       program_builder b;
       const float scales[] = {1, 2, 3, 4};
       const std::int64_t zero_points[] = {0, 0};
       b.quantize(b.user_input("x", four), scales, zero_points, 0);
       return b.finish();
     },
     rule<"malformed_quantization">::sentence, -1, " [value x]"},
    {"an intermediate value as an input",
     [] {
       auto p = chain();
       p.values[0].kind = value_kind::intermediate;
       return p;
     },
     rule<"malformed_signature">::sentence, -1, " [graph input x]"},
    {"a mutation of a buffer that is not mutable",
     [] {
       program_builder b;
       const auto state = b.buffer("state", four);
       b.mutation(b.call("neg", "aten.neg.default", {state}, four), "state");
       return b.finish();
     },
     rule<"malformed_signature">::sentence, -1, " [mutation of state, which is not a mutable buffer]"},
    {"a mutation of a user input",
     [] {
       program_builder b;
       const auto cache = b.user_input("cache", four);
       b.mutation(b.call("neg", "aten.neg.default", {cache}, four), "cache");
       return b.finish();
     },
     rule<"mutated_user_input">::sentence, -1, " [user input cache]"},
    {"two mutations of one buffer",
     [] {
       program_builder b;
       const auto state = b.mutable_buffer("state", four);
       b.mutable_buffer("other", four);
       const auto neg = b.call("neg", "aten.neg.default", {state}, four);
       b.mutation(neg, "state");
       b.mutation(neg, "other");
       b.mutation(b.call("relu", "aten.relu.default", {neg}, four), "state");
       return b.finish();
     },
     rule<"malformed_signature">::sentence, -1, " [two mutations of state]"},
    {"a mutation by a value of another type",
     [] {
       program_builder b;
       const auto state = b.mutable_buffer("state", four);
       b.mutable_buffer("other", four);
       b.mutation(state, "other");
       b.mutation(b.call("sum", "aten.sum.default", {state}, tensor(int8, 1)), "state");
       return b.finish();
     },
     rule<"malformed_signature">::sentence, -1, " [mutation of state by sum, which has a different type]"},
    {"two mutable buffers of one name",
     [] {
       program_builder b;
       b.mutable_buffer("state", four);
       b.mutable_buffer("other", four);
       b.output(b.mutable_buffer("state", four));
       return b.finish();
     },
     rule<"malformed_signature">::sentence, -1, " [two mutable buffers have the name state]"},
    {"a mutation after a user output",
     [] {
       program_builder b;
       const auto state = b.mutable_buffer("state", four);
       b.output(state);
       b.mutation(b.call("neg", "aten.neg.default", {state}, four), "state");
       return b.finish();
     },
     rule<"malformed_signature">::sentence, -1, " [mutation of state after a user output]"},
    {"a subgraph that contains itself",
     [] {
       auto p = nested();
       p.subgraphs.push_back(graph_id{1});
       p.nodes[1].subgraphs = {1, 1};
       return p;
     },
     rule<"recursive_graph">::sentence, -1, ""},
    {"graphs that lie too deep in one another",
     [] {
       program_builder b;
       const auto x = b.user_input("x", four);
       for (std::uint32_t depth = 1; depth < 67; ++depth) {
         const auto outer = b.current();
         b.add_graph("inner");
         b.enter(outer);
         b.call_many("call", "test.call", {}, {}, {}, {graph_id{depth}});
         b.enter(graph_id{depth});
       }
       b.enter(graph_id{0});
       b.output(x);
       return b.finish();
     },
     rule<"nested_too_deep">::sentence, -1, " [graph inner]"},
    {"a lowered module made from the graph that calls it",
     [] {
       auto p = full();
       p.nodes[1].delegate = delegate_id{0};
       return p;
     },
     rule<"recursive_graph">::sentence, -1, ""},
    {"a call of a delegate that names none",
     [] {
       program_builder b;
       const auto x = b.user_input("x", four);
       b.output(b.call("call", call_delegate.text, {x}, four));
       return b.finish();
     },
     rule<"malformed_operator">::sentence, 0,
     " [node: call] [operator: executorch_call_delegate] [a node has a delegate if and only if it is a delegate call]"},
    {"a delegate that is named by another operator",
     [] {
       auto p = nested();
       p.delegates.push_back({.original = graph_id{1}});
       p.nodes[0].delegate = delegate_id{0};
       return p;
     },
     rule<"malformed_operator">::sentence, 0,
     " [node: cond] [operator: test.cond] [a node has a delegate if and only if it is a delegate call]"},
};

constexpr auto is_reported(const error_case& row) -> bool {
  const auto why = verify(row.build());
  const auto text = message(why);
  return why && why.rule == row.sentence && why.node == row.node && view(text) == view(join(row.sentence, row.facts));
}

// Each is a separate constant, because the compiler limits the steps per constant.
template <std::size_t Index>
constexpr bool error_is_reported = is_reported(error_cases[Index]);
template <std::size_t... Index>
constexpr auto every_error_is_reported(std::index_sequence<Index...>) -> bool {
  return (error_is_reported<Index> && ...);
}
static_assert(every_error_is_reported(std::make_index_sequence<std::size(error_cases)>{}));

constexpr auto valid_programs_pass() -> bool {
  return !verify(chain()) && !verify(nested()) && !verify(full()) && !verify(conformance::g_crt()) && !verify(conformance::g_mut()) &&
         !verify(conformance::g_seq());
}
static_assert(valid_programs_pass());

constexpr auto allowed_forms_pass() -> bool {
  program_builder b;
  const float scales[] = {1, 2, 3, 4};
  const std::int64_t one_zero_point[] = {3};
  const auto x = b.user_input("x", tensor(int8, -1, 4));
  b.quantize(x, scales, one_zero_point, 1);
  const auto state = b.mutable_buffer("state", four, "abcd"sv);
  b.quantize(state, 0.5f, -1);
  const auto packed = b.constant("packed", tensor(int4, 3), "ab"sv);
  const auto neg = b.call("neg", "aten.neg.default", {state, none<value_id>}, four);
  const auto sink = b.make_node("sink", "my.sink");
  b.add_node(sink, {}, {});
  b.mutable_buffer("other", four);
  b.mutation(neg, "state");
  b.mutation(neg, "other");
  b.output(neg);
  b.output(x);
  b.output(packed);
  return !verify(b.finish());
}
static_assert(allowed_forms_pass());

constexpr auto chain_of_graphs(std::uint32_t depth) -> exported_program {
  program_builder b;
  auto inner = none<graph_id>;
  for (std::uint32_t level = 0; level < depth; ++level) {
    const auto g = b.add_graph("level");
    const auto x = b.user_input("x", four);
    if (inner == none<graph_id>) {
      b.output(b.call("neg", "aten.neg.default", {x}, four));
    } else {
      b.output(b.call_many("cond", "test.cond", {x}, {four}, {}, {inner})[0]);
    }
    inner = g;
  }
  return b.finish();
}
static_assert(!verify(chain_of_graphs(20)));

}  // namespace

// By construction, data is in the record of its placeholder, so it can only have a wrong size (E18). Outputs and their kinds are in one
// list, so an output can only name a value that does not exist (E20).
TEST_CASE("verify reports the first broken rule and the node that breaks it (E18, E20, E24)") {
  for (const auto& row : error_cases) {
    INFO(std::string(row.description));
    const auto text = message(verify(row.build()));
    CHECK(std::string(view(text)) == std::string(row.sentence) + std::string(row.facts));
    CHECK(is_reported(row));
  }
}

TEST_CASE("verify accepts valid programs") {
  CHECK(valid_programs_pass());
  CHECK(allowed_forms_pass());
  CHECK_FALSE(verify(chain_of_graphs(20)));
}

TEST_CASE("verify rejects graphs that are nested too deeply, without deep recursion") {
  CHECK(verify(chain_of_graphs(20'000)).is<"nested_too_deep">());
}
