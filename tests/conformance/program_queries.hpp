// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Queries on a lowered program: the data that a graph owns, the operands of a call, and the results of the program.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/operators/verify.hpp>

#include "reference/interpreter.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace conformance {

using baton::append;

/// Returns the number of inputs of a graph with one of these kinds.
template <class... Kinds>
constexpr auto count_of(const baton::program_view& program, baton::graph_id of, Kinds... kinds) -> std::size_t {
  std::size_t count = 0;
  for (const auto input : program.inputs(program[of])) count += ((program[input].kind == kinds) || ...) ? 1u : 0u;
  return count;
}

/// The numbers of owned values of a graph, with the terms of the specification.
struct stored_data {
  std::size_t values = 0;
  std::size_t buffers_and_constants = 0;
  std::size_t parameters = 0;

  constexpr auto operator==(const stored_data&) const -> bool = default;
};
constexpr auto data_of(const baton::program_view& program, baton::graph_id of = baton::graph_id{0}) -> stored_data {
  using enum baton::value_kind;
  const auto others = count_of(program, of, buffer, mutable_buffer, constant);
  const auto parameters = count_of(program, of, parameter);
  return {others + parameters, others, parameters};
}

constexpr auto mutations_of(const baton::program_view& program, baton::graph_id of = baton::graph_id{0}) -> std::size_t {
  const auto outputs = program.outputs_of(program[of]);
  return static_cast<std::size_t>(std::count_if(
      outputs.begin(), outputs.end(), [](const baton::output_spec& spec) { return spec.kind == baton::output_kind::buffer_mutation; }));
}

/// True if the values have these names, which are separated by spaces.
constexpr auto are_named(const baton::program_view& program, baton::span<const baton::value_id> ids, std::string_view names) -> bool {
  baton::text_buffer text;
  for (const auto id : ids) append(append(text, text.empty() ? "" : " "), program.text(program[id].name));
  return baton::view(text) == names;
}
constexpr auto inputs_are(const baton::program_view& program, baton::graph_id of, std::string_view names) -> bool {
  return are_named(program, program.inputs(program[of]), names);
}
constexpr auto operands_are(const baton::program_view& program, const baton::node& of, std::string_view names) -> bool {
  return are_named(program, program.inputs(of), names);
}

/// True if a graph has nodes of these operators in order. The names are separated by spaces.
constexpr auto operators_are(const baton::program_view& program, baton::graph_id of, std::string_view names) -> bool {
  baton::text_buffer text;
  for (const auto& record : program.nodes_of(program[of])) append(append(text, text.empty() ? "" : " "), program.text(record.target));
  return baton::view(text) == names;
}

/// True if a lowered program is valid, and computes the same results and buffers as the original program.
constexpr auto means_the_same(const baton::program_view& program, const baton::program_view& lowered) -> bool {
  const auto inputs = reference::some_inputs(program);
  return !baton::verify(lowered) && reference::evaluate(program, inputs) == reference::evaluate(lowered, inputs);
}

}  // namespace conformance
