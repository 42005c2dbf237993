// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lookup of operator definitions by the hash of the operator's name, and the number of multiply-adds of a node.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/operators/detail/branching.hpp>
#include <baton/operators/detail/complex_numbers.hpp>
#include <baton/operators/detail/convolution.hpp>
#include <baton/operators/detail/creation.hpp>
#include <baton/operators/detail/joining.hpp>
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
#include <baton/operators/operator_dialect.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// The operators that the library defines, one list per family.
inline constexpr operator_list known_operators[] = {
    definitions::branching, definitions::complex_numbers, definitions::convolution, definitions::joining,
    definitions::creation,  definitions::moving,          definitions::pairwise,    definitions::pooling,
    definitions::product,   definitions::recurrent,       definitions::reduction,   definitions::reshaping,
    definitions::signal,    definitions::slicing,         definitions::stateful,    definitions::unary,
};

namespace detail {

/// The definitions in `known_operators`.
inline constexpr auto library_dialect = operator_dialect::of<known_operators>();

/// The definition that `find_definition` returns for an unknown operator. It states no facts.
inline constexpr operator_definition undefined_operator{.name = ""};

}  // namespace detail

/// Returns the definition of the operator whose name has the hash `op`, or an empty definition if the operator is unknown. The definitions
/// in `custom` are searched first, then `dialect` if it is not null, then the definitions of the library.
constexpr auto find_definition(std::uint64_t op, operator_list custom = {}, const operator_dialect* dialect = nullptr)
    -> const operator_definition& {
  for (const auto& definition : custom) {
    if (definition.name.hash == op) return definition;
  }
  if (dialect != nullptr) {
    if (const auto* const known = dialect->find(op)) return *known;
  }
  const auto* const known = detail::library_dialect.find(op);
  return known == nullptr ? detail::undefined_operator : *known;
}

/// Returns the definition of a node's operator. The program's custom definitions (`program.operators`) are searched first, then the
/// program's dialect (`program.dialect`), then the definitions of the library.
constexpr auto find_definition(const program_view& program, const node& record) -> const operator_definition& {
  return find_definition(record.op, program.operators, program.dialect);
}

namespace detail {

/// Returns the position of the first required operand that is missing from `inputs`, or `npos` if none is missing.
constexpr auto missing_operand(const operator_definition& definition, span<const value_id> inputs) -> std::size_t {
  const auto defined = definition.operands.size();
  const bool has_repeated = defined != 0 && definition.operands[defined - 1].use == operand_definition::presence::repeated;
  const auto count = has_repeated && inputs.size() > defined ? inputs.size() : defined;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_required = definition.operands[i < defined ? i : defined - 1].use != operand_definition::presence::optional;
    if (is_required && (i >= inputs.size() || inputs[i] == none<value_id>)) return i;
  }
  return npos;
}

}  // namespace detail

/// Returns the multiply-adds of one execution of a node. Returns 0 if the operator performs none or is unknown, if a required operand is
/// missing, or if a size is unknown. Multiplications by the padding are also counted.
constexpr auto multiply_adds(const program_view& program, const node& record) -> std::uint64_t {
  const auto& definition = find_definition(program, record);
  if (definition.multiply_adds == nullptr || record.outputs.size == 0) return 0;
  return detail::missing_operand(definition, program.inputs(record)) == npos ? definition.multiply_adds(program, record) : 0;
}

}  // namespace baton
