// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/operators/operator_dialect.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/operators/shared/state_order.hpp>
#include <baton/operators/verify.hpp>
#include <baton/partition/operator_facts.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/transform/fold_constants.hpp>
#include <baton/transform/remove_no_ops.hpp>
#include <baton/transform/rewriter.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

constexpr auto two = tensor(dtype::float32, 2);

constexpr auto two_products(const program_view&, const node&) -> std::uint64_t { return 2; }
constexpr auto three_products(const program_view&, const node&) -> std::uint64_t { return 3; }
constexpr void infer_int8(inference& node) { node.set_type(0, dtype::int8); }

constexpr operand_definition one_operand[] = {{"x"}};
constexpr operator_definition layers[] = {
    {.name = "my.layer", .operands = one_operand, .is_functional = true, .infer = infer_int8, .multiply_adds = two_products},
    {.name = "my.add", .operands = one_operand, .is_commutative = true},
    {.name = "my.write", .operands = one_operand, .keeps_state = true},
    {.name = "tfl.add", .operands = one_operand, .is_commutative = false},
};
constexpr operator_definition others[] = {
    {.name = "my.name", .operands = one_operand, .is_structural = true},
    {.name = "my.if", .flow = control_flow::cond},
    {.name = "my.layer"},  // hidden by the first definition of this name
};
constexpr operator_list lists[] = {layers, others};
constexpr auto my_dialect = operator_dialect::of<lists>();
constexpr operator_list no_lists[] = {{}};
constexpr auto empty_dialect = operator_dialect::of<no_lists>();

constexpr auto dialects_find_their_definitions() -> bool {
  for (const auto list : lists) {
    for (const auto& definition : list) {
      const auto* const result = my_dialect.find(definition.name.hash);
      if (result != &definition && result != &layers[0]) return false;
    }
  }
  return my_dialect.find(hash_of("my.laye")) == nullptr && my_dialect.find(0) == nullptr &&
         empty_dialect.find(hash_of("my.add")) == nullptr;
}
static_assert(dialects_find_their_definitions());

constexpr operator_definition custom[] = {{.name = "my.layer", .multiply_adds = three_products}, {.name = "my.if"}};

constexpr auto program_of(const operator_dialect* dialect, operator_list operators = {}) -> exported_program {
  program_builder b;
  b.define(operators);
  if (dialect != nullptr) b.set_dialect(*dialect);
  const auto x = b.user_input("x", two);
  const auto y = b.call("my.layer", {x}, tensor(dtype::int8, 2));
  b.output(b.call("my.add", {x, b.call("my.name", {y}, two)}, two));
  return b.finish();
}

constexpr auto custom_definitions_come_first_then_the_dialect() -> bool {
  const auto plain = program_of(nullptr), defined = program_of(&my_dialect), overridden = program_of(&my_dialect, custom);
  const auto& layer = plain.nodes[0];
  const auto is_commutative = [](const operator_dialect* dialect) {
    return find_definition(hash_of("tfl.add"), {}, dialect).is_commutative;
  };
  return multiply_adds(plain, layer) == 0 && multiply_adds(defined, layer) == 2 && multiply_adds(overridden, layer) == 3 &&
         is_commutative(nullptr) && !is_commutative(&my_dialect) && is_commutative(&empty_dialect) &&
         find_definition(hash_of("tfl.mul"), {}, &my_dialect).is_commutative;
}
static_assert(custom_definitions_come_first_then_the_dialect());

constexpr auto all_readers_know_the_dialect() -> bool {
  const auto plain = program_of(nullptr), defined = program_of(&my_dialect);
  const auto& nodes = defined.nodes;
  const auto inferred = infer(defined, nodes[0]);
  return inferred.value.size() == 1 && inferred.value[0].type == dtype::int8 && infer(plain, plain.nodes[0]).value.empty() &&
         !commutative::supports(plain, plain.nodes[2]) && commutative::supports(defined, nodes[2]).accepted &&
         structural::supports(defined, nodes[1]).accepted && !structural::supports(plain, plain.nodes[1]) &&
         remove_no_ops::run(defined).nodes.size() == 3;  // the structural node changes the dtype
}
static_assert(all_readers_know_the_dialect());

constexpr auto all_copies_keep_the_dialect() -> bool {
  const auto defined = program_of(&my_dialect);
  rewriter change(defined);
  return thaw(defined).dialect == &my_dialect && program_view(defined).dialect == &my_dialect && change.finish().dialect == &my_dialect &&
         fold_constants::run(defined).dialect == &my_dialect && program_of(nullptr).dialect == nullptr;
}
static_assert(all_copies_keep_the_dialect());

constexpr static_program frozen{[] { return program_of(&my_dialect); }};
static_assert(frozen->dialect == &my_dialect && multiply_adds(frozen, frozen->nodes[0]) == 2);

/// Whether a node may write to its operand, which is a state.
constexpr auto may_write_state(std::string_view op, const operator_dialect* dialect) -> bool {
  program_builder b;
  if (dialect != nullptr) b.set_dialect(*dialect);
  b.output(b.call(op, {b.mutable_buffer("state", two)}, two));
  const auto program = b.finish();
  return may_write_operands(program, program.nodes[0]);
}
constexpr auto definitions_decide_on_writes() -> bool {
  return may_write_state("my.layer", nullptr) && !may_write_state("my.layer", &my_dialect) && may_write_state("my.write", &my_dialect) &&
         may_write_state("my.add", &my_dialect);
}
static_assert(definitions_decide_on_writes());

/// The control flow of `my.if`. Its second branch returns another type than its first if `differ`.
constexpr auto branching_program(const operator_dialect* dialect, bool differ, operator_list operators = {}) -> exported_program {
  program_builder b;
  b.define(operators);
  if (dialect != nullptr) b.set_dialect(*dialect);
  const auto flag = b.user_input("flag", tensor(dtype::boolean));
  const auto x = b.user_input("x", two);
  const auto first = b.add_graph("first");
  b.output(b.user_input("y", two));
  const auto second = b.add_graph("second");
  const auto z = b.user_input("z", two);
  b.output(differ ? b.call("tfl.cast", {z}, tensor(dtype::int8, 2)) : z);
  b.enter(graph_id{0});
  b.output(b.call_many("branch", "my.if", {flag, x}, {two}, {}, {first, second})[0]);
  return b.finish();
}
constexpr auto control_flow_of_branch(const operator_dialect* dialect, operator_list operators = {}) -> control_flow {
  const auto program = branching_program(dialect, false, operators);
  return control_flow_of(program, program.nodes_of(program.root())[0]);
}
constexpr auto a_dialect_has_control_flow() -> bool {
  return control_flow_of_branch(nullptr) == control_flow::none && control_flow_of_branch(&my_dialect) == control_flow::cond &&
         control_flow_of_branch(&my_dialect, custom) == control_flow::cond && !verify(branching_program(&my_dialect, false)) &&
         !verify(branching_program(nullptr, true)) && verify(branching_program(&my_dialect, true)).is<"malformed_operator">();
}
static_assert(a_dialect_has_control_flow());

}  // namespace

TEST_CASE("a dialect finds its definitions by name") { CHECK(dialects_find_their_definitions()); }
TEST_CASE("custom definitions have precedence over the dialect, and the dialect over the library") {
  CHECK(custom_definitions_come_first_then_the_dialect());
}
TEST_CASE("inference, supports and passes use the dialect of a program") { CHECK(all_readers_know_the_dialect()); }
TEST_CASE("copies of a program have its dialect") { CHECK(all_copies_keep_the_dialect()); }
TEST_CASE("the definition of an operator decides whether it writes to its operands") { CHECK(definitions_decide_on_writes()); }
TEST_CASE("a dialect can define control flow") { CHECK(a_dialect_has_control_flow()); }
