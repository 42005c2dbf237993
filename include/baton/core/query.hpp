// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Questions to a program as range-v3 views: `program | query::nodes | query::with_operator("tfl.conv_2d")`. Opt-in: nothing inside includes
// it.
#pragma once

#include <baton/core/program.hpp>

#include <range/v3/view/filter.hpp>
#include <range/v3/view/iota.hpp>
#include <range/v3/view/transform.hpp>

#include <cstdint>
#include <string_view>

namespace baton::query {

/// A node or a value together with the program that it is read from, which must outlive it.
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
auto run_of(program_view program, std::uint32_t first, std::uint32_t last) {
  return ranges::views::iota(first, last) |
         ranges::views::transform([program](std::uint32_t at) { return entry<Id>{program, static_cast<Id>(at)}; });
}
}  // namespace detail

/// The nodes of the root graph in order; `program | nodes_of(graph)` those of another.
struct nodes_of {
  graph_id graph{0};
  friend auto operator|(const program_view& program, nodes_of of) {
    const auto run = program[of.graph].nodes;
    return detail::run_of<node_id>(program, run.first, run.first + run.size);
  }
};
inline constexpr nodes_of nodes{};

namespace detail {
struct values_of {
  friend auto operator|(const program_view& program, values_of) {
    return run_of<value_id>(program, 0, static_cast<std::uint32_t>(program.values.size()));
  }
};
}  // namespace detail
/// All values of a program, of whatever graph.
inline constexpr detail::values_of values{};

/// Keeps nodes of an operator.
inline constexpr auto with_operator = [](std::string_view name) {
  return ranges::views::filter([op = hash_of(name)](const entry<node_id>& at) { return at->op == op; });
};

/// Keeps nodes, or values, with a delegation tag of that name.
inline constexpr auto with_tag = [](std::string_view name) {
  return ranges::views::filter(
      [name](const auto& at) { return at->tag != none<tag_id> && at.program.text(at.program[at->tag].name) == name; });
};

/// Keeps values of a kind.
inline constexpr auto of_kind = [](value_kind kind) {
  return ranges::views::filter([kind](const entry<value_id>& at) { return at->kind == kind; });
};

/// Keeps nodes that call a delegate.
inline constexpr auto delegate_calls = ranges::views::filter([](const entry<node_id>& at) { return at->delegate != none<delegate_id>; });

/// Turns nodes and values into their names.
inline constexpr auto names = ranges::views::transform([](const auto& at) { return at.name(); });

}  // namespace baton::query
