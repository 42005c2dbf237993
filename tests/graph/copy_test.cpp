// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/graph/copy.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/print.hpp>
#include <baton/core/program.hpp>
#include <baton/operators/verify.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace {

using namespace baton;
using enum dtype;
using namespace std::string_view_literals;

constexpr auto four = tensor(int8, 4);
constexpr char weights[] = {1, 2, 3, 4};

/// A program with every kind of record: literals, quantization, viewed bytes, nested graphs, a lowered module with a debug handle map.
constexpr auto everything() -> exported_program {
  constexpr std::int64_t dims[] = {1, 2};
  constexpr double scales[] = {0.5, 2};
  program_builder b;
  const auto root = b.current();
  const auto original = b.add_graph("original");
  const auto z = b.user_input("z", four);
  b.output(b.call("inner", "aten.neg.default", {z}, four));
  const auto branch = b.add_graph("branch");
  const auto y = b.user_input("y", four);
  auto record = b.make_node("call", call_delegate.text);
  record.delegate = delegate_id{0};
  const auto called = b.add_value(b.make_value("called", four, value_kind::intermediate));
  b.add_node(record, {&y, 1}, {&called, 1});
  b.output(called);
  b.enter(root);
  auto weight = b.make_value("w", four, value_kind::constant);
  weight.data = program_builder::view({weights, sizeof weights});
  const auto w = b.add_input(weight);
  b.quantize(w, 0.5f, 3);
  const auto state = b.mutable_buffer("state", four, "abcd"sv);
  const auto x = b.user_input("x", four);
  const auto sum = b.call("sum", "my.sum", {x, none<value_id>, w}, four, {{"dims", dims}, {"mode", "same"}, {"eps", 0.25}, {"flag", true}});
  b.add_attribute({.name = b.own("scales"), .key = hash_of("scales"), .kind = attribute_kind::reals, .list = b.reals(scales)});
  const auto many = b.call_many("cond", "test.cond", {sum}, {four, four}, {}, {branch, branch});
  b.mutation(many[1], "state");
  b.output(many[0]);
  b.output(state);
  auto program = b.finish();
  program.integers.push_back(7);
  program.mappings.push_back({.identifier = 9,
                              .text = program.nodes[0].name,
                              .is_text = true,
                              .handles = {static_cast<std::uint32_t>(program.integers.size() - 1), 1}});
  program.nodes[0].folded_handles = {static_cast<std::uint32_t>(program.integers.size() - 1), 1};
  program.compile_specs.push_back({program.nodes[0].name, program.nodes[0].target});
  program.delegates.push_back({.name = program.nodes[1].name,
                               .backend_id = program.nodes[0].target,
                               .processed_bytes = program.nodes[0].name,
                               .original = original,
                               .compile_specs = {0, 1},
                               .debug_map = {0, 1},
                               .scratch_bytes = 16});
  return program;
}

constexpr auto copy_of(const program_view& program) -> exported_program {
  program_builder to;
  program_copier(program, to).copy_into(graph_id{0});
  return to.finish();
}

constexpr auto a_copy_prints_the_same() -> bool {
  const auto program = everything();
  const auto copy = copy_of(program);
  return !verify(program) && !verify(copy) && view(print(copy)) == view(print(program));
}
static_assert(a_copy_prints_the_same());

constexpr auto a_copy_keeps_fields_that_are_not_printed() -> bool {
  const auto copy = copy_of(everything());
  const auto w = copy.inputs(copy.root())[0];
  const auto& module = copy.delegates[0];
  const auto& entry = copy.mappings[module.debug_map.first];
  return copy.text(copy[w].data).data() == weights && copy.scale(copy[w].quant) == 0.5f && copy.zero_point(copy[w].quant) == 3 &&
         copy.nodes[0].debug_handle == 3 && copy.folded_handles(copy.nodes[0])[0] == 7 && module.scratch_bytes == 16 &&
         entry.identifier == 9 && copy.text(entry.text) == "sum" && copy.integer_list(entry.handles)[0] == 7 &&
         copy.text(copy.compile_specs[module.compile_specs.first].value) == "my.sum";
}
static_assert(a_copy_keeps_fields_that_are_not_printed());

// A branch that is used twice is copied once. Otherwise copies of nested graphs could grow without limit.
constexpr auto copying_a_copy_changes_nothing() -> bool {
  const auto once = copy_of(everything());
  return same(once, copy_of(once)) && once.delegates.size() == 1;
}
static_assert(copying_a_copy_changes_nothing());

constexpr auto tags_are_not_copied() -> bool {
  auto program = conformance::g_mmadd();
  program.tags.push_back({});
  program.nodes[0].tag = tag_id{0};
  program.values[0].tag = tag_id{0};
  const auto copy = copy_of(program);
  return copy.tags.empty() && copy.nodes[0].tag == none<tag_id> && copy.values[0].tag == none<tag_id> && same(copy, conformance::g_mmadd());
}
static_assert(tags_are_not_copied());

constexpr auto a_value_can_be_replaced() -> bool {
  const auto program = conformance::g_sin();
  program_builder to;
  const auto other = to.user_input("other", tensor(float32, 1));
  program_copier copier(program, to);
  copier.replace(value_id{0}, other);
  copier.copy_node(node_id{0});
  to.output(copier.copy_of(value_id{1}));
  const auto copy = to.finish();
  return !verify(copy) && copy.inputs(copy.nodes[0])[0] == other && copier.copy_of(none<value_id>) == none<value_id>;
}
static_assert(a_value_can_be_replaced());

}  // namespace

TEST_CASE("a copy has everything except tags") {
  CHECK(a_copy_prints_the_same());
  CHECK(a_copy_keeps_fields_that_are_not_printed());
  CHECK(copying_a_copy_changes_nothing());
  CHECK(tags_are_not_copied());
  CHECK(a_value_can_be_replaced());
}
