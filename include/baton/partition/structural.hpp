// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Nodes that move no data, and supports that let them go along with the node that makes their input.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/partition/operator_support.hpp>

#include <concepts>
#include <cstddef>

namespace baton {

namespace detail {

/// After PyTorch's page on tensor views and the kernels of TensorFlow Lite that copy their input as it is. Transposes and slices are views
/// there, but move data in a program whose tensors are contiguous; `expand` makes elements.
inline constexpr literal_name structural_operators[] = {
    "aten.view.default",
    "aten.view_copy.default",
    "aten._unsafe_view.default",
    "aten.reshape.default",
    "aten.flatten.using_ints",
    "aten.unflatten.int",
    "aten.squeeze.default",
    "aten.squeeze.dim",
    "aten.squeeze.dims",
    "aten.squeeze_copy.default",
    "aten.squeeze_copy.dim",
    "aten.squeeze_copy.dims",
    "aten.unsqueeze.default",
    "aten.unsqueeze_copy.default",
    "aten.alias.default",
    "aten.alias_copy.default",
    "aten.detach.default",
    "aten.detach_copy.default",
    "tfl.reshape",
    "tfl.squeeze",
    "tfl.expand_dims",
    "tfl.stablehlo_reshape",
};

}  // namespace detail

/// Supports the operators that give the elements of a contiguous tensor another shape or another name: reshape, view, flatten, squeeze,
/// unsqueeze and their like.
struct structural {
  static constexpr auto supports(const program_view&, const node& candidate) -> verdict {
    if (is_among(candidate.op, detail::structural_operators)) return accept();
    return refuse("the operator is not structural");
  }
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
