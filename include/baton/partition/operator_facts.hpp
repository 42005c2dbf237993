// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What is known of operators, as operator supports: which commute, and which move no data.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/operators/find_definition.hpp>

namespace baton {

/// The nodes whose first two operands may be swapped: what a pattern is given, so that `add(conv, x)` is found where `add(x, conv)`
/// stands. Results are equal but for what operands that are not numbers give. It says nothing of operators that neither Baton nor a list of
/// one's own defines, `baton::commutative_with<my_operators>`; or name them: `baton::any_of<baton::commutative,
/// baton::operators<"my.blend">>`.
template <const auto&... Own>
struct commutative_with {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (!find_definition(candidate.op, Own...).is_commutative) return refuse("the operator is not known to commute");
    const auto* alpha = program.find(candidate, "alpha");  // `aten.add` computes first + alpha · second
    if (alpha == nullptr || (alpha->kind == attribute_kind::real ? alpha->real == 1.0 : alpha->integer == 1)) return accept();
    return refuse("the second operand is multiplied by alpha");
  }
};
using commutative = commutative_with<>;

/// Supports the operators that give the elements of a contiguous tensor another shape or another name: reshape, view, flatten, squeeze,
/// unsqueeze and their like; with a list of one's own, also those that it defines: `baton::structural_with<my_operators>`.
template <const auto&... Own>
struct structural_with {
  static constexpr auto supports(const program_view&, const node& candidate) -> verdict {
    if (!find_definition(candidate.op, Own...).is_structural) return refuse("the operator is not structural");
    return accept();
  }
};
using structural = structural_with<>;

}  // namespace baton
