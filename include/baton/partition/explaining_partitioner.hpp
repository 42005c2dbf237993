// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Partitioners that say why they leave a node.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/partition/detail/node_choice.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton {

/// A partitioner that says of every node that it leaves why: `constexpr auto why_left(const baton::program_view& tagged) const`. That is
/// called once, with the program as the partitioner tagged it; what it returns is called for each node that stays,
/// `(baton::node_id) -> baton::text_buffer`, while the program is there. Tables that all nodes need are so made once.
/// Models: `by_support`, `by_pattern` and all others of Baton's own.
template <class T>
concept explaining_partitioner = partitioner<T> && requires(const T& candidate, const program_view& tagged, node_id id) {
  { candidate.why_left(tagged)(id) } -> std::same_as<text_buffer>;
};

/// What is said of a node whose partitioner says nothing.
inline constexpr std::string_view left_without_reason = "its partitioner left it and gives no reason";

namespace detail {

/// Why a support does not take a node that stays; empty where it would.
template <operator_support Support>
constexpr auto why_unsupported(const program_view& program, node_id id) -> text_buffer {
  if (follows_by<Support>(program, id)) return join("it goes along with what makes its input, and that is not taken");
  auto answer = Support::supports(program, program[id]);
  if (!answer && answer.reason.empty()) return join("it is not supported");
  return std::move(answer.reason);
}

/// The reason of each of several, one after the other.
constexpr void add_reason(text_buffer& reasons, std::string_view from, std::string_view reason) {
  if (!reasons.empty()) append(reasons, "; ");
  if (!from.empty()) append(append(reasons, from), ": ");
  append(reasons, reason);
}

/// Adds what a support says to a partitioner's reason, where there is a support.
template <operator_support Support>
constexpr void add_refusal(text_buffer& reasons, const program_view& program, node_id id) {
  if constexpr (!std::is_same_v<Support, no_support>) add_reason(reasons, "", view(why_unsupported<Support>(program, id)));
}

/// What to ask, node by node, why it was left: the partitioner, where it says so.
template <partitioner Partitioner>
constexpr auto reasons_of(const program_view& tagged, const Partitioner& partitioner) {
  static_assert(
      explaining_partitioner<Partitioner> || !requires { &Partitioner::why_left; },
      "baton not_an_explanation: why_left returns what is asked node by node; write: constexpr auto why_left(const "
      "baton::program_view& tagged) const { return [tagged](baton::node_id id) -> baton::text_buffer { ... }; }");
  if constexpr (explaining_partitioner<Partitioner>) {
    return partitioner.why_left(tagged);
  } else {
    return [](node_id) { return text_buffer{}; };
  }
}

}  // namespace detail

}  // namespace baton
