// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a firmware may demand of its lowered program in a `static_assert`; where it does not hold, the compiler names the nodes and
// the reasons.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/shortened.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/shared/reasons.hpp>
#include <baton/partition/shared/visible_graphs.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

/// The nodes that no delegate takes, in order, those within branches and loop bodies too. A node that only chooses a branch or runs a loop
/// counts as well: it stays with the executor.
constexpr auto undelegated(const program_view& program) -> vector<node_id> {
  vector<node_id> found;
  for (const auto id : visible_nodes(program)) {
    if (program[id].delegate == none<delegate_id>) found.push_back(id);
  }
  return found;
}

namespace detail {

/// Calls `f` with every value that a delegate call is given or gives back and its bytes, constants of the owner left out.
template <class F>
constexpr void for_each_crossing(const program_view& program, F f) {
  const auto cross = [&](value_id id) {
    if (id == none<value_id> || (is_owned_data(program[id].kind) && program[id].kind != value_kind::mutable_buffer)) return;
    const auto bytes = byte_count(program[id].type, program.shape(id));
    f(id, bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes));
  };
  for (const auto id : visible_nodes(program)) {
    if (program[id].delegate == none<delegate_id>) continue;
    for (const auto input : program.inputs(program[id])) cross(input);
    for (const auto output : program.outputs_of(program[id])) cross(output);
  }
}

/// What to ask, node by node, why it stays.
template <class Told>
constexpr auto reasons_to_stay(const program_view& program) {
  if constexpr (operator_support<Told>) {
    return [program](node_id id) {
      auto answer = Told::supports(program, program[id]);
      if (answer) return join("it is supported, but no partitioner took it");
      return reason_of(std::move(answer));
    };
  } else {
    return Told{}.why_left(program);
  }
}

/// "3 nodes stay: a, b: <reason>; c: <reason>": the first of them, as many as fit, those with one reason together; the others are counted.
template <class Told>
constexpr auto what_stays(const program_view& program, const vector<node_id>& staying) -> text_buffer {
  constexpr std::size_t most_looked_at = 12;
  constexpr auto room = static_failure::reason_capacity - 20;  // "; and 1234567 more"
  const auto name = [&](std::size_t i) { return shortened(program.text(program[staying[i]].name)); };
  auto why = reasons_to_stay<Told>(program);
  vector<text_buffer> reasons;
  for (std::size_t i = 0; i < staying.size() && i < most_looked_at; ++i) reasons.push_back(why(staying[i]));
  vector<char> is_named(reasons.size(), 0);
  auto text = join(staying.size(), staying.size() == 1 ? " node stays: " : " nodes stay: ");
  std::size_t named = 0;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (is_named[i] != 0) continue;
    auto together = join(named == 0 ? "" : "; ", view(name(i)));
    const auto left = [&] { return static_cast<std::int64_t>(room) - std::ssize(text) - std::ssize(together) - std::ssize(reasons[i]); };
    if (named != 0 && left() < 2) break;
    ++named;
    for (auto j = i + 1; j < reasons.size(); ++j) {
      if (is_named[j] != 0 || reasons[j] != reasons[i] || left() < static_cast<std::int64_t>(name(j).size()) + 4) continue;
      append(append(together, ", "), view(name(j)));
      is_named[j] = 1;
      ++named;
    }
    append(append(append(text, view(together)), ": "), view(reasons[i]));
  }
  if (named < staying.size()) append(append(append(text, "; and "), static_cast<std::int64_t>(staying.size() - named)), " more");
  return text;
}

/// The failure of nodes that stay, at the first, with what is said of them.
template <class Told>
constexpr auto check_delegated(const program_view& program) -> failure {
  const auto staying = undelegated(program);
  if (staying.empty()) return {};
  auto why = broken_at<"undelegated_node">(program, staying[0]);
  why.reason = what_stays<Told>(program, staying);
  return why;
}

/// The failure of too many bytes that cross, with the values that most of them are.
constexpr auto check_boundary(const program_view& program, std::uint64_t most) -> failure {
  vector<std::uint64_t> crossing(program.values.size(), 0);
  for_each_crossing(program, [&](value_id id, std::uint64_t bytes) { crossing[index(id)] += bytes; });
  std::uint64_t sum = 0;
  for (const auto bytes : crossing) sum += bytes;
  if (sum <= most) return {};
  auto why = broken<"too_many_boundary_bytes">(sum, " bytes, at most ", most, "; the widest:");
  for (int named = 0; named < 3; ++named) {
    const auto widest = static_cast<std::size_t>(std::max_element(crossing.begin(), crossing.end()) - crossing.begin());
    if (crossing[widest] == 0) break;
    append(append(append(why.reason, named == 0 ? " " : ", "), view(shortened(program.text(program.values[widest].name)))), " ");
    append(why.reason, static_cast<std::int64_t>(crossing[widest]));
    crossing[widest] = 0;
  }
  return why;
}

}  // namespace detail

/// The bytes that delegate calls are given and give back in one run of each, constants of the owner not counted: what crosses the borders
/// of accelerators.
constexpr auto boundary_bytes(const program_view& program) -> std::uint64_t {
  std::uint64_t sum = 0;
  detail::for_each_crossing(program, [&sum](value_id, std::uint64_t bytes) { sum += bytes; });
  return sum;
}

/// Whether every node of a program is in a delegate. `static_assert(baton::fully_delegated<my_partitioner>(lowered));` stops the compiler
/// with the nodes that stay and the reasons that the partitioner gives, or an operator support; for a plain answer ask
/// `undelegated(lowered).empty()`. Errors: `undelegated_node`.
template <class Told = no_support, class Make>
  requires(operator_support<Told> || explaining_partitioner<Told>)
consteval auto fully_delegated(static_program<Make>) -> bool {
  if constexpr (static_program<Make>::is_valid) {
    constexpr static_failure why{detail::check_delegated<Told>(static_program<Make>::value())};
    require_unbroken<why>();
  }
  return true;
}
/// The same at run time. Errors: `undelegated_node`.
template <class Told = no_support>
  requires(operator_support<Told> || explaining_partitioner<Told>)
constexpr auto fully_delegated(const program_view& program) -> bool {
  if (auto why = detail::check_delegated<Told>(program)) raise(why);
  return true;
}

/// Whether at most so many bytes cross the borders of delegates; stops the compiler with the figure and the widest values where more do.
/// Errors: `too_many_boundary_bytes`.
template <std::uint64_t Most, class Make>
consteval auto boundary_within(static_program<Make>) -> bool {
  if constexpr (static_program<Make>::is_valid) {
    constexpr static_failure why{detail::check_boundary(static_program<Make>::value(), Most)};
    require_unbroken<why>();
  }
  return true;
}
/// The same at run time. Errors: `too_many_boundary_bytes`.
template <std::uint64_t Most>
constexpr auto boundary_within(const program_view& program) -> bool {
  if (auto why = detail::check_boundary(program, Most)) raise(why);
  return true;
}

}  // namespace baton
