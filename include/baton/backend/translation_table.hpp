// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// One table for what a backend supports and what it compiles: a row an operator, with the function that translates its nodes.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/add_reason.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/operators/shared/check_operator_name.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton {

/// What a backend makes of one node, or why it makes nothing of it. An instruction is any type of the backend's own that has a default.
template <class Instruction>
struct translation {
  verdict found{};
  Instruction made{};
};

namespace detail {

template <class>
struct translated {
  static constexpr bool is_one = false;
  using instruction = void;
};
template <class Instruction>
struct translated<translation<Instruction>> {
  static constexpr bool is_one = true;
  using instruction = Instruction;
};

template <class Function>
struct translated_by : translated<void> {};
template <class Function>
  requires std::invocable<const Function&, const program_view&, const node&>
struct translated_by<Function> : translated<std::invoke_result_t<const Function&, const program_view&, const node&>> {};

}  // namespace detail

/// A row of a `translation_table`: an operator, and the function that translates a node of it or refuses it with a reason.
/// `Translate` is a function, or a lambda that captures nothing: `(const program_view&, const node&) -> translation<Instruction>`.
/// Errors: `unknown_operator`, in the compiler.
template <fixed_string Operator, auto Translate>
  requires(require_operator_name<Operator>())
struct translates {
  static_assert(
      detail::translated_by<decltype(Translate)>::is_one,
      "baton not_a_translation: a row of a translation_table has no function that translates a node; write: constexpr auto f(const "
      "baton::program_view& program, const baton::node& node) -> baton::translation<my_instruction>");
  using instruction = typename detail::translated_by<decltype(Translate)>::instruction;

  static constexpr std::uint64_t op = hash_of(Operator);
  static constexpr auto translate(const program_view& program, const node& candidate) -> translation<instruction> {
    return Translate(program, candidate);
  }
};

/// An operator support that supports a node by translating it, and gives the translation to `preprocess` (`translate_part` does it for a
/// whole part): what is supported compiles, for it is the same function. An operator may have several rows, asked from first to last: the
/// first that accepts counts, and where none does, all their reasons stand side by side. An operator without a row is named.
/// Law: a row that accepts a node of a program accepts it within a part, where constants that the part does not own are user inputs
/// without data; so a row that needs their data belongs to a partitioner that tags them.
template <class First, class... Others>
struct translation_table {
  using instruction = typename First::instruction;
  static_assert((std::is_same_v<instruction, typename Others::instruction> && ...),
                "baton not_a_translation: the rows of a translation_table return different instruction types; return one type, for example "
                "a std::variant");

  static constexpr auto translate(const program_view& program, const node& candidate) -> translation<instruction> {
    translation<instruction> answer;
    if (try_row<First>(answer, program, candidate) || (try_row<Others>(answer, program, candidate) || ...)) return answer;
    if (answer.found.reason.empty()) answer.found = refuse("no translation of ", program.text(candidate.target));
    return answer;
  }
  static constexpr auto supports(const program_view& program, const node& candidate) -> verdict {
    return translate(program, candidate).found;
  }

 private:
  /// Whether a row accepts; the answer is then its own. The reason of one that refuses joins those before it.
  template <class Row>
  static constexpr auto try_row(translation<instruction>& answer, const program_view& program, const node& candidate) -> bool {
    if (candidate.op != Row::op) return false;
    auto made = Row::translate(program, candidate);
    if (made.found) {
      answer = std::move(made);
      return true;
    }
    const auto& reason = made.found.reason;
    add_reason(answer.found.reason, "", reason.empty() ? "refused without a reason" : view(reason));
    return false;
  }
};

/// What the rows of a `translation_table` make of a part's nodes, an instruction a node, in order; nodes within branches are for the row of
/// the node that has them. Errors: `refused_part`, at the first node that no row accepts, with the reason.
template <class Table>
  requires requires(const program_view& part, const node& candidate) {
    { Table::translate(part, candidate) } -> std::same_as<translation<typename Table::instruction>>;
  }
constexpr auto translate_part(const program_view& part) -> result<vector<typename Table::instruction>> {
  vector<typename Table::instruction> made;
  const auto run = part.root().nodes;
  made.reserve(run.size);
  for (auto n = run.first; n < run.first + run.size; ++n) {
    auto answer = Table::translate(part, part.nodes[n]);
    if (!answer.found) return locate(refuse_part(view(answer.found.reason)), part, node_id{n});
    made.push_back(std::move(answer.made));
  }
  return made;
}

}  // namespace baton
