// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces operators of torch.export that create tensors from numbers, or that keep one triangle of a matrix.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_argument.hpp>
#include <baton/transform/detail/executorch_moves.hpp>
#include <baton/transform/detail/executorch_slicing.hpp>
#include <baton/transform/detail/layout.hpp>
#include <baton/transform/detail/legalization_row.hpp>

namespace baton::detail {

/// Replaces `aten.arange.*`. The arguments are start, end and step if `HasStep` is set, otherwise start and end if `HasStart` is set,
/// otherwise only end. If the output has integers, start and step are rounded toward 0.
template <bool HasStart, bool HasStep = false>
constexpr void emit_torch_range(emission& emitter) {
  if (HasStart && !HasStep) emitter.set_attributes({{"arg_2", 1}});  // argument 2 of the file is the dtype
  if (HasStart && emitter.output_type().type != dtype::float32)
    emitter.set_attributes({{"arg_0", whole_argument(emitter, "arg_0")}, {"arg_2", whole_argument(emitter, "arg_2", 1)}});
  emit_arange<HasStart>(emitter);
}

/// The rows (`legalization_row`) of operators that create tensors from numbers, or that keep one triangle of a matrix.
inline constexpr legalization_row torch_making[] = {
    {"aten.zeros.default", layout_rule::constant, emit_filled<0>, 0},
    {"aten.ones.default", layout_rule::constant, emit_filled<1>, 0},
    {"aten.full.default", layout_rule::constant, emit_full<1>, 0},
    {"aten.zeros_like.default", layout_rule::constant, emit_filled<0>, 0},
    {"aten.ones_like.default", layout_rule::constant, emit_filled<1>, 0},
    {"aten.full_like.default", layout_rule::constant, emit_full<1>, 0},
    {"aten.new_zeros.default", layout_rule::constant, emit_filled<0>, 0},
    {"aten.new_ones.default", layout_rule::constant, emit_filled<1>, 0},
    {"aten.new_full.default", layout_rule::constant, emit_full<2>, 0},
    {"aten.scalar_tensor.default", layout_rule::constant, emit_full<0>, 0},
    {"aten.arange.default", layout_rule::constant, emit_torch_range<false>, 0},
    {"aten.arange.start", layout_rule::constant, emit_torch_range<true>, 0},
    {"aten.arange.start_step", layout_rule::constant, emit_torch_range<true, true>, 0},
    {"aten.tril.default", layout_rule::fixed, emit_triangle<false>},
    {"aten.triu.default", layout_rule::fixed, emit_triangle<true>},
};

}  // namespace baton::detail
