// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operator supports that exclude nodes by the dtypes of their operands, by operator, or by name.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/partition/operator_support.hpp>

#include <string_view>

namespace baton {

/// An operator support that refuses nodes with an operand whose dtype is one of `Declined`.
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

/// True if `text` contains one of `Texts`. Empty texts are ignored.
template <fixed_string... Texts>
constexpr auto contains_one_of(std::string_view text) -> bool {
  return ((!std::string_view(Texts).empty() && text.find(std::string_view(Texts)) != text.npos) || ...);
}

constexpr auto accept_unless(bool is_excluded, std::string_view reason) -> verdict {
  if (is_excluded) return refuse(reason);
  return accept();
}

}  // namespace detail

/// An operator support that refuses the operators with the names `Operators`, and supports all others. Combine this support with the
/// backend's support in an `all_of`. Fails at compile time with the errors of `check_operator_name`.
template <fixed_string... Operators>
using dont_partition = not_of<operator_names<Operators...>>;
/// An operator support that refuses nodes whose operator name contains one of `Texts`. Empty texts are ignored.
template <fixed_string... Texts>
struct dont_partition_containing {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    return detail::accept_unless(detail::contains_one_of<Texts...>(program.text(candidate.target)), "the operator is excluded");
  }
};
/// An operator support that refuses the nodes with the names `Names`. A node does not record the PyTorch module from which the node was
/// exported. To exclude the nodes of a PyTorch module, use `dont_partition_node_containing` with a text that occurs in the names of all
/// these nodes.
template <fixed_string... Names>
struct dont_partition_node {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    return detail::accept_unless(detail::is_one_of<Names...>(program.text(candidate.name)), "the node is excluded");
  }
};
/// An operator support that refuses nodes whose name contains one of `Texts`. Empty texts are ignored.
template <fixed_string... Texts>
struct dont_partition_node_containing {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    return detail::accept_unless(detail::contains_one_of<Texts...>(program.text(candidate.name)), "the node is excluded");
  }
};

}  // namespace baton
