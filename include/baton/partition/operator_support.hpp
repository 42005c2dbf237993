// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operator support: which nodes a backend can take, said by small types that combine.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>

#include <concepts>

namespace baton {

namespace archetypes {

/// The smallest operator support: it takes nothing.
struct operator_support {
  static constexpr auto supports(const program_view&, const node&) -> verdict { return refuse(); }
};

}  // namespace archetypes

/// An operator support says of a node whether a backend can take it, and if not, why.
/// Laws: the answer depends on the node alone, never on other answers. Models: `operators`, `any_of`, `all_of`, `not_of`, every kernel.
template <class T>
concept operator_support = requires(const program_view& program, const node& candidate) {
  { T::supports(program, candidate) } -> std::same_as<verdict>;
};
static_assert(operator_support<archetypes::operator_support>);

/// An operator support that takes nothing, where lists or patterns say it all.
using no_support = archetypes::operator_support;

/// Supports the operators of these names: `operators<"tfl.conv_2d", "tfl.add">`.
template <fixed_string... Names>
struct operators {
  static constexpr auto supports(const program_view&, const node& candidate) -> verdict {
    if (((candidate.op == hash<Names>) || ...)) return accept();
    return refuse("the operator is not in the list");
  }

 private:
  template <fixed_string Name>
  static constexpr std::uint64_t hash = hash_of(Name);
};

/// Supports what one of its members supports, asked from left to right; no members support nothing.
template <operator_support... Members>
struct any_of {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    verdict answer = refuse();
    static_cast<void>(((answer = Members::supports(program, candidate), answer.accepted) || ...));
    return answer;
  }
};

/// Supports what all of its members support, asked from left to right; no members support everything.
template <operator_support... Members>
struct all_of {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    verdict answer = accept();
    static_cast<void>(((answer = Members::supports(program, candidate), answer.accepted) && ...));
    return answer;
  }
};

/// Supports what its member does not.
template <operator_support Member>
struct not_of {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (Member::supports(program, candidate)) return refuse("the operator is excluded");
    return accept();
  }
};

}  // namespace baton
