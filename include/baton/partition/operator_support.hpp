// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operator support: which nodes a backend can take, said by small types that combine.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/operators/shared/check_operator_name.hpp>

#include <concepts>
#include <type_traits>

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

namespace detail {

/// Stops the compiler with a sentence if a type is no operator support.
template <class T>
consteval auto require_operator_support() -> bool {
  constexpr bool is_support = operator_support<T>;
  static_assert(is_support,
                "baton not_a_support: an operator support says of a node whether a backend can take it; write: static constexpr auto "
                "supports(const baton::program_view&, const baton::node&) -> baton::verdict");
  return is_support;
}

}  // namespace detail

/// An operator support, asked for by name: what is none is reported in a sentence, which stands alone.
template <class T>
concept required_support = (detail::require_operator_support<T>() || true);

/// An operator support that takes nothing, where lists or patterns say it all.
using no_support = archetypes::operator_support;

namespace detail {

/// The type itself, or a support that takes nothing in place of what is none.
template <class T>
using sound_support = std::conditional_t<operator_support<T>, T, no_support>;

/// A support that lets nodes go along with those that make their input.
template <class T>
concept has_followers = requires(const program_view& program, const node& candidate) {
  { T::follows(program, candidate) } -> std::same_as<bool>;
};

/// Stops the compiler with a sentence if a type cannot be part of another support.
template <class T>
consteval auto require_inner() -> bool {
  constexpr bool is_inner = !has_followers<T>;
  static_assert(is_inner,
                "baton not_outermost: followers are asked for once, by the outermost support; write: "
                "baton::with_followers<baton::all_of<my_support, another>>");
  return is_inner;
}

}  // namespace detail

/// A support that can be part of another, asked for by name in the same way.
template <class T>
concept required_member = (detail::require_inner<T>() || true) && (detail::require_operator_support<T>() || true);

/// Supports the operators of these names: `operators<"tfl.conv_2d", "tfl.add">`. Errors: `unknown_operator`, in the compiler.
template <fixed_string... Names>
  requires(require_operator_name<Names>() && ...)
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
template <required_member... Members>
struct any_of {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    verdict answer = refuse();
    static_cast<void>(((answer = detail::sound_support<Members>::supports(program, candidate), answer.accepted) || ...));
    return answer;
  }
};

/// Supports what all of its members support, asked from left to right; no members support everything.
template <required_member... Members>
struct all_of {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    verdict answer = accept();
    static_cast<void>(((answer = detail::sound_support<Members>::supports(program, candidate), answer.accepted) && ...));
    return answer;
  }
};

/// Supports what its member does not.
template <required_member Member>
struct not_of {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (detail::sound_support<Member>::supports(program, candidate)) return refuse("the operator is excluded");
    return accept();
  }
};

}  // namespace baton
