// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The reasons why nodes are not delegated.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/add_reason.hpp>
#include <baton/core/verdict.hpp>
#include <baton/partition/operator_support.hpp>

#include <type_traits>
#include <utility>

namespace baton {

/// Returns the reason of a refusal, or a default text if the refusal has no reason.
constexpr auto reason_of(verdict refusal) -> text_buffer {
  if (refusal.reason.empty()) return join("it is not supported");
  return std::move(refusal.reason);
}

namespace detail {

/// True if `Support` makes a node a follower: a node that is delegated only with the producer of its first operand (`with_followers`).
template <operator_support Support>
constexpr auto follows_by(const program_view& program, node_id id) -> bool {
  if constexpr (has_followers<Support>) return Support::follows(program, program[id]);
  return false;
}

/// Returns the reason why `Support` refuses a node, or an empty text if `Support` accepts the node.
template <operator_support Support>
constexpr auto why_unsupported(const program_view& program, node_id id) -> text_buffer {
  if (follows_by<Support>(program, id)) return join("it is delegated only with the producer of its input, which is not delegated");
  auto answer = Support::supports(program, program[id]);
  if (answer) return {};
  return reason_of(std::move(answer));
}

/// Appends to `reasons` the reason why `Support` refuses a node. Appends nothing if `Support` is `no_support`.
template <operator_support Support>
constexpr void add_refusal(text_buffer& reasons, const program_view& program, node_id id) {
  if constexpr (!std::is_same_v<Support, no_support>) add_reason(reasons, "", view(why_unsupported<Support>(program, id)));
}

}  // namespace detail

}  // namespace baton
