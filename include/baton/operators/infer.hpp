// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The types of a node's outputs, from its operands and attributes.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>

#include <cstddef>

namespace baton {

namespace detail {

/// Whether all operands that an operator needs are there.
constexpr auto has_operands(const operator_definition& definition, inference& at) -> bool {
  const auto named = definition.operands.size();
  const bool repeats = named != 0 && definition.operands[named - 1].use == operand_use::repeated;
  const auto count = repeats && at.operand_count() > named ? at.operand_count() : named;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& operand = definition.operands[i < named ? i : named - 1];
    if (operand.use == operand_use::optional || at.has(i)) continue;
    at.misfit({"operand ", i, ", ", operand.name, ", is missing"});
    return false;
  }
  return true;
}

/// Writes the types of a node's outputs to a list that holds one an output, of which nothing is known.
constexpr void infer_into(const program_view& program, const node& record, const operator_definition& definition,
                          vector<inferred_type>& outputs, failure& why) {
  inference at(program, record, outputs, why);
  if (has_operands(definition, at)) definition.infer(at);
}

}  // namespace detail

/// The types of the outputs of a node.
struct inferred_outputs {
  bool has_rule = false;  ///< whether the operator is known, and says what follows; if not, nothing is known of the types
  vector<inferred_type> types;
};

/// The types of a node's outputs as far as they follow from its operands and attributes; sizes that do not are -1. Constant operands (the
/// shape of a reshape, paddings, axes) are read. Errors: `malformed_operator`, if operands are missing or do not fit one another.
constexpr auto infer(const program_view& program, const node& record, operator_list own = {}) -> result<inferred_outputs> {
  inferred_outputs made;
  made.types.resize(record.outputs.size, inferred_type{});
  const auto& definition = find_definition(record.op, own);
  if (definition.infer == nullptr) return made;
  made.has_rule = true;
  failure why;
  detail::infer_into(program, record, definition, made.types, why);
  if (why) return why;
  return made;
}

}  // namespace baton
