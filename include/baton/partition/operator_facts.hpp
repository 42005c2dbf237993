// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operator supports for two properties of operators: commutative, and structural.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/operators/find_definition.hpp>

namespace baton {

/// An operator support of the nodes whose first two operands can be swapped. With this support, a pattern search for `add(conv, x)` also
/// finds `add(x, conv)`. Swapping does not change the result, unless operands are NaN. An operator is commutative if its definition sets
/// `is_commutative`. To add other operators, name them:
/// `baton::any_of<baton::commutative, baton::operator_names<"my.blend">>`.
struct commutative {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (!find_definition(program, candidate).is_commutative) return refuse("the operator is not known to be commutative");
    if (candidate.inputs.size < 2) return refuse("the node has fewer than two operands");
    // `aten.add` computes first + alpha * second. In an imported program, alpha is the attribute `arg_2`.
    const auto* alpha = program.find(candidate, "alpha");
    if (alpha == nullptr && candidate.op == hash_of("aten.add.Tensor")) alpha = program.find(candidate, "arg_2");
    if (alpha == nullptr || (alpha->kind == attribute_kind::real ? alpha->real == 1.0 : alpha->integer == 1)) return accept();
    return refuse("the second operand is multiplied by alpha");
  }
};

/// An operator support of the operators that change only the shape or the name of a contiguous tensor. Examples are reshape, view, flatten,
/// squeeze and unsqueeze. An operator is structural if its definition sets `is_structural`.
struct structural {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (!find_definition(program, candidate).is_structural) return refuse("the operator is not structural");
    return accept();
  }
};

}  // namespace baton
