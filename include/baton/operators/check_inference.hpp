// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Whether the outputs of all nodes have the types that follow from their operands.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/locate.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/inference.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

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
  auto why = broken<rule::mismatched_inference>("output ", program.text(program[output].name), " is ");
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
constexpr auto check_inference(const program_view& program, operator_list own = {}) -> failure {
  vector<inferred_type> inferred;
  failure why;
  for (std::size_t n = 0; n < program.nodes.size(); ++n) {
    const auto& record = program.nodes[n];
    const auto& definition = find_definition(record.op, own);
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
