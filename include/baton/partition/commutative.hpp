// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which operators compute the same when their first two operands are swapped.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/operator_definition.hpp>

namespace baton {

namespace detail {

/// Whether the second operand is taken as it is: `aten.add` computes first + alpha · second.
constexpr auto has_plain_operands(const program_view& program, const node& candidate) -> bool {
  const auto* alpha = program.find(candidate, "alpha");
  if (alpha == nullptr) return true;
  return alpha->kind == attribute_kind::real ? alpha->real == 1.0 : alpha->integer == 1;
}

constexpr auto commutes(const program_view& program, const node& candidate, operator_list own = {}) -> verdict {
  if (!find_definition(candidate.op, own).is_commutative) return refuse("the operator is not known to commute");
  if (!has_plain_operands(program, candidate)) return refuse("the second operand is multiplied by alpha");
  return accept();
}

}  // namespace detail

/// The nodes whose first two operands may be swapped: what a pattern is given, so that `add(conv, x)` is found where `add(x, conv)`
/// stands. Results are equal but for what operands that are not numbers give. It says nothing of operators that it does not know; define
/// your own and use `commutative_with`, or name them: `baton::any_of<baton::commutative, baton::operators<"my.blend">>`.
struct commutative {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    return detail::commutes(program, candidate);
  }
};

/// The same, also of operators that a list of one's own defines: `baton::commutative_with<my_operators>`.
template <const auto& Own>
struct commutative_with {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    return detail::commutes(program, candidate, Own);
  }
};

}  // namespace baton
