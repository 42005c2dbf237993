// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces the calls of decoded delegates by the original graphs of these delegates. The original graph of a delegate is the graph that a
// backend's `preprocess` compiled. The importer has decoded it from the processed bytes, the result of `preprocess`.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/copy.hpp>
#include <baton/transform/detail/same_type.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/shared/rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// True if a node calls a delegate whose original graph the importer decoded from the processed bytes.
constexpr auto is_decoded_call(const program_view& program, const node& record) -> bool {
  return record.delegate != none<delegate_id> && program.integer(record, "decoded") != 0;
}

/// A copy of a program in which the original graphs of decoded delegates replace the calls of these delegates. The copy has no tags
/// (`program_copier`).
class decoded_inlining {
 public:
  constexpr explicit decoded_inlining(const program_view& source) : source_(source), copier_(source, to_) {}

  constexpr auto run() -> result<exported_program> {
    to_.draft().graphs[0].name = copier_.copy(source_.root().name);
    copier_.copy_into(graph_id{0}, [this](node_id id) { copy_node(id); });
    if (why_) return why_;
    return to_.finish();
  }

 private:
  constexpr void copy_node(node_id id) {
    if (is_decoded_call(source_, source_[id])) return copy_original(id);
    copier_.copy_node(id, [this](graph_id inner) { return copier_.copy_graph(inner, [this](node_id each) { copy_node(each); }); });
  }

  /// Copies the nodes of the delegate's original graph in place of the node `call`. A value that replaces an output of the call gets the
  /// name of this output, if a copied node computes the value. The debug handles of the call become folded handles of the last copied node,
  /// as if the call had been merged into this node. A debug handle is a number that identifies a node of the model.
  constexpr void copy_original(node_id call) {
    const auto& record = source_[call];
    const auto& original = source_[source_[record.delegate].original];
    const auto operands = source_.inputs(record);
    std::size_t at = 0;
    for (const auto input : source_.inputs(original)) {
      if (is_owned_data(source_[input].kind)) {
        copier_.copy_input(input);
      } else {
        bind(call, input, copier_.copy_of(operands[at++]));
      }
    }
    const auto first = to_.draft().nodes.size();
    for (auto n = original.nodes.first; n < original.nodes.first + original.nodes.size; ++n) copy_node(static_cast<node_id>(n));
    const auto results = source_.outputs_of(original);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const auto outer = source_.outputs_of(record)[i], inner = copier_.copy_of(results[i].value);
      if (source_[results[i].value].kind == value_kind::intermediate) to_.at(inner).name = copier_.copy(source_[outer].name);
      copier_.replace(outer, inner);
    }
    if (first < to_.draft().nodes.size()) fold_handles(record, to_.draft().nodes.back());
  }
  /// Maps `input`, an input of the original graph, to `operand` of the node `call`. If `input` is quantized, an operand without
  /// quantization receives the quantization of `input`. An operand with a different quantization is then an error.
  constexpr void bind(node_id call, value_id input, value_id operand) {
    const auto& quant = source_[input].quant;
    auto& record = to_.at(operand);
    if (quant.channels != 0 && record.quant.channels == 0) {
      const auto scales = copier_.copy(quant.scales), zero_points = copier_.copy(quant.zero_points);
      to_.at(operand).quant = {scales, zero_points, quant.channels, quant.axis};
    } else if (quant.channels != 0 && !is_same_quantization(source_, quant, to_.draft(), record.quant)) {
      if (!why_) why_ = broken_at<"unsupported_operator">(source_, call, "two parts read an operand with different quantizations");
    }
    copier_.replace(input, operand);
  }
  constexpr void fold_handles(const node& call, node& into) {
    vector<std::int64_t> handles;
    handles.push_back(call.debug_handle);
    for (const auto handle : source_.folded_handles(call)) handles.push_back(handle);
    for (const auto handle : to_.draft().integer_list(into.folded_handles)) handles.push_back(handle);
    std::sort(handles.begin(), handles.end());
    const auto list = to_.integers(handles);
    into.folded_handles = list;
  }

  program_view source_;
  program_builder to_;
  program_copier copier_;
  failure why_;
};

/// A pass that replaces the calls of delegates whose original graphs an importer decoded. This pass is part of `legalize`.
struct inline_decoded {
  static constexpr std::string_view name = "inline_decoded";

  static constexpr auto is_needed(const program_view& program) -> bool {
    for (const auto& record : program.nodes) {
      if (is_decoded_call(program, record)) return true;
    }
    return false;
  }
  static constexpr auto run(const program_view& program) -> result<exported_program> {
    if (!is_needed(program)) return thaw(program);
    return decoded_inlining(program).run();
  }
};
static_assert(pass<inline_decoded>);

}  // namespace baton::detail
