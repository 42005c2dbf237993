// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Queries on programs as range-v3 views: `program | query::nodes | query::with_operator("tfl.conv_2d")`. No other header of the library
// includes this header.
#pragma once

#include <baton/core/program.hpp>

#include <range/v3/view/filter.hpp>
#include <range/v3/view/iota.hpp>
#include <range/v3/view/transform.hpp>

#include <cstdint>
#include <string_view>

namespace baton::query {

/// The id of a node or a value, and a view of its program. The viewed program must outlive the entry.
template <class Id>
struct entry {
  program_view program;
  Id id;

  constexpr auto operator*() const -> const auto& { return program[id]; }
  constexpr auto operator->() const -> const auto* { return &program[id]; }
  constexpr auto name() const -> std::string_view { return program.text(program[id].name); }
};

namespace detail {
template <class Id>
auto entries_of(program_view program, std::uint32_t first, std::uint32_t last) {
  return ranges::views::iota(first, last) |
         ranges::views::transform([program](std::uint32_t at) { return entry<Id>{program, static_cast<Id>(at)}; });
}
}  // namespace detail

/// A selection of the nodes of `graph`, in order: `program | query::nodes_of(graph)`.
struct nodes_of {
  graph_id graph{0};
  friend auto operator|(const program_view& program, nodes_of selection) {
    const auto node_range = program[selection.graph].nodes;
    return detail::entries_of<node_id>(program, node_range.first, node_range.first + node_range.size);
  }
};
/// Selects the nodes of the root graph in order.
inline constexpr nodes_of nodes{};

namespace detail {
struct values_of {
  friend auto operator|(const program_view& program, values_of) {
    return entries_of<value_id>(program, 0, static_cast<std::uint32_t>(program.values.size()));
  }
};
}  // namespace detail
/// Selects the values of all graphs of a program.
inline constexpr detail::values_of values{};

/// Selects the nodes whose operator has the name `name`.
inline constexpr auto with_operator = [](std::string_view name) {
  return ranges::views::filter([op = hash_of(name)](const entry<node_id>& at) { return at->op == op; });
};

/// Selects the nodes or values whose delegation tag has the name `name`.
inline constexpr auto with_tag = [](std::string_view name) {
  return ranges::views::filter(
      [name](const auto& at) { return at->tag != none<tag_id> && at.program.text(at.program[at->tag].name) == name; });
};

/// Selects the values of the kind `kind`.
inline constexpr auto of_kind = [](value_kind kind) {
  return ranges::views::filter([kind](const entry<value_id>& at) { return at->kind == kind; });
};

/// Selects the nodes that call a delegate.
inline constexpr auto delegate_calls = ranges::views::filter([](const entry<node_id>& at) { return at->delegate != none<delegate_id>; });

/// Maps nodes and values to their names.
inline constexpr auto names = ranges::views::transform([](const auto& at) { return at.name(); });

}  // namespace baton::query
