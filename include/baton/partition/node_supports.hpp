// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Ready-made operator supports: by the dtypes of operands, by names, with a reason of one's own, from a function.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/npos.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/operators/check_operator_name.hpp>
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

/// Declines a node with an operand of one of these dtypes.
template <dtype... Declined>
struct declines_input_dtype {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    for (const auto input : program.inputs(candidate)) {
      if (input != none<value_id> && ((program[input].type == Declined) || ...)) {
        return refuse("an operand is ", facts(program[input].type).name);
      }
    }
    return accept();
  }
};

namespace detail {

template <fixed_string... Texts>
constexpr auto is_one_of(std::string_view text) -> bool {
  return ((text == std::string_view(Texts)) || ...);
}

/// An empty text is in none.
template <fixed_string... Texts>
constexpr auto contains_one_of(std::string_view text) -> bool {
  return ((!std::string_view(Texts).empty() && text.find(std::string_view(Texts)) != text.npos) || ...);
}

constexpr auto accept_unless(bool is_excluded, std::string_view reason) -> verdict {
  if (is_excluded) return refuse(reason);
  return accept();
}

}  // namespace detail

/// Supports what is of none of these operators; for an `all_of`. Errors: `unknown_operator`, in the compiler.
template <fixed_string... Operators>
using dont_partition = not_of<operators<Operators...>>;
/// The same for operators whose name contains one of these texts; an empty text is in none.
template <fixed_string... Texts>
struct dont_partition_containing {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    return detail::accept_unless(detail::contains_one_of<Texts...>(program.text(candidate.target)), "the operator is excluded");
  }
};
/// Supports the nodes that have none of these names. Nodes carry no module; exclude a module's nodes by the names they have in common.
template <fixed_string... Names>
struct dont_partition_node {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    return detail::accept_unless(detail::is_one_of<Names...>(program.text(candidate.name)), "the node is excluded");
  }
};
/// The same for nodes whose name contains one of these texts; an empty text is in none.
template <fixed_string... Texts>
struct dont_partition_node_containing {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    return detail::accept_unless(detail::contains_one_of<Texts...>(program.text(candidate.name)), "the node is excluded");
  }
};

/// Supports what its member supports, and says this where it does not.
template <required_member Member, fixed_string Reason>
struct with_reason {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (detail::sound_support<Member>::supports(program, candidate).accepted) return accept();
    return refuse(std::string_view(Reason));
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
