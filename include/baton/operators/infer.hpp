// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The types of outputs, from operands and attributes: those of a node, and whether all nodes of a program state them so.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/shared/is_shape_like.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

namespace detail {

/// Writes the types of a node's outputs to a list that holds one an output, of which nothing is known.
constexpr void infer_into(const program_view& program, const node& record, const operator_definition& definition,
                          vector<inferred_type>& outputs, failure& why) {
  inference at(program, record, outputs, why);
  const auto missing = missing_operand(definition, program.inputs(record));
  if (missing == npos) return definition.infer(at);
  const auto last = definition.operands.size() - 1;
  at.misfit({"operand ", missing, ", ", definition.operands[missing < last ? missing : last].name, ", is missing"});
}

}  // namespace detail

/// The types of a node's outputs as far as they follow from its operands and attributes; sizes that do not are -1. Constant operands (the
/// shape of a reshape, paddings, axes) are read. Empty where nothing is known: the operator is not, or does not say what follows. Errors:
/// `malformed_operator`, if operands are missing or do not fit one another.
constexpr auto infer(const program_view& program, const node& record) -> result<vector<inferred_type>> {
  vector<inferred_type> types;
  const auto& definition = find_definition(program, record);
  if (definition.infer == nullptr) return types;
  types.resize(record.outputs.size, inferred_type{});
  failure why;
  detail::infer_into(program, record, definition, types, why);
  if (why) return why;
  return types;
}

namespace detail {

constexpr auto is_stated(const inferred_type& inferred, dtype type, span<const std::int64_t> shape) -> bool {
  if (inferred.has_type && inferred.type != type) return false;
  return !inferred.has_shape || is_shape_like(inferred.shape.view(), shape);
}

/// `int8 [1, 2, ?]`
constexpr void append_type(text_buffer& text, dtype type, span<const std::int64_t> shape) {
  append(append(text, facts(type).name), " [");
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i != 0) append(text, ", ");
    if (shape[i] < 0) append(text, "?");
    if (shape[i] >= 0) append(text, shape[i]);
  }
  append(text, "]");
}

constexpr auto mismatch(const program_view& program, value_id output, const inferred_type& inferred) -> failure {
  auto why = broken<"mismatched_inference">("output ", program.text(program[output].name), " is ");
  append_type(why.reason, program[output].type, program.shape(output));
  append(why.reason, " and should be ");
  append_type(why.reason, inferred.has_type ? inferred.type : program[output].type,
              inferred.has_shape ? inferred.shape.view() : program.shape(output));
  return why;
}

}  // namespace detail

/// Checks that the outputs of all nodes have the types that follow from their operands (`infer`), of a program that `verify` lets pass. A
/// size that is not known fits any, and so do outputs of operators without a rule. Gives the first node at which it is not so. Errors:
/// `mismatched_inference`; `malformed_operator`, if operands do not fit one another.
constexpr auto check_inference(const program_view& program) -> failure {
  vector<inferred_type> inferred;
  failure why;
  for (std::size_t n = 0; n < program.nodes.size(); ++n) {
    const auto& record = program.nodes[n];
    const auto& definition = find_definition(program, record);
    if (definition.infer == nullptr) continue;
    const auto outputs = program.outputs_of(record);
    inferred.assign(outputs.size(), inferred_type{});
    detail::infer_into(program, record, definition, inferred, why);
    for (std::size_t i = 0; i < outputs.size() && !why; ++i) {
      const auto& stated = program[outputs[i]];
      if (!detail::is_stated(inferred[i], stated.type, program.shape(outputs[i]))) why = detail::mismatch(program, outputs[i], inferred[i]);
    }
    if (why) return locate(std::move(why), program, static_cast<node_id>(n));
  }
  return {};
}

}  // namespace baton
