// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Brings ONNX operators to the operators that the kernels compute.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>
#include <baton/core/shared/byte_recipe.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/operators/shared/onnx_integers.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/onnx_emission.hpp>
#include <baton/transform/detail/onnx_row.hpp>
#include <baton/transform/detail/onnx_rows.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/rewriter.hpp>
#include <baton/transform/shared/rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// A pass that replaces `onnx.*` operators by the float32 operators of the kernels: `tfl.*`, or `baton.*` for paddings that TensorFlow Lite
/// does not have. Images get the channels last where that moves the fewest bytes; weights and other constants are permuted. Graph inputs
/// and outputs stay as in the file. Scales and zero points become the quantization of values; `baton.quantize` and `tfl.dequantize` remain
/// between them. A quantized operator such as `onnx.QLinearConv` becomes a dequantization, a float32 operator and a quantization.
/// Other passes then replace these by integer operators.
/// The main new node has the name and the debug handle of the ONNX node. Nodes of other dialects stay. A program without ONNX operators is
/// returned unchanged.
/// Fails with `unsupported_operator` if nodes cannot be replaced. The reason lists all of them.
struct legalize_onnx {
  static constexpr std::string_view name = "legalize_onnx";

  /// True if a node of the program has an operator of the namespace `onnx`.
  static constexpr auto is_needed(const program_view& program) -> bool {
    for (const auto& record : program.nodes) {
      if (is_onnx(program, record)) return true;
    }
    return false;
  }

  static constexpr auto run(const program_view& program, computation when = computation::at_once) -> result<exported_program> {
    if (!is_needed(program)) return thaw(program);
    rewriter change(program);
    fold_integers(change, program);
    auto layouts = detail::choose_layout(program, manner_of);
    detail::onnx_emission emission(change, program, layouts.values, when);
    failure why;
    for (const auto id : change.nodes()) {
      if (change.is_erased(id)) continue;
      if (is_onnx(program, program[id])) {
        emission.begin(id);
        emit(program, id, emission);
        if (!emission.end()) refuse(why, program, id, view(emission.reason()));
      } else {
        emission.move_to(id);
        keep(program, id, change, emission);
      }
    }
    if (why) return why;
    change.erase_dead();
    return change.finish();
  }

 private:
  static constexpr auto is_onnx(const program_view& program, const node& record) -> bool {
    return program.text(record.target).starts_with("onnx.");
  }
  static constexpr auto manner_of(const detail::layout_query& node) -> detail::manner {
    const auto* const row = detail::onnx_rows_by_hash.find(node.record.op);
    if (row == nullptr) return detail::manner::fixed;
    return row->how.of_node == nullptr ? row->how.always : row->how.of_node(node);
  }
  /// Makes integers that follow from shapes and constants constants, so that rows can read them.
  static constexpr void fold_integers(rewriter& change, const program_view& program) {
    for (const auto id : change.nodes()) {
      if (!is_onnx(program, program[id]) || program[id].outputs.size != 1) continue;
      const auto out = program.outputs_of(program[id])[0];
      if (bytes_of_integer(program[out].type) == 0 || change.is_output(out)) continue;
      const auto folded = onnx::folded_integers(change.program(), change[id]);
      if (folded.is_known) change.replace_by_constant(id, change.own(view(bytes_of(folded.elements, program[out].type))));
    }
  }
  static constexpr void emit(const program_view& program, node_id id, detail::onnx_emission& to) {
    const auto* const row = detail::onnx_rows_by_hash.find(program[id].op);
    if (row == nullptr) return to.refuse("there is no rule for this operator");
    if (to.output_count() == 0) return to.refuse("the node has no output");
    for (std::size_t i = 0; i < row->min_operands; ++i) {
      if (!to.has(i)) return to.refuse("operand ", i, " is missing");
    }
    for (std::size_t i = 0; i < to.operand_count(); ++i) {
      if (to.has(i) && !has_sizes(to, to.operand(i))) return;
    }
    const bool is_stack = program[id].is("onnx.Slice") && detail::is_stack_of_loop(to);  // the row gives it a size
    for (const auto output : program.outputs_of(program[id])) {
      if (!is_stack && !has_sizes(to, output)) return;
    }
    for (std::size_t i = row->max_outputs; i < to.output_count(); ++i) {
      if (to.is_used(i)) return to.refuse("output ", i, " is used, which is not supported");
    }
    row->emit(to);
  }
  /// Refuses a node if one of its values has an unknown size, too many dimensions, or no elements. A constant may be empty.
  static constexpr auto has_sizes(detail::onnx_emission& to, value_id id) -> bool {
    const auto shape = to.program().shape(id);
    const auto count = shape.size() > tensor_type::max_rank ? -1 : element_count(shape);
    if (count > 0 || (count == 0 && to.is_data(id))) return true;
    to.refuse("value ", to.program().text(to.record(id).name),
              count == 0 ? " has no elements" : " has an unknown size or too many dimensions");
    return false;
  }
  /// Gives a node of another dialect its operands as in the file.
  static constexpr void keep(const program_view& program, node_id id, rewriter& change, detail::onnx_emission& emission) {
    for (std::uint32_t i = 0; i < program[id].inputs.size; ++i) {
      const auto operand = change.input(id, i);
      if (operand != none<value_id> && emission.is_last(operand)) change.set_input(id, i, emission.in(operand, false));
    }
  }
  /// Adds a refused node to a failure, which names the first one and lists the others.
  static constexpr void refuse(failure& why, const program_view& program, node_id id, std::string_view reason) {
    if (!why) {
      why = broken_at<"unsupported_operator">(program, id, reason);
      return;
    }
    append(append(append(why.reason, "; also "), program.text(program[id].target)), " ");
    append(append(append(why.reason, program.text(program[id].name)), ": "), reason);
  }
};
static_assert(pass<legalize_onnx>);

}  // namespace baton
