// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What is known of an operator, found by its name's number, and how much a node of it computes.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/operators/detail/branching.hpp>
#include <baton/operators/detail/complex_numbers.hpp>
#include <baton/operators/detail/convolution.hpp>
#include <baton/operators/detail/joining.hpp>
#include <baton/operators/detail/making.hpp>
#include <baton/operators/detail/moving.hpp>
#include <baton/operators/detail/pairwise.hpp>
#include <baton/operators/detail/pooling.hpp>
#include <baton/operators/detail/product.hpp>
#include <baton/operators/detail/recurrent.hpp>
#include <baton/operators/detail/reduction.hpp>
#include <baton/operators/detail/reshaping.hpp>
#include <baton/operators/detail/signal.hpp>
#include <baton/operators/detail/slicing.hpp>
#include <baton/operators/detail/stateful.hpp>
#include <baton/operators/detail/unary.hpp>
#include <baton/operators/operator_definition.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton {

/// The operators that the library knows, a list a family.
inline constexpr operator_list known_operators[] = {
    definitions::branching, definitions::complex_numbers, definitions::convolution, definitions::joining,
    definitions::making,    definitions::moving,          definitions::pairwise,    definitions::pooling,
    definitions::product,   definitions::recurrent,       definitions::reduction,   definitions::reshaping,
    definitions::signal,    definitions::slicing,         definitions::stateful,    definitions::unary,
};

namespace detail {

/// A table by hash with open addresses (D. E. Knuth, The Art of Computer Programming 3, 6.4, algorithm L): cheaper in a constant than to
/// sort and to search in halves, both to make and to ask.
class definition_table {
 public:
  consteval definition_table() {
    for (const auto list : known_operators) {
      for (const auto& definition : list) add(definition);
    }
  }
  constexpr auto find(std::uint64_t op) const -> const operator_definition* {
    for (auto at = op;; ++at) {
      const auto* const found = slots_[at % size];
      if (found == nullptr || found->name.hash == op) return found;
    }
  }

 private:
  static constexpr std::size_t size = 512;  // a power of two, more than twice the operators

  consteval void add(const operator_definition& definition) {
    auto at = definition.name.hash;
    while (slots_[at % size] != nullptr) ++at;
    slots_[at % size] = &definition;
  }

  std::array<const operator_definition*, size> slots_{};
};
inline constexpr definition_table definitions_by_hash{};

/// What is known of an operator that nobody has defined: nothing.
inline constexpr operator_definition undefined_operator{.name = ""};

}  // namespace detail

/// Returns the definition of the operator whose name has this hash, from `own` if it is there; an empty one if nobody has defined it.
constexpr auto find_definition(std::uint64_t op, operator_list own = {}) -> const operator_definition& {
  for (const auto& definition : own) {
    if (definition.name.hash == op) return definition;
  }
  const auto* const found = detail::definitions_by_hash.find(op);
  return found == nullptr ? detail::undefined_operator : *found;
}

/// Returns the definition of a node's operator. The program's own definitions (`program.operators`) come first.
constexpr auto find_definition(const program_view& program, const node& record) -> const operator_definition& {
  return find_definition(record.op, program.operators);
}

namespace detail {

/// The position of the first operand that an operator needs and a node has not, npos if it has all.
constexpr auto missing_operand(const operator_definition& definition, span<const value_id> inputs) -> std::size_t {
  const auto named = definition.operands.size();
  const bool repeats = named != 0 && definition.operands[named - 1].use == operand_definition::presence::repeated;
  const auto count = repeats && inputs.size() > named ? inputs.size() : named;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_needed = definition.operands[i < named ? i : named - 1].use != operand_definition::presence::optional;
    if (is_needed && (i >= inputs.size() || inputs[i] == none<value_id>)) return i;
  }
  return npos;
}

}  // namespace detail

/// The multiply-adds of one run of a node, 0 for operators that do none or are not known, and where an operand or a size is missing. Where
/// a window hangs over the border of its input, all of it counts.
constexpr auto multiply_adds(const program_view& program, const node& record) -> std::uint64_t {
  const auto& definition = find_definition(program, record);
  if (definition.multiply_adds == nullptr || record.outputs.size == 0) return 0;
  return detail::missing_operand(definition, program.inputs(record)) == npos ? definition.multiply_adds(program, record) : 0;
}

}  // namespace baton
