// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Ready-made operator supports: by the dtypes of operands, and from a function.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/operators/shared/check_operator_name.hpp>
#include <baton/partition/operator_support.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace baton {

/// The dtypes that one operand may have; none: any.
template <dtype... Accepted>
struct dtypes {
  static constexpr auto accepts(dtype type) -> bool { return sizeof...(Accepted) == 0 || ((type == Accepted) || ...); }
};

/// A row of an `operator_table`: an operator, and for each operand its dtypes. Further operands may have any; a row may name more than
/// there are. Errors: `unknown_operator`, in the compiler.
template <fixed_string Operator, class... Operands>
  requires(require_operator_name<Operator>())
struct table_row {
  static constexpr auto is_for(const node& candidate) -> bool { return candidate.op == hash_of(Operator); }
  static constexpr auto check(const program_view& program, const node& candidate) -> verdict {
    const auto inputs = program.inputs(candidate);
    std::size_t at = 0;
    std::size_t wrong = inputs.size();
    [[maybe_unused]] const auto look = [&](bool is_accepted) {
      if (!is_accepted && wrong == inputs.size()) wrong = at;
      ++at;
    };
    (look(at >= inputs.size() || inputs[at] == none<value_id> || Operands::accepts(program[inputs[at]].type)), ...);
    if (wrong == inputs.size()) return accept();
    return refuse("operand ", wrong, " is ", facts(program[inputs[wrong]].type).name);
  }
};

/// Supports the operators of its rows where the operands have the dtypes stated there.
template <class... Rows>
struct operator_table {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    verdict answer = refuse("the operator is not in the table");
    static_cast<void>(((Rows::is_for(candidate) && (answer = Rows::check(program, candidate), true)) || ...));
    return answer;
  }
};

/// A function of `(const program_view&, const node&)` as a support: it returns a bool, or a verdict with a reason of its own.
template <auto Function>
struct supported_if {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if constexpr (std::is_same_v<decltype(Function(program, candidate)), verdict>) {
      return Function(program, candidate);
    } else {
      if (Function(program, candidate)) return accept();
      return refuse("the node does not meet the condition");
    }
  }
};

}  // namespace baton
