// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Contracts: checks of a lowered program for use in a `static_assert`. If a program violates a contract, the compiler's message names the
// nodes or the values that violate it.
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

/// Returns the nodes that are not in a delegate, in the order of `visible_nodes`. Nodes of branches and loop bodies are included.
/// Control-flow nodes outside delegates are included, because the executor runs them.
constexpr auto undelegated(const program_view& program) -> vector<node_id> {
  vector<node_id> nodes;
  for (const auto id : visible_nodes(program)) {
    if (program[id].delegate == none<delegate_id>) nodes.push_back(id);
  }
  return nodes;
}

namespace detail {

/// Calls `f(value, bytes)` for each argument and result of each delegate call. Skips parameters, constants and immutable buffers of the
/// calling program.
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

/// Returns a callable that explains why a node is not delegated.
template <class Explainer>
constexpr auto undelegated_reasons(const program_view& program) {
  if constexpr (operator_support<Explainer>) {
    return [program](node_id id) {
      auto answer = Explainer::supports(program, program[id]);
      if (answer) return join("it is supported, but no partitioner selected it");
      return reason_of(std::move(answer));
    };
  } else {
    return Explainer{}.explain_undelegated(program);
  }
}

/// Returns a text such as "3 nodes are not delegated: a, b: <reason>; c: <reason>". Nodes with the same reason are listed together. The
/// text lists at most 12 nodes, or fewer if the text would exceed `static_failure::reason_capacity`. If 5 nodes are omitted, the text ends
/// with "; and 5 more".
template <class Explainer>
constexpr auto describe_undelegated(const program_view& program, const vector<node_id>& nodes) -> text_buffer {
  constexpr std::size_t max_explained = 12;
  constexpr auto capacity = static_failure::reason_capacity - 20;  // without the space for "; and 1234567 more"
  const auto name = [&](std::size_t i) { return shortened(program.text(program[nodes[i]].name)); };
  auto why = undelegated_reasons<Explainer>(program);
  vector<text_buffer> reasons;
  for (std::size_t i = 0; i < nodes.size() && i < max_explained; ++i) reasons.push_back(why(nodes[i]));
  vector<char> is_named(reasons.size(), 0);
  auto text = join(nodes.size(), nodes.size() == 1 ? " node is not delegated: " : " nodes are not delegated: ");
  std::size_t named = 0;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (is_named[i] != 0) continue;
    auto entry = join(named == 0 ? "" : "; ", view(name(i)));
    const auto space_left = [&] {
      return static_cast<std::int64_t>(capacity) - std::ssize(text) - std::ssize(entry) - std::ssize(reasons[i]);
    };
    if (named != 0 && space_left() < 2) break;
    ++named;
    for (auto j = i + 1; j < reasons.size(); ++j) {
      if (is_named[j] != 0 || reasons[j] != reasons[i] || space_left() < static_cast<std::int64_t>(name(j).size()) + 4) continue;
      append(append(entry, ", "), view(name(j)));
      is_named[j] = 1;
      ++named;
    }
    append(append(append(text, view(entry)), ": "), view(reasons[i]));
  }
  if (named < nodes.size()) append(append(append(text, "; and "), static_cast<std::int64_t>(nodes.size() - named)), " more");
  return text;
}

/// Fails with `undelegated_node` at the first node that is not delegated. The reason is the text of `describe_undelegated`.
template <class Explainer>
constexpr auto check_delegated(const program_view& program) -> failure {
  const auto nodes = undelegated(program);
  if (nodes.empty()) return {};
  auto why = broken_at<"undelegated_node">(program, nodes[0]);
  why.reason = describe_undelegated<Explainer>(program, nodes);
  return why;
}

/// Fails with `too_many_boundary_bytes` if `boundary_bytes` exceeds `max_bytes`. The reason names the three values with the most bytes.
constexpr auto check_boundary(const program_view& program, std::uint64_t max_bytes) -> failure {
  vector<std::uint64_t> crossing(program.values.size(), 0);
  for_each_crossing(program, [&](value_id id, std::uint64_t bytes) { crossing[index(id)] += bytes; });
  std::uint64_t sum = 0;
  for (const auto bytes : crossing) sum += bytes;
  if (sum <= max_bytes) return {};
  auto why = broken<"too_many_boundary_bytes">(sum, " bytes, the limit is ", max_bytes, "; the largest values:");
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

/// Returns the total size in bytes of the arguments and results of all delegate calls. Parameters, constants and immutable buffers of the
/// calling program do not count. Each call counts once, even if a loop repeats it.
constexpr auto boundary_bytes(const program_view& program) -> std::uint64_t {
  std::uint64_t sum = 0;
  detail::for_each_crossing(program, [&sum](value_id, std::uint64_t bytes) { sum += bytes; });
  return sum;
}

/// Returns true if every node of a program is in a delegate. Also returns true for an invalid program, because its error has already been
/// reported. In any other case, stops the compiler with the error `undelegated_node`, which lists the nodes and the reasons of `Explainer`.
/// `Explainer` is a partitioner or an operator support: `static_assert(baton::fully_delegated<my_partitioner>(lowered));`. For a check
/// without an error, use `undelegated(lowered).empty()`.
template <class Explainer = no_support, class Stage>
  requires(operator_support<Explainer> || explaining_partitioner<Explainer>)
consteval auto fully_delegated(static_program<Stage>) -> bool {
  if constexpr (static_program<Stage>::is_valid) {
    constexpr static_failure why{detail::check_delegated<Explainer>(static_program<Stage>::value())};
    require_no_failure<why>();
  }
  return true;
}
/// Checks at run time that every node of a program is in a delegate. Raises `undelegated_node` if a node is outside all delegates.
template <class Explainer = no_support>
  requires(operator_support<Explainer> || explaining_partitioner<Explainer>)
constexpr auto fully_delegated(const program_view& program) -> bool {
  if (auto why = detail::check_delegated<Explainer>(program)) raise(why);
  return true;
}

/// Returns true if at most `MaxBytes` bytes cross the boundaries of delegates (`boundary_bytes`). Also returns true for an invalid program.
/// In any other case, stops the compiler with the error `too_many_boundary_bytes`, which states the number of bytes and the largest values.
template <std::uint64_t MaxBytes, class Stage>
consteval auto max_boundary_bytes(static_program<Stage>) -> bool {
  if constexpr (static_program<Stage>::is_valid) {
    constexpr static_failure why{detail::check_boundary(static_program<Stage>::value(), MaxBytes)};
    require_no_failure<why>();
  }
  return true;
}
/// Checks at run time that at most `MaxBytes` bytes cross the boundaries of delegates. Raises `too_many_boundary_bytes` if more bytes cross
/// the boundaries.
template <std::uint64_t MaxBytes>
constexpr auto max_boundary_bytes(const program_view& program) -> bool {
  if (auto why = detail::check_boundary(program, MaxBytes)) raise(why);
  return true;
}

}  // namespace baton
