// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Type inference: the output types of a node, and a check of all nodes of a program.
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

/// Writes the inferred output types of the node `record` to `outputs`, and an error to `why`. `outputs` must have one empty entry per
/// output.
constexpr void infer_into(const program_view& program, const node& record, const operator_definition& definition,
                          vector<inferred_type>& outputs, failure& why) {
  inference at(program, record, outputs, why);
  const auto missing = missing_operand(definition, program.inputs(record));
  if (missing == npos) return definition.infer(at);
  const auto last = definition.operands.size() - 1;
  at.fail({"operand ", missing, ", ", definition.operands[missing < last ? missing : last].name, ", is missing"});
}

}  // namespace detail

/// Returns the types of a node's outputs as far as the node's operands and attributes determine them; unknown sizes are -1. Inference uses
/// the values of constant operands, such as the shape of a reshape, paddings and axes. Returns an empty list if the operator is unknown or
/// has no inference rule. Fails with `malformed_operator` if operands are missing, or if operands or attributes do not fit the operator.
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

/// True if `type` and `shape` agree with the known dtype and sizes in `inferred`.
constexpr auto agrees_with(const inferred_type& inferred, dtype type, span<const std::int64_t> shape) -> bool {
  if (inferred.has_type && inferred.type != type) return false;
  return !inferred.has_shape || is_shape_like(inferred.shape.view(), shape);
}

/// Appends a dtype and a shape, for example `int8 [1, 2, ?]`, with `?` for an unknown size.
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

/// Checks that the output types of all nodes agree with the inferred types (`infer`). The program must pass `verify`. An unknown size
/// agrees with any size. Outputs of operators without an inference rule are not checked. Stops at the first node that fails. Fails with
/// `malformed_operator` if operands are missing, or if operands or attributes do not fit the operator. Fails with `mismatched_inference` if
/// an output type differs.
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
      if (!detail::agrees_with(inferred[i], stated.type, program.shape(outputs[i])))
        why = detail::mismatch(program, outputs[i], inferred[i]);
    }
    if (why) return locate(std::move(why), program, static_cast<node_id>(n));
  }
  return {};
}

}  // namespace baton
