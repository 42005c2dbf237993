// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Moves quantizations before reshapes and transposes, directly after the operators that compute the values.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/detail/quantized_moves.hpp>
#include <baton/transform/rewriter.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// A rewrite that moves a quantization before the reshapes and transposes that precede it. The outputs do not change, because each element
/// is quantized separately. After the move, an operator can be fused with the quantization, for example an average pool whose output is
/// flattened. The constructor's argument `is_fused` returns whether an operator can be fused with a quantization of its output. The
/// quantization stays in these cases:
/// - `is_fused` returns false for the operator before the reshapes and transposes.
/// - A value between this operator and the quantization has several uses, is a graph output, or is not float32.
/// - The nodes have different tags.
/// - The quantization does not have one scale.
class quantization_hoist {
 public:
  using predicate = auto (*)(std::uint64_t op) -> bool;

  constexpr quantization_hoist(const program_view& program, predicate is_fused) : source_(program), is_fused_(is_fused), change_(program) {}

  /// Returns the changed program.
  constexpr auto run() -> exported_program {
    for (const auto id : change_.nodes()) {
      if (!change_.is_erased(id) && is_quantize(change_[id])) hoist(id);
    }
    return change_.finish();
  }
  /// True if a quantization of the program follows a reshape or a transpose.
  static constexpr auto is_needed(const program_view& program) -> bool {
    vector<bool> is_moved(program.values.size(), false);
    for (const auto& record : program.nodes) {
      if (is_move(record)) is_moved[index(program.outputs_of(record)[0])] = true;
      if (is_quantize(record) && record.inputs.size != 0 && program.inputs(record)[0] != none<value_id> &&
          is_moved[index(program.inputs(record)[0])])
        return true;
    }
    return false;
  }

 private:
  static constexpr auto is_move(const node& record) -> bool {
    return record.outputs.size == 1 && record.inputs.size != 0 && (record.is("tfl.reshape") || record.is("tfl.transpose"));
  }

  constexpr void hoist(node_id id) {
    const auto record = change_[id];
    const auto out = change_.output(id);
    if (out == none<value_id> || change_[out].quant.channels != 1) return;
    vector<node_id> moves;  // the last one first
    auto from = change_.input(id, 0);
    while (from != none<value_id>) {
      const auto by = change_.producer_of(from);
      if (by == none<node_id> || change_.is_output(from) || change_.uses_of(from) != 1 || change_[from].type != dtype::float32) return;
      if (change_[by].tag != record.tag) return;
      if (!is_move(change_[by])) {
        if (is_fused_(change_[by].op)) break;
        return;
      }
      moves.push_back(by);
      from = change_.input(by, 0);
    }
    if (from == none<value_id> || moves.empty()) return;
    auto next = add_like(from, out);
    vector<node_id> copies;
    copies.push_back(copy(id, id, {&from, 1}, next));
    for (auto i = moves.size(); i-- > 0;) {
      vector<value_id> operands(1, next);
      for (std::uint32_t k = 1; k < change_[moves[i]].inputs.size; ++k) operands.push_back(change_.input(moves[i], k));
      next = i == 0 ? out : add_like(change_.output(moves[i]), out);
      copies.push_back(copy(id, moves[i], operands, next));
    }
    change_.erase(id, copies[0]);
    for (std::size_t i = 0; i < moves.size(); ++i) change_.erase(moves[i], copies[moves.size() - i]);
  }
  /// Adds a value with the shape of `shaped`, and the type and the quantization of `like`.
  constexpr auto add_like(value_id shaped, value_id like) -> value_id {
    const auto name = join(change_.program().text(change_[shaped].name), "_quantized");
    const auto id = change_.add_value(change_[shaped].graph, view(name), {change_[like].type, 0, {}});
    const auto shape = change_[shaped].shape;
    const auto quant = change_[like].quant;
    auto& record = change_.edit(id);
    record.shape = shape;
    record.quant = quant;
    return id;
  }
  /// Inserts a copy of the node `of` of the source program. The copy is inserted before the node `before`.
  constexpr auto copy(node_id before, node_id of, span<const value_id> inputs, value_id output) -> node_id {
    return change_.insert_before(before, {.name = source_.text(source_[of].name),
                                          .op = source_.text(source_[of].target),
                                          .inputs = inputs,
                                          .outputs = {&output, 1},
                                          .attributes_of = of,
                                          .handle_of = of,
                                          .tag_of = of});
  }

  program_view source_;
  predicate is_fused_;
  rewriter change_;
};

}  // namespace baton::detail
