// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// alone: the names of types would have the namespace of a batch (cmake/test_batches.cmake)
// Extraction of parts, also in branches and bodies: rows of sections 4.1, 4.8, 4.10 and 4.12 of the delegation specification.
// Names of nodes are short (`add` for aten_add_tensor), and a result is read by an operand, not by a getitem.
#include <baton/backend/lowered_module.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/type_name.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/shared/constant_sharing.hpp>
#include <baton/lower/shared/part.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/shared/rules.hpp>

#include "conformance/add_attribute_partitioner_demo.hpp"
#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"
#include "conformance/program_queries.hpp"
#include "core/refusals.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lowering_rows {

/// T-LIFT-13: a partitioner that changes operators in its copy of the program, and tags nothing.
struct retargets_sums {
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    auto changed = baton::thaw(program);
    const auto target = changed.nodes[1].target;  // aten.mul.Tensor
    for (auto& record : changed.nodes) {
      if (!record.is("aten.add.Tensor")) continue;
      record.target = target;
      record.op = baton::hash_of("aten.mul.Tensor");
    }
    return baton::partition_result(changed);
  }
};
/// A partitioner that adds a node to its copy. All compilers print its name in the same way.
struct adds_a_sum {
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    auto changed = baton::thaw(program);
    changed.nodes.push_back(changed.nodes.back());
    return baton::partition_result(changed);
  }
};
/// A partitioner that tries to change the program itself.
struct wants_the_program {
  static constexpr auto partition(baton::exported_program& program) -> baton::partition_result { return baton::partition_result(program); }
};

/// T-UT-7: the nearest counterpart of a partitioner without a tag map, which returns an empty result.
struct gives_nothing {
  static constexpr auto partition(const baton::program_view&) -> baton::partition_result { return {}; }
};

}  // namespace lowering_rows

namespace {

using namespace baton;
using conformance::inputs_are;
using conformance::means_the_same;
using conformance::operands_are;
using conformance::operators_are;

constexpr auto type = conformance::two_by_two;
constexpr auto target = backends<conformance::demo_backend, conformance::backend_with_compiler_demo>;

template <auto Make>
constexpr auto model = static_program{conformance::make<Make>{}};

/// The calls of delegates in a graph, in order.
constexpr auto calls_of(const program_view& program, graph_id of) -> baton::vector<node> {
  baton::vector<node> calls;
  for (const auto& record : program.nodes_of(program[of])) {
    if (record.is(call_delegate)) calls.push_back(record);
  }
  return calls;
}

/// Q4: true if no delegate call has the debug handle of another node in any graph.
constexpr auto calls_have_handles_of_their_own(const program_view& program) -> bool {
  for (const auto& call : program.nodes) {
    if (!call.is(call_delegate)) continue;
    std::size_t same = 0;
    for (const auto& record : program.nodes) same += record.debug_handle == call.debug_handle ? 1u : 0u;
    if (same != 1) return false;
  }
  return true;
}

// T-LIFT-12

constexpr auto two_sums_with_buffers() -> exported_program {
  constexpr auto row = tensor(dtype::float32, 1, 3);
  program_builder b;
  const auto one = b.buffer("add_one.one", row);
  const auto two = b.buffer("add_one_2.one", row);
  const auto x = b.user_input("x", row);
  const auto y = b.user_input("y", row);
  const auto add = b.call("add", "aten.add.Tensor", {x, one}, row);
  const auto mul = b.call("mul", "aten.mul.Tensor", {add, y}, row);
  b.output(b.call("add_1", "aten.add.Tensor", {mul, two}, row));
  return b.finish();
}
using add_attribute = conformance::add_attribute_partitioner_demo<conformance::demo_backend>;

constexpr auto every_sum_owns_its_buffer(const program_view& lowered) -> bool {
  const auto modules = delegates(lowered);
  const auto calls = calls_of(lowered, graph_id{0});
  return modules.size() == 2 && inputs_are(lowered, modules[0].original(), "b_add_one_one x") &&
         inputs_are(lowered, modules[1].original(), "b_add_one_2_one mul") && operands_are(lowered, calls[0], "x") &&
         operands_are(lowered, calls[1], "mul") && conformance::data_of(lowered) == conformance::stored_data{} &&
         conformance::data_of(lowered, modules[1].original()) == conformance::stored_data{1, 1, 0} &&
         means_the_same(two_sums_with_buffers(), lowered);
}
static_assert(every_sum_owns_its_buffer(to_backend(target, model<two_sums_with_buffers>, add_attribute{})));

// T-LIFT-13

constexpr auto six_operators() -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", type);
  const auto y = b.user_input("y", type);
  const auto add = b.call("add", "aten.add.Tensor", {x, y}, type);
  const auto mul = b.call("mul", "aten.mul.Tensor", {add, y}, type);
  const auto sub = b.call("sub", "aten.sub.Tensor", {mul, y}, type);
  const auto div = b.call("div", "aten.div.Tensor", {sub, y}, type);
  const auto mul_1 = b.call("mul_1", "aten.mul.Tensor", {div, y}, type);
  b.output(b.call("add_1", "aten.add.Tensor", {mul_1, y}, type));
  return b.finish();
}
// A result has no program, and the program that a partitioner receives is constant. So it can only change a copy, which is discarded.
static_assert(partitioner<lowering_rows::retargets_sums> && !partitioner<lowering_rows::wants_the_program>);
constexpr auto a_partitioner_changes_nothing() -> bool {
  return same(to_backend(target, six_operators(), lowering_rows::retargets_sums{}), six_operators()) &&
         try_to_backend(target, six_operators(), lowering_rows::adds_a_sum{}, validation::off).error.is<"foreign_result">();
}
static_assert(a_partitioner_changes_nothing());

// T-LIFT-15, R123 to R125

constexpr auto branches_are_lowered(const program_view& lowered) -> bool {
  const auto top = calls_of(lowered, graph_id{0});
  const auto nodes = lowered.nodes_of(lowered.root());
  const auto& choice = nodes[4];
  if (top.size() != 1 || !choice.is("cond") || !operands_are(lowered, top[0], "x y")) return false;
  const auto branches = lowered.subgraphs_of(choice);
  const auto on_true = calls_of(lowered, branches[0]);
  const auto on_false = calls_of(lowered, branches[1]);
  const auto made_from = [&](const node& call) { return lowered[call.delegate].original; };
  return operands_are(lowered, choice, "eq add y") && on_true.size() == 1 && operands_are(lowered, on_true[0], "sub y") &&
         on_false.size() == 1 && operands_are(lowered, on_false[0], "sub y") &&
         operators_are(lowered, made_from(top[0]), "aten.add.Tensor") && operators_are(lowered, made_from(on_true[0]), "aten.add.Tensor") &&
         operators_are(lowered, made_from(on_false[0]), "aten.mm.default") && calls_have_handles_of_their_own(lowered) &&
         means_the_same(conformance::g_cond(), lowered);
}
constexpr auto lowered_cond = to_backend(target, model<conformance::g_cond>, conformance::add_mul_partitioner_demo{});
static_assert(branches_are_lowered(lowered_cond));

// T-LIFT-16

constexpr auto a_body_is_lowered(const program_view& lowered) -> bool {
  const auto top = calls_of(lowered, graph_id{0});
  const auto nodes = lowered.nodes_of(lowered.root());
  if (top.size() != 1 || nodes.size() != 2 || lowered.subgraphs_of(nodes[1]).size() != 1) return false;
  const auto body = calls_of(lowered, lowered.subgraphs_of(nodes[1])[0]);
  return operators_are(lowered, lowered[top[0].delegate].original, "aten.mm.default") && body.size() == 1 &&
         operators_are(lowered, lowered[body[0].delegate].original, "aten.add.Tensor") && calls_have_handles_of_their_own(lowered) &&
         means_the_same(conformance::g_map(), lowered);
}
constexpr auto lowered_map = to_backend(target, model<conformance::g_map>, conformance::add_mul_partitioner_demo{});
static_assert(a_body_is_lowered(lowered_map));

// R127: if a `cond` node is delegated, its branches belong to the part, whatever is tagged in them.

using choice_and_branches =
    tags::partitioner<tags::part<"whole", "DemoBackend", "cond">, tags::part<"inner", "BackendWithCompilerDemo", "mm">>;
constexpr auto a_choice_is_delegated_whole() -> bool {
  const auto lowered = to_backend(target, conformance::g_cond(), choice_and_branches{});
  const program_view program = lowered;
  const auto calls = calls_of(program, graph_id{0});
  if (calls.size() != 1 || program.delegates.size() != 1) return false;
  const auto inside = program[calls[0].delegate].original;
  const auto branches = program.subgraphs_of(program.nodes_of(program[inside])[0]);
  return operators_are(program, inside, "cond") && operands_are(program, calls[0], "eq add y") && branches.size() == 2 &&
         operators_are(program, branches[1], "aten.sub.Tensor aten.mm.default aten.sub.Tensor") &&
         means_the_same(conformance::g_cond(), lowered);
}
static_assert(a_choice_is_delegated_whole());

// Parts two graphs deep, and in the bodies of all kinds of loops; the original skips while loops (R129).

constexpr auto half_of(program_builder& b, value_id of) -> value_id { return b.call("aten.mul.Tensor", {of, of}, tensor(dtype::float32)); }

/// A scan in a branch in a loop, each with a sum.
constexpr auto deep() -> exported_program {
  using enum dtype;
  constexpr auto scalar = tensor(float32);
  constexpr auto three = tensor(float32, 3);
  program_builder b;
  const auto root = b.current();
  const auto step = b.add_graph("step");
  const auto sum = b.user_input("sum", scalar);
  const auto next = b.call("added", "aten.add.Tensor", {sum, b.user_input("element", scalar)}, scalar);
  b.output(next);
  b.output(half_of(b, next));
  const auto on_true = b.add_graph("on_true");
  {
    const auto start = b.user_input("start", scalar);
    const auto stack = b.user_input("stack", three);
    const auto scanned = b.call_many("scan", "scan", {start, stack}, {scalar, three}, {{"carried", 1}, {"scanned", 1}}, {step});
    b.output(b.call("plus", "aten.add.Tensor", {scanned[0], start}, scalar));
    b.output(scanned[1]);
  }
  const auto on_false = b.add_graph("on_false");
  const auto kept = b.user_input("start", scalar);
  b.output(kept);
  b.output(b.user_input("stack", three));
  const auto condition = b.add_graph("condition");
  const auto limit = tensor(boolean);
  const auto seen = b.user_input("i", scalar);
  b.user_input("stack", three);
  const auto last = b.user_input("last", scalar);
  b.output(b.call("lt", "aten.lt.Tensor", {seen, last}, limit));
  const auto body = b.add_graph("body");
  {
    const auto i = b.user_input("i", scalar);
    const auto stack = b.user_input("stack", three);
    const auto end = b.user_input("last", scalar);
    const auto more = b.call("more", "aten.lt.Tensor", {i, end}, limit);
    const auto chosen = b.call_many("choice", "cond", {more, i, stack}, {scalar, three}, {}, {on_true, on_false});
    b.output(b.call("on", "aten.add.Tensor", {chosen[0], end}, scalar));
    b.output(chosen[1]);
  }
  b.enter(root);
  const auto i = b.user_input("i", scalar);
  const auto stack = b.user_input("stack", three);
  const auto end = b.user_input("last", scalar);
  const auto looped = b.call_many("loop", "while_loop", {i, stack, end}, {scalar, three}, {}, {condition, body});
  b.output(b.call("out", "aten.add.Tensor", {looped[0], end}, scalar));
  b.output(looped[1]);
  return b.finish();
}

using sums = by_support<conformance::demo_backend, operator_names<"aten.add.Tensor">>;
constexpr auto parts_lie_at_every_depth(const program_view& lowered) -> bool {
  std::size_t calls = 0;
  std::size_t left = 0;
  for (std::uint32_t g = 0; g < lowered.graphs.size(); ++g) {
    const auto name = lowered.text(lowered.graphs[g].name);
    const auto here = calls_of(lowered, static_cast<graph_id>(g)).size();
    calls += here;
    for (const auto& record : lowered.nodes_of(lowered.graphs[g])) left += name != "forward" && record.is("aten.add.Tensor") ? 1u : 0u;
    if (here != 0 && name != "forward" && name != "body" && name != "on_true" && name != "step") return false;
  }
  const baton::vector<reference::tensor> inputs{{{}, {1}}, {{3}, {1, 2, 3}}, {{}, {20}}};
  return calls == 4 && left == 0 && calls_have_handles_of_their_own(lowered) && !verify(lowered) && !verify(deep()) &&
         reference::evaluate(lowered, inputs) == reference::evaluate(deep(), inputs);
}
constexpr auto lowered_deep = to_backend(target, model<deep>, sums{});
static_assert(parts_lie_at_every_depth(lowered_deep));

// R63, R105, Q8: an input of a branch is a user input, even if a constant of the owner has the same name.

constexpr auto namesakes() -> exported_program {
  program_builder b;
  const auto branch = b.add_graph("branch");
  const auto inner = b.user_input("c_w", type);
  b.output(b.call("in", "aten.add.Tensor", {inner, inner}, type));
  b.enter(graph_id{0});
  const auto w = b.constant("w", type);
  const auto x = b.user_input("x", tensor(dtype::boolean));
  b.output(b.call_many("cond", "cond", {x, w}, {type}, {}, {branch, branch})[0]);
  return b.finish();
}
using everything_of_that_name = tags::partitioner<tags::part<"t", "DemoBackend", "in c_w">>;
static_assert(try_to_backend(target, namesakes(), everything_of_that_name{}, validation::on).error.is<"tagged_user_input">());

// T-LBM-4

constexpr auto mutation_between() -> exported_program {
  program_builder b;
  const auto buf = b.mutable_buffer("buf", type);
  const auto x = b.user_input("x", type);
  const auto add = b.call("add", "aten.add.Tensor", {x, x}, type);
  const auto mul = b.call("mul", "aten.mul.Tensor", {buf, x}, type);
  const auto sub = b.call("sub", "aten.sub.Tensor", {x, x}, type);
  b.mutation(mul, "buf");
  b.output(add);
  b.output(sub);
  return b.finish();
}
constexpr auto mutations_come_first() -> bool {
  const auto lowered = to_backend(target, mutation_between(), tags::partitioner<tags::part<"t", "DemoBackend", "add mul sub b_buf">>{});
  const program_view program = lowered;
  const auto outputs = program.outputs_of(program[delegates(program)[0].original()]);
  const auto results = program.outputs_of(calls_of(program, graph_id{0})[0]);
  const auto named = [&](std::size_t at) { return program.text(program[outputs[at].value].name); };
  return outputs.size() == 3 && named(0) == "mul" && named(1) == "add" && named(2) == "sub" &&
         outputs[0].kind == output_kind::buffer_mutation && program.text(outputs[0].target) == "buf" &&
         outputs[1].kind == output_kind::user_output && outputs[2].kind == output_kind::user_output &&
         conformance::are_named(program, results, "add sub") && means_the_same(mutation_between(), lowered);
}
static_assert(mutations_come_first());

// T-PASS-1, T-PASS-2

constexpr auto a_buffer_is_split() -> bool {
  auto tagged = tag_program(conformance::g_reuse(), tags::partitioner<tags::part<"t", "DemoBackend", "add b_const">>{}).value;
  const auto split = split_shared_constants(std::move(tagged));
  return inputs_are(split, graph_id{0}, "b_const_copy_0 b_const x") && !verify(split);
}
static_assert(a_buffer_is_split());

/// A keyword is an operand at its own position: the second user has the buffer there, after an omitted operand.
constexpr auto with_keyword() -> exported_program {
  constexpr auto three = tensor(dtype::float32, 3);
  program_builder b;
  const auto buffer = b.buffer("b", three);
  const auto x = b.user_input("x", three);
  const auto add = b.call("add", "aten.add.Tensor", {x, buffer}, three);
  const auto mul = b.call("mul", "aten.mul.Tensor", {x, none<value_id>, buffer}, three);
  b.output(b.call("add_1", "aten.add.Tensor", {add, mul}, three));
  return b.finish();
}
constexpr auto a_keyword_is_rewritten() -> bool {
  const auto split =
      split_shared_constants(tag_program(with_keyword(), tags::partitioner<tags::part<"t", "DemoBackend", "add b_b">>{}).value);
  const program_view program = split;
  const auto keyword = program.inputs(program.nodes[1])[2];
  return inputs_are(program, graph_id{0}, "b_b_copy_0 b_b x") && program.text(program[keyword].name) == "b_b_copy_0" &&
         operands_are(program, program.nodes[0], "x b_b");
}
static_assert(a_keyword_is_rewritten());

// T-UT-7: the tag map is a member of the result, so it may be empty but not missing. A type with another result is not a partitioner.

struct gives_a_program {
  static constexpr auto partition(const exported_program& program) -> exported_program { return program; }
};
static_assert(!partitioner<gives_a_program> && partitioner<lowering_rows::gives_nothing>);

constexpr auto an_empty_result_is_refused() -> failure {
  return try_to_backend(target, conformance::g_mlp(), lowering_rows::gives_nothing{}, validation::on).error;
}
static_assert(an_empty_result_is_refused().is<"foreign_result">());
// R30: an empty map is not an error.
static_assert(same(to_backend(target, conformance::g_mlp(), archetypes::partitioner{}), conformance::g_mlp()));

}  // namespace

TEST_CASE("the delegate of each addition owns the buffer of the addition (T-LIFT-12)") {
  CHECK(every_sum_owns_its_buffer(to_backend(target, two_sums_with_buffers(), add_attribute{})));
}

TEST_CASE("a partitioner cannot change operators: its result has only tags, and the result for a changed copy is refused (T-LIFT-13, E8)") {
  CHECK(a_partitioner_changes_nothing());
  CHECK(refusals::text_thrown_by([] { to_backend(target, six_operators(), lowering_rows::adds_a_sum{}); }) ==
        std::string(rule<"foreign_result">::sentence) + " [partitioner lowering_rows::adds_a_sum]");
}

TEST_CASE("parts in branches become delegates there (T-LIFT-15)") {
  CHECK(branches_are_lowered(to_backend(target, conformance::g_cond(), conformance::add_mul_partitioner_demo{})));
}

TEST_CASE("parts in the body of a map become delegates there (T-LIFT-16)") {
  CHECK(a_body_is_lowered(to_backend(target, conformance::g_map(), conformance::add_mul_partitioner_demo{})));
}

TEST_CASE("a conditional may be delegated as a whole, with its branches") { CHECK(a_choice_is_delegated_whole()); }

TEST_CASE("parts may be in nested loops, branches and scans, with separate handles (Q4)") {
  CHECK(parts_lie_at_every_depth(to_backend(target, deep(), sums{})));
}

TEST_CASE("the operands of a branch are its user inputs, whatever their names (E22, Q8)") {
  CHECK(refusals::text_thrown_by([] { to_backend(target, namesakes(), everything_of_that_name{}); }) ==
        std::string(rule<"tagged_user_input">::sentence) + " [tag: t] [backend: DemoBackend] [input c_w]");
}

TEST_CASE("mutations come before user outputs, and the call has the user outputs (T-LBM-4)") { CHECK(mutations_come_first()); }

TEST_CASE("a tagged buffer that is also used outside its part is split into copies (T-PASS-1)") { CHECK(a_buffer_is_split()); }

TEST_CASE("splitting a buffer rewrites operands given by keyword, too (T-PASS-2, Q6)") { CHECK(a_keyword_is_rewritten()); }

TEST_CASE("a default-constructed partition result is refused (T-UT-7, E9)") {
  CHECK(refusals::text_thrown_by([] { to_backend(target, conformance::g_mlp(), lowering_rows::gives_nothing{}); }) ==
        std::string(rule<"foreign_result">::sentence) + " [partitioner lowering_rows::gives_nothing]");
}
