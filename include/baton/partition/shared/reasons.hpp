// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Why nodes stay: what a support says of one.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/add_reason.hpp>
#include <baton/core/verdict.hpp>
#include <baton/partition/operator_support.hpp>

#include <type_traits>
#include <utility>

namespace baton {

/// What a refusal says, or that it says nothing.
constexpr auto reason_of(verdict refusal) -> text_buffer {
  if (refusal.reason.empty()) return join("it is not supported");
  return std::move(refusal.reason);
}

namespace detail {

/// Whether a node goes along with the one that makes its input, by what its support says.
template <operator_support Support>
constexpr auto follows_by(const program_view& program, node_id id) -> bool {
  if constexpr (has_followers<Support>) return Support::follows(program, program[id]);
  return false;
}

/// Why a support does not take a node that stays; empty where it would.
template <operator_support Support>
constexpr auto why_unsupported(const program_view& program, node_id id) -> text_buffer {
  if (follows_by<Support>(program, id)) return join("it goes along with what makes its input, and that is not taken");
  auto answer = Support::supports(program, program[id]);
  if (answer) return {};
  return reason_of(std::move(answer));
}

/// Adds what a support says to a partitioner's reason, where there is a support.
template <operator_support Support>
constexpr void add_refusal(text_buffer& reasons, const program_view& program, node_id id) {
  if constexpr (!std::is_same_v<Support, no_support>) add_reason(reasons, "", view(why_unsupported<Support>(program, id)));
}

}  // namespace detail

}  // namespace baton
