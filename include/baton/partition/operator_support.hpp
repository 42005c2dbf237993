// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operator support: which nodes a backend can take, said by small types that combine; ready-made ones, by names, dtypes, or a function.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/add_reason.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/operators/shared/check_operator_name.hpp>
#include <baton/partition/operator_facts.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton {

/// The smallest operator support: it takes nothing. For where lists or patterns say it all.
struct no_support {
  static constexpr auto supports(const program_view&, const node&) -> verdict { return refuse(); }
};

/// An operator support says of a node whether a backend can take it, and if not, why.
/// Laws: the answer depends on the node alone, never on other answers. Models: `operators`, `any_of`, `all_of`, `not_of`, every kernel.
template <class T>
concept operator_support = requires(const program_view& program, const node& candidate) {
  { T::supports(program, candidate) } -> std::same_as<verdict>;
};
static_assert(operator_support<no_support>);

namespace detail {

/// Stops the compiler with a sentence if a type is no operator support.
template <class T>
consteval auto require_operator_support() -> bool {
  constexpr bool is_support = operator_support<T>;
  static_assert(is_support,
                "baton not_a_support: an operator support has no supports; write: static constexpr auto "
                "supports(const baton::program_view&, const baton::node&) -> baton::verdict");
  return is_support;
}

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
                "baton not_outermost: with_followers is not the outermost support; write: "
                "baton::with_followers<baton::all_of<my_support, another>>");
  return is_inner;
}

}  // namespace detail

/// An operator support, asked for by name: what is none is reported in a sentence, which stands alone.
template <class T>
concept required_support = (detail::require_operator_support<T>() || true);

/// A support that can be part of another, asked for by name in the same way.
template <class T>
concept required_member = (detail::require_inner<T>() || true) && (detail::require_operator_support<T>() || true);

namespace detail {

/// Whether one of several says yes, which is then the answer; a new reason joins those of the others.
constexpr auto says_yes(verdict& answer, verdict said) -> bool {
  if (said || answer.reason.empty()) {
    answer = std::move(said);
  } else if (!said.reason.empty() && view(said.reason) != view(answer.reason)) {
    add_reason(answer.reason, "", view(said.reason));
  }
  return answer.accepted;
}

}  // namespace detail

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

/// Supports what one of its members supports, asked from left to right; no members support nothing. Where none does, their reasons stand
/// side by side.
template <required_member... Members>
struct any_of {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    verdict answer = refuse();
    static_cast<void>((detail::says_yes(answer, detail::sound_support<Members>::supports(program, candidate)) || ...));
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

/// Supports the operators of its rows where the operands have the dtypes stated there. An operator may have several rows; where none
/// accepts, their reasons stand side by side.
template <class... Rows>
struct operator_table {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if ((!Rows::is_for(candidate) && ...)) return refuse("the operator is not in the table");
    verdict answer = refuse();
    static_cast<void>(((Rows::is_for(candidate) && detail::says_yes(answer, Rows::check(program, candidate))) || ...));
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

/// True if each support accepts at least one node of the program, or of a delegate's original. An operator name that the program does not
/// contain is not an error, so a misspelled name goes unnoticed unless this is asked:
/// `static_assert(baton::every_support_matches<my_support, another>(model));`. O(nodes * supports).
template <required_support... Supports>
constexpr auto every_support_matches(const program_view& program) -> bool {
  [[maybe_unused]] const auto matches = [&program]<class Support>(std::type_identity<Support>) {
    for (const auto& record : program.nodes) {
      if (detail::sound_support<Support>::supports(program, record)) return true;
    }
    return false;
  };
  return (matches(std::type_identity<Supports>{}) && ...);
}

}  // namespace baton
