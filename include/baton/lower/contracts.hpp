// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a firmware may demand of its lowered program in a `static_assert`; where it does not hold, the compiler names the node and the
// reason.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/verdicts.hpp>
#include <baton/partition/visible_graphs.hpp>

#include <cstdint>
#include <vector>

namespace baton {

/// The nodes that no delegate takes, in order, those within branches and loop bodies too. A node that only chooses a branch or runs a loop
/// counts as well: it stays with the executor.
constexpr auto undelegated(const program_view& program) -> std::vector<node_id> {
  std::vector<node_id> found;
  const auto is_inside = detail::graphs_inside_delegates(program);
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    if (is_inside[g] != 0) continue;
    const auto run = program.graphs[g].nodes;
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
      if (program.nodes[n].delegate == none<delegate_id>) found.push_back(static_cast<node_id>(n));
    }
  }
  return found;
}

/// The bytes that delegate calls are given and give back in one run of each, constants of the owner not counted: what crosses the borders
/// of accelerators.
constexpr auto boundary_bytes(const program_view& program) -> std::uint64_t {
  std::uint64_t sum = 0;
  const auto add = [&](value_id id) {
    if (id == none<value_id> || (is_owned_data(program[id].kind) && program[id].kind != value_kind::mutable_buffer)) return;
    const auto bytes = byte_count(program[id].type, program.shape(id));
    sum += bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes);
  };
  const auto is_inside = detail::graphs_inside_delegates(program);
  for (std::uint32_t g = 0; g < program.graphs.size(); ++g) {
    if (is_inside[g] != 0) continue;
    for (const auto& record : program.nodes_of(program.graphs[g])) {
      if (record.delegate == none<delegate_id>) continue;
      for (const auto input : program.inputs(record)) add(input);
      for (const auto output : program.outputs_of(record)) add(output);
    }
  }
  return sum;
}

namespace detail {

/// The first node that stays, with what a support says of it.
template <operator_support Support>
constexpr auto first_undelegated(const program_view& program) -> failure {
  const auto staying = undelegated(program);
  if (staying.empty()) return {};
  auto why = broken_at<rule::undelegated_node>(program, staying[0]);
  const auto answer = Support::supports(program, program[staying[0]]);
  why.reason = join(staying.size(), staying.size() == 1 ? " node stays: " : " nodes stay, the first: ");
  append(why.reason, answer ? left_without_reason : view(answer.reason));
  return why;
}

constexpr auto beyond(std::uint64_t bytes, std::uint64_t most) -> failure {
  if (bytes <= most) return {};
  return broken<rule::too_many_boundary_bytes>(bytes, " bytes, at most ", most);
}

}  // namespace detail

/// Whether every node of a program is in a delegate. `static_assert(baton::fully_delegated<my_support>(lowered));` stops the compiler with
/// the first node that stays and the reason that the support gives; for a plain answer ask `undelegated(lowered).empty()`. Errors:
/// `undelegated_node`.
template <operator_support Support = archetypes::operator_support, class Make>
consteval auto fully_delegated(static_program<Make>) -> bool {
  if constexpr (static_program<Make>::is_whole) {
    constexpr static_failure why{detail::first_undelegated<Support>(static_program<Make>::value())};
    require_unbroken<why>();
  }
  return true;
}
/// The same at run time. Errors: `undelegated_node`.
template <operator_support Support = archetypes::operator_support>
constexpr auto fully_delegated(const program_view& program) -> bool {
  if (auto why = detail::first_undelegated<Support>(program)) raise(why);
  return true;
}

/// Whether at most so many bytes cross the borders of delegates; stops the compiler with the figure where more do.
/// Errors: `too_many_boundary_bytes`.
template <std::uint64_t Most, class Make>
consteval auto boundary_within(static_program<Make>) -> bool {
  if constexpr (static_program<Make>::is_whole) {
    constexpr auto bytes = boundary_bytes(static_program<Make>::value());
    constexpr static_failure why{detail::beyond(bytes, Most)};
    require_unbroken<why>();
  }
  return true;
}

}  // namespace baton
