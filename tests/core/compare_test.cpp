// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/compare.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

namespace {

using namespace baton;
using namespace std::string_view_literals;

constexpr auto four = tensor(dtype::int8, 4);

/// A program with at least one record in every pool.
constexpr auto program() -> exported_program {
  constexpr std::int64_t dims[] = {1, 2};
  constexpr double scales[] = {0.5, 2};
  program_builder b;
  const auto root = b.current();
  const auto branch = b.add_graph("branch");
  const auto y = b.user_input("y", four);
  b.output(y);
  b.enter(root);
  const auto w = b.constant("w", four, "abcd"sv);
  b.quantize(w, 0.5f, 3);
  const auto state = b.mutable_buffer("state", four);
  const auto many = b.call_many("cond", "test.cond", {w, state}, {four, four}, {{"dims", dims}, {"mode", "same"}, {"eps", 0.25}}, {branch});
  b.add_attribute({.name = b.own("scales"), .key = hash_of("scales"), .kind = attribute_kind::reals, .list = b.reals(scales)});
  b.mutation(many[0], "state");
  b.output(many[1]);
  auto result = b.finish();
  const auto text = result.nodes[0].name;
  result.delegates.push_back(
      {.name = text, .backend_id = text, .processed_bytes = text, .original = branch, .compile_specs = {0, 1}, .debug_map = {0, 1}});
  result.compile_specs.push_back({text, text});
  result.mappings.push_back({.identifier = 1, .text = text, .is_text = true, .handles = {0, 1}});
  result.tags.push_back({.name = text, .backend_id = text, .compile_specs = {0, 1}, .order = 0});
  return result;
}

using change = void (*)(exported_program&);

constexpr byte_ref other{nullptr, 0, 3};

/// Functions that change one field each; together they cover every field of every record.
constexpr change changes[] = {
    [](auto& p) { p.graphs[0].name = other; },
    [](auto& p) { p.graphs[0].nodes.first += 1; },
    [](auto& p) { p.graphs[0].inputs.size -= 1; },
    [](auto& p) { p.graphs[0].outputs.size -= 1; },
    [](auto& p) { p.graphs.push_back({}); },
    [](auto& p) { p.nodes[0].name = other; },
    [](auto& p) { p.nodes[0].target = other; },
    [](auto& p) { p.nodes[0].op += 1; },
    [](auto& p) { p.nodes[0].inputs.first += 1; },
    [](auto& p) { p.nodes[0].outputs.first += 1; },
    [](auto& p) { p.nodes[0].attributes.size -= 1; },
    [](auto& p) { p.nodes[0].subgraphs.size = 0; },
    [](auto& p) { p.nodes[0].debug_handle += 1; },
    [](auto& p) { p.nodes[0].folded_handles.size += 1; },
    [](auto& p) { p.nodes[0].delegate = delegate_id{0}; },
    [](auto& p) { p.values[0].name = other; },
    [](auto& p) { p.values[0].type = dtype::uint8; },
    [](auto& p) { p.values[0].kind = value_kind::intermediate; },
    [](auto& p) { p.values[0].persistent = false; },
    [](auto& p) { p.values[0].shape.size = 0; },
    [](auto& p) { p.values[0].graph = graph_id{0}; },
    [](auto& p) { p.values[1].target = other; },
    [](auto& p) { p.values[1].data = other; },
    [](auto& p) { p.values[1].quant.scales = other; },
    [](auto& p) { p.values[1].quant.zero_points = other; },
    [](auto& p) { p.values[1].quant.channels = 0; },
    [](auto& p) { p.values[1].quant.axis = 1; },
    [](auto& p) { p.operands[0] = value_id{2}; },
    [](auto& p) { p.attributes[0].name = other; },
    [](auto& p) { p.attributes[0].key += 1; },
    [](auto& p) { p.attributes[0].kind = attribute_kind::reals; },
    [](auto& p) { p.attributes[0].integer = 1; },
    [](auto& p) { p.attributes[0].list.size = 1; },
    [](auto& p) { p.attributes[1].bytes = other; },
    [](auto& p) { p.attributes[2].real = 0.5; },
    [](auto& p) { p.integers[0] += 1; },
    [](auto& p) { p.reals[0] += 1; },
    [](auto& p) { p.subgraphs[0] = graph_id{0}; },
    [](auto& p) { p.outputs[0].kind = output_kind::user_output; },
    [](auto& p) { p.outputs[0].value = value_id{0}; },
    [](auto& p) { p.outputs[1].target = other; },
    [](auto& p) { p.delegates[0].name = other; },
    [](auto& p) { p.delegates[0].backend_id = other; },
    [](auto& p) { p.delegates[0].processed_bytes = other; },
    [](auto& p) { p.delegates[0].original = graph_id{0}; },
    [](auto& p) { p.delegates[0].compile_specs.size = 0; },
    [](auto& p) { p.delegates[0].debug_map.size = 0; },
    [](auto& p) { p.delegates[0].scratch_bytes = 1; },
    [](auto& p) { p.compile_specs[0].key = other; },
    [](auto& p) { p.compile_specs[0].value = other; },
    [](auto& p) { p.mappings[0].identifier = 2; },
    [](auto& p) { p.mappings[0].text = other; },
    [](auto& p) { p.mappings[0].is_text = false; },
    [](auto& p) { p.mappings[0].handles.size = 0; },
    [](auto& p) { std::swap(p.bytes[0], p.bytes[1]); },
    [](auto& p) { p.nodes[0].tag = tag_id{0}; },
    [](auto& p) { p.values[0].tag = tag_id{0}; },
    [](auto& p) { p.values[0].sharing = data_sharing::own; },
    [](auto& p) { p.tags[0].name = other; },
    [](auto& p) { p.tags[0].backend_id = other; },
    [](auto& p) { p.tags[0].compile_specs.size = 0; },
    [](auto& p) { p.tags[0].order = 1; },
    [](auto& p) { p.tags.push_back({}); },
};

constexpr auto is_detected(change apply) -> bool {
  const auto before = program();
  auto after = before;
  apply(after);
  return !same(before, after) && !same(after, before);
}

// Several constants, because the compiler limits the steps of each.
template <std::size_t First, std::size_t Last>
constexpr bool are_changes_detected = [] {
  for (auto i = First; i < Last; ++i) {
    if (!is_detected(changes[i])) return false;
  }
  return true;
}();
static_assert(are_changes_detected<0, 18>);
static_assert(are_changes_detected<18, 36>);
static_assert(are_changes_detected<36, 54>);
static_assert(are_changes_detected<54, std::size(changes)>);

constexpr char bytes[] = "a text";

constexpr auto the_location_of_bytes_is_ignored() -> bool {
  auto viewed = program();
  auto owned = viewed;
  viewed.nodes[0].name = {bytes, 0, 6};
  owned.nodes[0].name = {nullptr, static_cast<std::uint32_t>(owned.bytes.size()), 6};
  owned.bytes.insert(owned.bytes.end(), bytes, bytes + 6);
  return same(viewed, owned) && same(program(), program());
}
static_assert(the_location_of_bytes_is_ignored());

constexpr auto reals_are_equal_by_their_bits() -> bool {
  auto first = program(), second = program();
  first.attributes[0].real = std::numeric_limits<double>::quiet_NaN();
  first.reals[0] = std::numeric_limits<double>::quiet_NaN();
  second.attributes[0].real = -0.0;
  return same(first, first) && !same(first, second) && !same(second, program());
}
static_assert(reals_are_equal_by_their_bits());

constexpr auto the_start_of_an_empty_range_is_ignored() -> bool {
  auto elsewhere = program();
  elsewhere.graphs[1].nodes.first = 1;
  return elsewhere.graphs[1].nodes.size == 0 && same(program(), elsewhere);
}
static_assert(the_start_of_an_empty_range_is_ignored());

}  // namespace

TEST_CASE("two programs are the same if all fields are") {
  CHECK(same(program(), program()));
  for (std::size_t i = 0; i < std::size(changes); ++i) {
    INFO("change " << i);
    CHECK(is_detected(changes[i]));
  }
  CHECK(the_location_of_bytes_is_ignored());
  CHECK(the_start_of_an_empty_range_is_ignored());
}

TEST_CASE("real numbers are equal if their bits are equal") { CHECK(reals_are_equal_by_their_bits()); }
