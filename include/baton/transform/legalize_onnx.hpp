// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that replaces ONNX operators by operators that the kernels support.
#pragma once

#include <baton/core/program.hpp>
#include <baton/operators/shared/integer_list.hpp>
#include <baton/operators/shared/onnx_integers.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/legalization.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_rows.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/rewriter.hpp>

#include <cstdint>
#include <string_view>

namespace baton {

namespace detail {

/// The dialect of ONNX, for `legalization` (detail/legalization.hpp).
struct onnx_legalization {
  static constexpr std::string_view prefix = "onnx.";
  static constexpr auto is_member(std::string_view op) -> bool { return op.starts_with(prefix); }
  static constexpr auto find(std::uint64_t op) -> const legalization_row* { return onnx_rows_by_hash.find(op); }
  static constexpr void check(emission&, const program_view&, const node&) {}
  static constexpr auto sets_shape(emission& emitter, const node& record) -> bool {
    return record.is("onnx.Slice") && is_stack_of_loop(emitter);
  }
  /// Replaces a node by a constant if the node has one output, and if known shapes and constants determine the integers of this output. The
  /// emit functions can then read these integers. Nodes that compute graph outputs stay.
  static constexpr void prepare(rewriter& change, const program_view& program) {
    for (const auto id : change.nodes()) {
      const auto& record = program[id];
      if (record.outputs.size != 1) continue;
      const auto out = program.outputs_of(record)[0];
      if (bytes_of_integer(program[out].type) == 0 || change.is_output(out) || !is_member(program.text(record.target))) continue;
      const auto folded = onnx::folded_integers(change.program(), change[id]);
      if (folded.is_known) change.replace_by_constant(id, change.own(view(bytes_of(folded.elements, program[out].type))));
    }
  }
};

}  // namespace detail

/// A pass that replaces `onnx.*` operators by operators of the kernels: `tfl.*`, or `baton.*` if TensorFlow Lite has no such operator, for
/// example for some paddings and dilations. An image is stored with the channels last if the transposes of the program then move fewer
/// bytes. Weights and other constants are permuted accordingly. Graph inputs and outputs stay as in the file. Scales and zero points become
/// the quantization of values. Conversions between quantized and float32 values become `baton.quantize` and `tfl.dequantize`. A quantized
/// operator such as `onnx.QLinearConv` becomes a dequantization, a float32 operator and a quantization. The pass `fuse_quantization` can
/// then replace these three nodes by an integer operator. If several nodes replace one node, the main one (`emission::finish`) has the name
/// and the debug handle of the replaced node. A debug handle is a number that identifies a node of the model. Nodes of other dialects stay.
/// A program without ONNX operators is returned unchanged. Fails with `unsupported_operator` if nodes cannot be replaced. The reason lists
/// these nodes by operator and cause.
struct legalize_onnx : detail::legalization<detail::onnx_legalization> {
  static constexpr std::string_view name = "legalize_onnx";
};
static_assert(pass<legalize_onnx>);

}  // namespace baton
