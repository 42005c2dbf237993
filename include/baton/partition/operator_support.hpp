// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operator supports: small types that determine which nodes a backend supports. Operator supports check names, dtypes or a predicate, and
// can be combined.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/add_reason.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/operators/shared/require_operator_name.hpp>
#include <baton/partition/operator_facts.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton {

/// The smallest operator support, which supports no node. Use `no_support` if lists or patterns alone select the nodes.
struct no_support {
  static constexpr auto supports(const program_view&, const node&) -> verdict { return refuse(); }
};

/// An operator support returns whether a backend supports a node, and the reason if it does not:
/// - `static constexpr auto supports(const baton::program_view&, const baton::node&) -> baton::verdict`
///
/// Law: the verdict depends on the node alone, never on the verdicts of other nodes. Models: `operator_names`, `any_of`, `all_of`,
/// `not_of`, every kernel.
template <class T>
concept operator_support = requires(const program_view& program, const node& candidate) {
  { T::supports(program, candidate) } -> std::same_as<verdict>;
};
static_assert(operator_support<no_support>);

namespace detail {

/// Returns whether `T` is an operator support. Reports a compile-time error if `T` is not.
template <class T>
consteval auto require_operator_support() -> bool {
  constexpr bool is_support = operator_support<T>;
  static_assert(is_support,
                "baton not_a_support: the operator support has no function supports; write: static constexpr auto "
                "supports(const baton::program_view&, const baton::node&) -> baton::verdict");
  return is_support;
}

/// `T`, or `no_support` if `T` is not an operator support.
template <class T>
using valid_support = std::conditional_t<operator_support<T>, T, no_support>;

/// A support with followers. A follower is a node that is delegated together with the producer of its input.
template <class T>
concept has_followers = requires(const program_view& program, const node& candidate) {
  { T::follows(program, candidate) } -> std::same_as<bool>;
};

/// Returns whether `T` can be a member of another support. Reports a compile-time error if `T` cannot.
template <class T>
consteval auto require_inner() -> bool {
  constexpr bool is_inner = !has_followers<T>;
  static_assert(is_inner,
                "baton not_outermost: with_followers is not the outermost support; write: "
                "baton::with_followers<baton::all_of<my_support, another>>");
  return is_inner;
}

}  // namespace detail

/// Reports a compile-time error if `T` is not an operator support. Always satisfied, so that the compiler reports no second error for `T`.
template <class T>
concept required_support = (detail::require_operator_support<T>() || true);

/// Reports a compile-time error if `T` cannot be a member of another support: if `T` is `with_followers`, or is not an operator support.
/// Always satisfied, so that the compiler reports no second error for `T`.
template <class T>
concept required_member = (detail::require_inner<T>() || true) && (detail::require_operator_support<T>() || true);

namespace detail {

/// Combines the verdict `answer` with `next`, the verdict of the next support. If `next` accepts, or if `answer` has no reason, `next`
/// replaces `answer`. Otherwise, the reason of `next` is appended to the reason of `answer`, if the two reasons differ. Returns whether the
/// combined verdict accepts the node.
constexpr auto combine_verdict(verdict& answer, verdict next) -> bool {
  if (next || answer.reason.empty()) {
    answer = std::move(next);
  } else if (!next.reason.empty() && view(next.reason) != view(answer.reason)) {
    add_reason(answer.reason, "", view(next.reason));
  }
  return answer.accepted;
}

}  // namespace detail

/// An operator support of the operators with these names: `operator_names<"tfl.conv_2d", "tfl.add">`. Fails at compile time with the errors
/// of `check_operator_name`.
template <fixed_string... Names>
  requires(require_operator_name<Names>() && ...)
struct operator_names {
  static constexpr auto supports(const program_view&, const node& candidate) -> verdict {
    if (((candidate.op == hash<Names>) || ...)) return accept();
    return refuse("the operator is not in the list");
  }

 private:
  template <fixed_string Name>
  static constexpr std::uint64_t hash = hash_of(Name);
};

/// An operator support that supports a node if at least one member supports it. Members are evaluated from left to right, until one
/// accepts. Without members, supports no node. If all members refuse, the verdict has the reasons of all members.
template <required_member... Members>
struct any_of {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    verdict answer = refuse();
    static_cast<void>((detail::combine_verdict(answer, detail::valid_support<Members>::supports(program, candidate)) || ...));
    return answer;
  }
};

/// An operator support that supports a node if all members support it. Members are evaluated from left to right, until one refuses. Without
/// members, supports every node.
template <required_member... Members>
struct all_of {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    verdict answer = accept();
    static_cast<void>(((answer = detail::valid_support<Members>::supports(program, candidate), answer.accepted) && ...));
    return answer;
  }
};

/// An operator support that supports a node if `Member` does not support it.
template <required_member Member>
struct not_of {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (detail::valid_support<Member>::supports(program, candidate)) return refuse("the operator is excluded");
    return accept();
  }
};

/// The dtypes that one operand may have. An empty list accepts any dtype.
template <dtype... Accepted>
struct dtypes {
  static constexpr auto accepts(dtype type) -> bool { return sizeof...(Accepted) == 0 || ((type == Accepted) || ...); }
};

/// A row of an `operator_table`: an operator, and one `dtypes` entry per operand. An operand without an entry may have any dtype; an entry
/// without an operand is ignored. Fails at compile time with the errors of `check_operator_name`.
template <fixed_string Operator, class... Operands>
  requires(require_operator_name<Operator>())
struct table_row {
  static constexpr auto is_for(const node& candidate) -> bool { return candidate.op == hash_of(Operator); }
  static constexpr auto check(const program_view& program, const node& candidate) -> verdict {
    const auto inputs = program.inputs(candidate);
    std::size_t at = 0;
    std::size_t wrong = inputs.size();
    [[maybe_unused]] const auto check_operand = [&](bool is_accepted) {
      if (!is_accepted && wrong == inputs.size()) wrong = at;
      ++at;
    };
    (check_operand(at >= inputs.size() || inputs[at] == none<value_id> || Operands::accepts(program[inputs[at]].type)), ...);
    if (wrong == inputs.size()) return accept();
    return refuse("operand ", wrong, " is ", facts(program[inputs[wrong]].type).name);
  }
};

/// An operator support that supports a node if a row has the node's operator and accepts the dtypes of the node's operands. An operator may
/// have several rows. If all rows of the operator refuse, the verdict has the reasons of these rows.
template <class... Rows>
struct operator_table {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if ((!Rows::is_for(candidate) && ...)) return refuse("the operator is not in the table");
    verdict answer = refuse();
    static_cast<void>(((Rows::is_for(candidate) && detail::combine_verdict(answer, Rows::check(program, candidate))) || ...));
    return answer;
  }
};

/// An operator support that supports a node if `Function` accepts it. `Function` takes `(const program_view&, const node&)` and returns a
/// bool, or a verdict with a reason.
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

/// An operator support of the nodes that `Member` supports, with followers. A follower is a node that `Followers` supports and that meets
/// the conditions of `follows`. The leader of a follower is the node that produces the follower's first operand. A follower joins the part
/// of its leader. A part is the nodes of a graph that become one delegate. A follower is delegated if and only if its leader is delegated;
/// the verdict of `Member` on the follower is ignored. So a follower never splits a part, and never forms a part alone. The backend must be
/// able to preprocess followers. `by_support` and `by_groups` honor followers. `by_lists` and `by_pattern` honor a follower if no list and
/// no match contains it. `by_cost` treats followers as supported nodes. `with_followers` must be the outermost support. Example:
/// `baton::by_support<my_npu, baton::with_followers<baton::operator_names<"tfl.conv_2d">, baton::structural>>`.
template <required_member Member, required_support Followers = structural>
struct with_followers {
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    if (follows(program, candidate)) return refuse("it is delegated only with the producer of its input");
    return detail::valid_support<Member>::supports(program, candidate);
  }

  /// True if a node is a follower: `Followers` supports the node, and the node has no subgraphs. The first operand must be present, and
  /// must not be owned data (a parameter, buffer or constant). Each other operand must be omitted or owned data, because a second producer
  /// could create a cycle between parts.
  static constexpr auto follows(const program_view& program, const node& candidate) -> bool {
    const auto inputs = program.inputs(candidate);
    if (inputs.empty() || candidate.subgraphs.size != 0) return false;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool is_data = inputs[i] != none<value_id> && is_owned_data(program[inputs[i]].kind);
      if (i == 0 ? inputs[i] == none<value_id> || is_data : inputs[i] != none<value_id> && !is_data) return false;
    }
    return detail::valid_support<Followers>::supports(program, candidate).accepted;
  }
};
static_assert(operator_support<with_followers<no_support>>);

/// True if each support accepts at least one node of the program, including nodes inside delegates. Use this function to find misspelled
/// operator names, because a name that does not occur in the program is not an error:
/// `static_assert(baton::every_support_matches<my_support, another>(model));`. O(nodes * supports).
template <required_support... Supports>
constexpr auto every_support_matches(const program_view& program) -> bool {
  [[maybe_unused]] const auto matches = [&program]<class Support>(std::type_identity<Support>) {
    for (const auto& record : program.nodes) {
      if (detail::valid_support<Support>::supports(program, record)) return true;
    }
    return false;
  };
  return (matches(std::type_identity<Supports>{}) && ...);
}

}  // namespace baton
