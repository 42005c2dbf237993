// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/compat/executorch/verify_mapping.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace {

using namespace baton;

/// An entry of a map in a test.
struct row {
  std::int64_t number;
  std::string_view text;
  std::initializer_list<std::int64_t> handles;
};

constexpr auto result_with(std::initializer_list<row> rows) -> preprocess_result {
  preprocess_result processed;
  for (const auto& [number, text, handles] : rows) {
    debug_map_entry entry;
    entry.identifier = number;
    entry.text = join(text);
    entry.is_text = !text.empty();
    entry.handles = handles;
    processed.debug_handle_map.push_back(std::move(entry));
  }
  return processed;
}

/// The error of adding such a map to G-MMADD, whose handles are 1 to 5. Empty if the map is accepted.
constexpr auto error_of_map(std::initializer_list<row> rows) -> text_buffer {
  const auto program = with_lowered_module(conformance::g_mmadd(), "Npu", {}, result_with(rows));
  if (program) return {};
  return message(program.error);
}
/// The result of `verify_mapping` for the accepted map.
constexpr auto verified(std::initializer_list<row> rows) -> text_buffer {
  const auto program = with_lowered_module(conformance::g_mmadd(), "Npu", {}, result_with(rows));
  if (!program) return message(program.error);
  const auto why = verify_mapping({program.value, delegate_id{0}});
  if (!why) return {};
  return message(why);
}

constexpr auto is(const text_buffer& text, std::string_view sentence, std::string_view facts) -> bool {
  const auto expected = join(sentence, facts);
  return view(text) == view(expected);
}

// R139: a backend may omit nodes from its map, and choose the order.
constexpr auto maps_are_accepted_unchanged() -> bool {
  return error_of_map({}).empty() && error_of_map({{7, "", {5, 1}}, {3, "", {1}}}).empty() && error_of_map({{0, "", {}}}).empty() &&
         error_of_map({{1, "", {1}}, {0, "1", {1}}, {0, "2", {2}}}).empty() && error_of_map({{0, "", {1}}, {0, "a", {1}}}).empty();
}
static_assert(maps_are_accepted_unchanged());

constexpr auto foreign_handles_are_refused() -> bool {
  return is(error_of_map({{4, "", {1, 6}}}), rule<"foreign_debug_handle">::sentence, " [backend: Npu] [identifier 4, handle 6]") &&
         is(error_of_map({{0, "fused", {0}}}), rule<"foreign_debug_handle">::sentence, " [backend: Npu] [identifier fused, handle 0]");
}
static_assert(foreign_handles_are_refused());

constexpr auto identifiers_stand_once() -> bool {
  return is(error_of_map({{4, "", {1}}, {3, "", {2}}, {4, "", {1}}}), rule<"duplicate_identifier">::sentence,
            " [backend: Npu] [identifier 4]") &&
         is(error_of_map({{0, "b", {1}}, {0, "a", {2}}, {0, "b", {9}}}), rule<"duplicate_identifier">::sentence,
            " [backend: Npu] [identifier b]");
}
static_assert(identifiers_stand_once());

// The map contains the handles that passes folded into nodes, and the backend may name them.
constexpr auto folded_handles_are_mapped() -> bool {
  auto part = conformance::g_mmadd();
  part.nodes[1].folded_handles = {static_cast<std::uint32_t>(part.integers.size()), 2};
  part.integers.push_back(0);
  part.integers.push_back(9);
  const auto program = with_lowered_module(part, "Npu", {}, result_with({{1, "", {5, 1}}, {2, "", {4, 2}}, {3, "", {3, 9}}}));
  const lowered_module_view module(program.value, delegate_id{0});
  const auto is = [&](std::size_t at, const vector<std::int64_t>& handles) {
    return std::ranges::equal(module.handles(module.debug_handle_map()[at]), handles);
  };
  return program && is(0, {5, 1}) && is(1, {0, 2, 4, 9}) && is(2, {3, 9}) && !verify_mapping(module);
}
static_assert(folded_handles_are_mapped());

constexpr auto complete_maps_cover_every_node() -> bool {
  return verified({{1, "", {5, 1, 3}}, {2, "", {2}}, {3, "", {4, 2}}}).empty() &&
         is(verified({{1, "", {1, 3, 4, 5}}}), rule<"incomplete_mapping">::sentence,
            " [node: add] [operator: aten.add.Tensor] [backend: Npu] [handle 2]") &&
         is(verified({}), rule<"incomplete_mapping">::sentence, " [node: mm] [operator: aten.mm.default] [backend: Npu] [handle 1]") &&
         is(verified({{1, "", {1, 2, 3, 4, 5, 6}}}), rule<"foreign_debug_handle">::sentence, " [backend: Npu] [identifier 1, handle 6]");
}
static_assert(complete_maps_cover_every_node());

/// A backend that names every node of the part, and an additional handle.
template <std::int64_t More>
struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    preprocess_result processed;
    debug_map_entry all;
    for (const auto& node : part.nodes) all.handles.push_back(node.debug_handle);
    if (More != 0) all.handles.push_back(More);
    processed.debug_handle_map.push_back(std::move(all));
    return processed;
  }
};

template <std::int64_t More>
constexpr auto lowered_with = [] { return lower_by_id(backends<npu<More>>, "Npu", conformance::g_cond(), {}); };

// The map also covers branches, and may name nodes in the delegates of a part.
constexpr auto branches_and_delegates_count() -> bool {
  const auto by_id = to_backend(backends<npu<0>>, "Npu", conformance::g_cond());
  constexpr auto target = backends<conformance::backend_with_compiler_demo, npu<0>>;
  const auto inner = to_backend(target, conformance::g_mmadd(), conformance::add_mul_partitioner_demo{});
  const auto outer = to_backend(target, "Npu", inner);
  return !verify_mapping(by_id.view()) && !verify_mapping(outer.view()) && !lowered_with<99>();
}
static_assert(branches_and_delegates_count());

}  // namespace

TEST_CASE("debug maps contain the handles that passes folded into nodes") { CHECK(folded_handles_are_mapped()); }
TEST_CASE("a map is accepted unchanged, except for foreign handles and repeated identifiers") {
  CHECK(maps_are_accepted_unchanged());
  CHECK(foreign_handles_are_refused());
  CHECK(identifiers_stand_once());
}

TEST_CASE("a map is complete if it contains every node") {
  CHECK(complete_maps_cover_every_node());
  CHECK(branches_and_delegates_count());
}
