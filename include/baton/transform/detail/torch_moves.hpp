// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces operators of torch.export that change the shape or the order of elements, or that repeat elements. Comments list the arguments
// of an operator in parentheses after its name, in order.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_moves.hpp>
#include <baton/transform/detail/executorch_positions.hpp>
#include <baton/transform/detail/executorch_slicing.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_elementwise.hpp>
#include <baton/transform/detail/onnx_moves.hpp>
#include <baton/transform/detail/torch_argument.hpp>

namespace baton::detail {

/// Replaces `aten.dropout.default` (input, probability, whether to train) by the input. Refuses training (the pass then fails with
/// `unsupported_operator`).
constexpr void emit_torch_dropout(emission& emitter) {
  if (emitter.integer("arg_2") != 0) return emitter.refuse("training is not supported; export the model in evaluation mode");
  emitter.forward(emitter.in(0));
}
/// Replaces `aten.copy.default` (destination, source). The source is converted to the type, and broadcast to the shape, of the output.
constexpr void emit_torch_copy(emission& emitter) {
  emitter.set_operands({converted(emitter, "converted", emitter.operand_in_file_layout(1), emitter.output_type().type)});
  emit_expand(emitter);
}

/// Finishes the replacement with operand 0, padded with the number in the argument `key`.
constexpr void pad_with_number(emission& emitter, literal_name key) {
  emitter.set_operands({emitter.operand(0), none<value_id>, number_argument(emitter, key, emitter.output_type().type)});
  if (!emitter.is_refused()) finish_padded(emitter, "constant");
}
/// Replaces `aten.constant_pad_nd.default` (input, paddings, number).
constexpr void emit_torch_constant_pad(emission& emitter) { pad_with_number(emitter, "arg_2"); }
/// Replaces `aten.pad.default` (input, paddings, mode, number).
constexpr void emit_torch_pad(emission& emitter) {
  const auto mode = emitter.text("arg_2");
  if (mode == "reflect") return emit_reflection_pad(emitter);
  if (!mode.empty() && mode != "constant") return emitter.refuse("mode ", mode, " is not supported");
  pad_with_number(emitter, "arg_3");
}

/// The rows (`legalization_row`) of operators that change the shape or the order of elements, or that repeat elements.
inline constexpr legalization_row torch_moves[] = {
    {"aten.view.default", reshaping, emit_reshape},
    {"aten.view_copy.default", reshaping, emit_reshape},
    {"aten._unsafe_view.default", reshaping, emit_reshape},
    {"aten.reshape.default", reshaping, emit_reshape},
    {"aten.flatten.using_ints", reshaping, emit_reshape},
    {"aten.unflatten.int", reshaping, emit_reshape},
    {"aten.squeeze.default", reshaping, emit_reshape},
    {"aten.squeeze_copy.default", reshaping, emit_reshape},
    {"aten.squeeze.dim", reshaping, emit_reshape},
    {"aten.squeeze_copy.dim", reshaping, emit_reshape},
    {"aten.squeeze.dims", reshaping, emit_reshape},
    {"aten.squeeze_copy.dims", reshaping, emit_reshape},
    {"aten.unsqueeze.default", reshaping, emit_reshape},
    {"aten.unsqueeze_copy.default", reshaping, emit_reshape},
    {"aten.alias.default", forwarding, emit_identity},
    {"aten.alias_copy.default", forwarding, emit_identity},
    {"aten.detach.default", forwarding, emit_identity},
    {"aten.detach_copy.default", forwarding, emit_identity},
    {"aten.lift_fresh_copy.default", forwarding, emit_identity},
    {"aten.contiguous.default", forwarding, emit_identity},
    {"aten.clone.default", forwarding, emit_identity},
    {"aten.dropout.default", forwarding, emit_torch_dropout},
    {"aten.feature_dropout.default", forwarding, emit_torch_dropout},
    {"aten.copy.default", layout_rule::fixed, emit_torch_copy, 2},
    {"aten.permute.default", permuting, emit_permute},
    {"aten.permute_copy.default", permuting, emit_permute},
    {"aten.transpose.int", exchanging<false>, emit_exchange<false>},
    {"aten.transpose_copy.int", exchanging<false>, emit_exchange<false>},
    {"aten.swapaxes.default", exchanging<false>, emit_exchange<false>},
    {"aten.t.default", exchanging<true>, emit_exchange<true>},
    {"aten.t_copy.default", exchanging<true>, emit_exchange<true>},
    {"aten.expand.default", layout_rule::fixed, emit_expand},
    {"aten.expand_copy.default", layout_rule::fixed, emit_expand},
    {"aten.expand_as.default", layout_rule::fixed, emit_expand},
    {"aten.repeat.default", layout_rule::fixed, emit_repeat},
    {"aten.flip.default", layout_rule::fixed, emit_flip},
    {"aten.pad.default", along_axis, emit_torch_pad},
    {"aten.constant_pad_nd.default", along_axis, emit_torch_constant_pad},
    {"aten.roll.default", layout_rule::fixed, emit_roll},
    {"aten.replication_pad1d.default", layout_rule::fixed, emit_replication_pad},
    {"aten.replication_pad2d.default", layout_rule::fixed, emit_replication_pad},
    {"aten.reflection_pad1d.default", along_axis, emit_reflection_pad},
    {"aten.reflection_pad2d.default", along_axis, emit_reflection_pad},
};

}  // namespace baton::detail
