// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces all nodes of a file format by operators of the kernels, as the rows (`legalization_row`) of a table describe.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/byte_recipe.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/refused_nodes.hpp>
#include <baton/transform/rewriter.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// The base class of the legalization passes. Each of these passes replaces the nodes of one dialect, which consists of the operators of
/// one file format. `Dialect` has static members:
/// - `is_member(op)`: true if the operator with the name `op` belongs to the dialect;
/// - `find(hash)`: the `legalization_row` of the operator whose name has the hash `hash`, or null;
/// - `prepare(change, program)`: changes nodes before the layouts are chosen;
/// - `check(emitter, program, record)`: refuses a node that the dialect does not support;
/// - `sets_shape(emitter, record)`: true if the emit function of the node sets the shape of the output, so that the file need not state the
///   shape.
/// Nodes of other dialects are not replaced.
template <class Dialect>
class legalization {
 public:
  /// True if a node of the program belongs to the dialect.
  static constexpr auto is_needed(const program_view& program) -> bool {
    for (const auto& record : program.nodes) {
      if (Dialect::is_member(program.text(record.target))) return true;
    }
    return false;
  }

  /// Returns the program without nodes of the dialect. Fails with `unsupported_operator` if nodes cannot be replaced. The reason lists
  /// these nodes by operator and cause, with the number of nodes. `when` says whether the bytes of permuted constants are computed
  /// immediately or deferred.
  static constexpr auto run(const program_view& program, byte_recipe::timing when = byte_recipe::timing::at_once)
      -> result<exported_program> {
    if (!is_needed(program)) return thaw(program);
    rewriter change(program);
    Dialect::prepare(change, program);
    auto layouts = choose_layout(program, rule_of);
    emission emitter(change, program, layouts.values, when);
    refused_nodes refused(program);
    for (const auto id : change.nodes()) {
      if (change.is_erased(id)) continue;
      if (is_member(program, program[id])) {
        emitter.begin(id);
        emit(program, id, emitter);
        if (!emitter.end()) refused.add(id, view(emitter.reason()));
      } else {
        emitter.move_to(id);
        keep(program, id, change, emitter);
      }
    }
    if (!refused.empty()) return refused.why();
    change.erase_dead();
    return change.finish();
  }

 private:
  /// The same as `Dialect::is_member`, but takes fewer evaluation steps for an operator with a `legalization_row`.
  static constexpr auto is_member(const program_view& program, const node& record) -> bool {
    return Dialect::find(record.op) != nullptr || Dialect::is_member(program.text(record.target));
  }
  static constexpr auto rule_of(const layout_query& node) -> layout_rule {
    const auto* const row = Dialect::find(node.record.op);
    if (row == nullptr) return layout_rule::fixed;
    return row->how.of_node == nullptr ? row->how.always : row->how.of_node(node);
  }
  static constexpr void emit(const program_view& program, node_id id, emission& emitter) {
    const auto& record = program[id];
    const auto* const row = Dialect::find(record.op);
    if (row == nullptr) return emitter.refuse("no legalization of this operator exists");
    if (emitter.output_count() == 0) return emitter.refuse("the node has no output");
    Dialect::check(emitter, program, record);
    for (std::size_t i = 0; i < row->min_operands; ++i) {
      if (!emitter.has(i)) return emitter.refuse("operand ", i, " is missing");
    }
    for (std::size_t i = 0; i < emitter.operand_count(); ++i) {
      const auto operand = emitter.operand(i);
      if (operand != none<value_id> && !has_sizes(emitter, operand)) return;
    }
    const bool has_shape = !Dialect::sets_shape(emitter, record);
    const auto outputs = program.outputs_of(record);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const bool is_computed = i < row->max_outputs;
      if (!is_computed && emitter.is_used(i)) return emitter.refuse("output ", i, " is used, which is not supported");
      if (is_computed && has_shape && !has_sizes(emitter, outputs[i])) return;
    }
    emitter.limit_outputs(row->max_outputs);
    if (!emitter.is_refused()) row->emit(emitter);
  }
  /// True if all sizes of value `id` are known and not 0, and the value has at most `tensor_type::max_rank` dimensions. A constant may have
  /// no elements. Refuses the node if one of these conditions is not met.
  static constexpr auto has_sizes(emission& emitter, value_id id) -> bool {
    const auto shape = emitter.program().shape(id);
    const auto count = shape.size() > tensor_type::max_rank ? -1 : element_count(shape);
    if (count > 0 || (count == 0 && emitter.is_data(id))) return true;
    emitter.refuse("value ", emitter.program().text(emitter.record(id).name),
                   count == 0 ? " has no elements" : " has an unknown size or too many dimensions");
    return false;
  }
  /// Converts the operands of a node of another dialect to the layout of the file.
  static constexpr void keep(const program_view& program, node_id id, rewriter& change, emission& emitter) {
    for (std::uint32_t i = 0; i < program[id].inputs.size; ++i) {
      const auto operand = change.input(id, i);
      if (operand != none<value_id> && emitter.is_channels_last(operand)) change.set_input(id, i, emitter.in_file_layout(operand));
    }
  }
};

}  // namespace baton::detail
