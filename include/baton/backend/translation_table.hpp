// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A table of the operators that a backend supports. Each row has an operator, and a function that translates the nodes of this operator.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/add_reason.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/operators/shared/require_operator_name.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton {

/// The instruction into which a backend translates a node, or the reason why the backend cannot translate the node. `Instruction` is a type
/// of the backend; it must be default-constructible.
template <class Instruction>
struct translation {
  verdict support{};
  Instruction instruction{};
};

namespace detail {

template <class>
struct translation_traits {
  static constexpr bool is_translation = false;
  using instruction = void;
};
template <class Instruction>
struct translation_traits<translation<Instruction>> {
  static constexpr bool is_translation = true;
  using instruction = Instruction;
};

template <class Function>
struct row_traits : translation_traits<void> {};
template <class Function>
  requires std::invocable<const Function&, const program_view&, const node&>
struct row_traits<Function> : translation_traits<std::invoke_result_t<const Function&, const program_view&, const node&>> {};

}  // namespace detail

/// A row of a `translation_table`: an operator, and a function that translates a node of this operator, or refuses it with a reason.
/// `Translate` is a function or a lambda without captures: `(const program_view&, const node&) -> translation<Instruction>`. Fails at
/// compile time with the errors of `check_operator_name`.
template <fixed_string Operator, auto Translate>
  requires(require_operator_name<Operator>())
struct translates {
  static_assert(
      detail::row_traits<decltype(Translate)>::is_translation,
      "baton not_a_translation: a row of a translation_table has no function that translates a node; write: constexpr auto f(const "
      "baton::program_view& program, const baton::node& node) -> baton::translation<my_instruction>");
  using instruction = typename detail::row_traits<decltype(Translate)>::instruction;

  static constexpr std::uint64_t op = hash_of(Operator);
  static constexpr auto translate(const program_view& program, const node& candidate) -> translation<instruction> {
    return Translate(program, candidate);
  }
};

/// An operator support that supports a node if the table can translate it. A `preprocess` that calls `translate_part` uses the same rows,
/// so this `preprocess` can translate every supported node. An operator may have several rows. The rows are tried in order, and the first
/// row that accepts the node is used. If no row accepts the node, the verdict has the reasons of all rows of the operator. If the operator
/// has no row, the reason names the operator.
///
/// Law: a row that accepts a node of a program must also accept the node in its part. A part is the nodes of a graph that become one
/// delegate. In a part, constants that the part does not own are user inputs without data. Therefore a row that reads the data of constants
/// requires a partitioner that assigns these constants to the part (`with_constants`).
template <class First, class... Others>
struct translation_table {
  using instruction = typename First::instruction;
  static_assert((std::is_same_v<instruction, typename Others::instruction> && ...),
                "baton not_a_translation: the rows of a translation_table return different instruction types; return one type, for example "
                "a std::variant");

  static constexpr auto translate(const program_view& program, const node& candidate) -> translation<instruction> {
    translation<instruction> answer;
    if (try_row<First>(answer, program, candidate) || (try_row<Others>(answer, program, candidate) || ...)) return answer;
    if (answer.support.reason.empty()) answer.support = refuse("no translation of ", program.text(candidate.target));
    return answer;
  }
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    return translate(program, candidate).support;
  }

 private:
  /// If the row accepts the node, sets `answer` to the translation and returns true. Otherwise, returns false. If the row has the
  /// node's operator but refuses the node, also appends the row's reason to the reasons in `answer`.
  template <class Row>
  static constexpr auto try_row(translation<instruction>& answer, const program_view& program, const node& candidate) -> bool {
    if (candidate.op != Row::op) return false;
    auto attempt = Row::translate(program, candidate);
    if (attempt.support) {
      answer = std::move(attempt);
      return true;
    }
    const auto& reason = attempt.support.reason;
    add_reason(answer.support.reason, "", reason.empty() ? "rejected without a reason" : view(reason));
    return false;
  }
};

/// Translates the nodes of a part's root graph with a `translation_table`. Returns one instruction for each node, in order. The row of a
/// control-flow node must also translate the nodes of the branches. Fails with `refused_part` and the reason at the first node that no row
/// accepts.
template <class Table>
  requires requires(const program_view& part, const node& candidate) {
    { Table::translate(part, candidate) } -> std::same_as<translation<typename Table::instruction>>;
  }
constexpr auto translate_part(const program_view& part) -> result<vector<typename Table::instruction>> {
  vector<typename Table::instruction> instructions;
  const auto nodes = part.root().nodes;
  instructions.reserve(nodes.size);
  for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) {
    auto answer = Table::translate(part, part.nodes[n]);
    if (!answer.support) return locate(refuse_part(view(answer.support.reason)), part, node_id{n});
    instructions.push_back(std::move(answer.instruction));
  }
  return instructions;
}

}  // namespace baton
