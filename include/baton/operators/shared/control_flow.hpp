// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Control-flow operators: the roles of their operands, and a check of their subgraphs.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/is_shape_like.hpp>
#include <baton/core/span.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/operator_definition.hpp>
#include <baton/operators/shared/rules.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace baton {

/// Returns the control flow of a node, as defined by the program's dialect or by Baton. Custom definitions are ignored. So the result is
/// `none` for an operator that only a custom definition defines, even if the node has subgraphs and a backend supports it.
constexpr auto control_flow_of(const program_view& program, const node& record) -> control_flow {
  return find_definition(record.op, {}, program.dialect).flow;
}

/// The numbers of carried and of stacked operands of a control-flow node.
struct loop_counts {
  std::size_t carried = 0;  ///< operands and outputs that each iteration passes to the next
  std::size_t stacked = 0;  ///< operands that are stacks: iteration i receives the slice [i, ...] of a stack
};
/// Returns the counts of a loop, a `map` or a `scan`. For any other node, both counts are 0.
constexpr auto loop_counts_of(const program_view& program, const node& record) -> loop_counts {
  const auto count = [&](literal_name key) { return static_cast<std::size_t>(std::max<std::int64_t>(0, program.integer(record, key))); };
  switch (control_flow_of(program, record)) {
    case control_flow::while_loop:
      return {record.outputs.size, 0};
    case control_flow::map:
      return {0, count("mapped")};
    case control_flow::scan:
      return {count("carried"), count("scanned")};
    default:
      return {};
  }
}

namespace detail {

/// True if `outer` and `inner` have the same dtype and compatible shapes; an unknown size is compatible with any size. If `is_slice`,
/// `inner` must have the shape of one slice of `outer` along dimension 0.
constexpr auto has_type_of(const program_view& program, value_id outer, value_id inner, bool is_slice) -> bool {
  if (outer == none<value_id>) return false;
  auto shape = program.shape(outer);
  if (is_slice && shape.empty()) return false;
  if (is_slice) shape = shape.subspan(1);
  return program[outer].type == program[inner].type && is_shape_like(shape, program.shape(inner));
}

/// A check of one control-flow node.
class control_flow_check {
 public:
  constexpr control_flow_check(const program_view& program, const node& record) : program_(program), record_(record) {}

  constexpr auto run() const -> failure {
    const auto kind = control_flow_of(program_, record_);
    if (kind == control_flow::none) return {};
    const std::size_t needed = kind == control_flow::cond || kind == control_flow::while_loop ? 2 : 1;
    const auto graphs = program_.subgraphs_of(record_);
    if (graphs.size() != needed) return broken<"malformed_operator">("it needs ", needed, " subgraphs and has ", graphs.size());
    if (kind == control_flow::cond) return check_cond(graphs);
    if (kind == control_flow::while_loop) return check_while(graphs);
    return check_stacked(graphs[0]);
  }

 private:
  constexpr auto operands() const -> span<const value_id> { return program_.inputs(record_); }
  constexpr auto results() const -> span<const value_id> { return program_.outputs_of(record_); }

  /// True if the user inputs of graph `id` match `arguments` in number and type. The input for a stacked argument must have the type of one
  /// slice of the argument.
  constexpr auto has_inputs(graph_id id, span<const value_id> arguments, loop_counts counts = {}) const -> bool {
    std::size_t position = 0;
    for (const auto input : program_.inputs(program_[id])) {
      if (program_[input].kind != value_kind::user_input) continue;
      const bool is_slice = position >= counts.carried && position < counts.carried + counts.stacked;
      if (position == arguments.size() || !has_type_of(program_, arguments[position], input, is_slice)) return false;
      ++position;
    }
    return position == arguments.size();
  }
  /// True if the user outputs of graph `id` match `expected` in number and type. If `is_stacked`, each output from position `carried` on
  /// must have the type of one slice of the expected value.
  constexpr auto has_outputs(graph_id id, span<const value_id> expected, std::size_t carried, bool is_stacked) const -> bool {
    std::size_t position = 0;
    for (const auto& spec : program_.outputs_of(program_[id])) {
      if (spec.kind != output_kind::user_output) continue;
      if (position == expected.size() || !has_type_of(program_, expected[position], spec.value, is_stacked && position >= carried))
        return false;
      ++position;
    }
    return position == expected.size();
  }
  constexpr auto is_scalar(value_id id) const -> bool { return id != none<value_id> && element_count(program_.shape(id)) == 1; }
  constexpr auto fail(graph_id id, std::string_view problem) const -> failure {
    return broken<"malformed_operator">("subgraph ", program_.text(program_[id].name), problem);
  }

  constexpr auto check_cond(span<const graph_id> graphs) const -> failure {
    if (operands().empty() || !is_scalar(operands()[0])) return broken<"malformed_operator">("the predicate is not a scalar");
    for (const auto id : graphs) {
      if (!has_inputs(id, operands().subspan(1))) return fail(id, " has inputs that do not match the operands");
      if (!has_outputs(id, results(), 0, false)) return fail(id, " has outputs that do not match those of the node");
    }
    return {};
  }
  constexpr auto check_while(span<const graph_id> graphs) const -> failure {
    if (operands().size() < results().size()) return broken<"malformed_operator">("every output needs a carried operand");
    for (const auto id : graphs) {
      if (!has_inputs(id, operands())) return fail(id, " has inputs that do not match the operands");
    }
    const auto condition = program_.outputs_of(program_[graphs[0]]);
    const bool is_condition = condition.size() == 1 && condition[0].kind == output_kind::user_output && is_scalar(condition[0].value);
    if (!is_condition) return fail(graphs[0], " must return one scalar");
    if (!has_outputs(graphs[1], results(), 0, false)) return fail(graphs[1], " has outputs that do not match those of the node");
    for (std::size_t i = 0; i < results().size(); ++i) {
      if (!has_type_of(program_, operands()[i], results()[i], false)) return fail(graphs[1], " changes the type of a carried value");
    }
    return {};
  }
  constexpr auto check_stacked(graph_id body) const -> failure {
    const auto counts = loop_counts_of(program_, record_);
    const std::string_view stacked_key = control_flow_of(program_, record_) == control_flow::map ? "mapped" : "scanned";
    if (counts.stacked == 0)
      return broken<"malformed_operator">("attribute ", stacked_key, ", the number of stacked operands, is missing or less than 1");
    if (counts.stacked > operands().size() || counts.carried > operands().size() - counts.stacked) {
      return broken<"malformed_operator">("its attributes require ", counts.carried, " carried and ", counts.stacked,
                                          " stacked operands, but it has ", operands().size(), " operands");
    }
    if (counts.carried > results().size()) {
      return broken<"malformed_operator">("attribute carried, the number of carried operands, is ", counts.carried, ", but it has ",
                                          results().size(), " outputs");
    }
    if (!has_inputs(body, operands(), counts))
      return fail(body, " has inputs that do not match the carried values, the slices and the other operands");
    if (!has_outputs(body, results(), counts.carried, true))
      return fail(body, " has outputs that do not match the carried values and the slices");
    std::int64_t steps = -1;  // the first known size in dimension 0 of a stack
    const auto has_steps = [&](value_id stack) {
      const auto size = program_.shape(stack)[0];
      if (steps < 0) steps = size;
      return size < 0 || size == steps;
    };
    for (std::size_t i = counts.carried; i < counts.carried + counts.stacked; ++i) {
      if (!has_steps(operands()[i])) return broken<"malformed_operator">("the sizes of the stacked operands differ in dimension 0");
    }
    for (std::size_t i = counts.carried; i < results().size(); ++i) {
      if (!has_steps(results()[i]))
        return broken<"malformed_operator">("the sizes of the stacked outputs and operands differ in dimension 0");
    }
    return {};
  }

  program_view program_;
  const node& record_;
};

}  // namespace detail

/// Checks that the operands, outputs and attributes of a control-flow node match the inputs and outputs of its subgraphs. Fails with
/// `malformed_operator` if they do not match.
constexpr auto check_control_flow(const program_view& program, const node& record) -> failure {
  return detail::control_flow_check(program, record).run();
}

}  // namespace baton
