// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Nodes that move no data, and supports that let them go along with the node that makes their input.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/partition/operator_support.hpp>

#include <concepts>
#include <cstddef>

namespace baton {

namespace detail {
constexpr auto is_structural(const node& candidate, operator_list own = {}) -> verdict {
  if (!find_definition(candidate.op, own).is_structural) return refuse("the operator is not structural");
  return accept();
}
}  // namespace detail

/// Supports the operators that give the elements of a contiguous tensor another shape or another name: reshape, view, flatten, squeeze,
/// unsqueeze and their like.
struct structural {
  static constexpr auto supports(const program_view&, const node& candidate) -> verdict { return detail::is_structural(candidate); }
};

/// The same, also of operators that a list of one's own defines: `baton::structural_with<my_operators>`.
template <const auto& Own>
struct structural_with {
  static constexpr auto supports(const program_view&, const node& candidate) -> verdict { return detail::is_structural(candidate, Own); }
};

/// Supports what its member does, and lets the nodes of `Followers` go along with the node that makes their first operand: they are taken
/// where it is, into its part, whatever the member says of them; elsewhere they stay. So they tear no part apart, and are none by
/// themselves. A backend that says so must preprocess them. Heeded by `by_support` and `by_groups`, and by `by_lists` and `by_pattern`
/// unless a list or a pattern names the node; `by_cost` weighs them as nodes that are supported. It must be the outermost support. Example:
/// `baton::by_support<my_npu, baton::with_followers<baton::operators<"tfl.conv_2d">, baton::structural>>`.
template <required_member Member, required_support Followers = structural>
struct with_followers {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (follows(program, candidate)) return refuse("it goes along with the node that makes its input");
    return detail::sound_support<Member>::supports(program, candidate);
  }

  /// Whether a node goes along: it has one operand that is no owned data, its first. With another one it might close a cycle.
  static constexpr auto follows(const program_view& program, const node& candidate) -> bool {
    const auto inputs = program.inputs(candidate);
    if (inputs.empty() || candidate.subgraphs.size != 0) return false;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool is_data = inputs[i] != none<value_id> && is_owned_data(program[inputs[i]].kind);
      if (i == 0 ? inputs[i] == none<value_id> || is_data : inputs[i] != none<value_id> && !is_data) return false;
    }
    return detail::sound_support<Followers>::supports(program, candidate).accepted;
  }
};
static_assert(operator_support<with_followers<no_support>>);

}  // namespace baton
