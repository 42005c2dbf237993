// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ExecuTorch's operators that move elements.
#pragma once

#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_order.hpp>
#include <baton/transform/detail/legalization_row.hpp>

#include <cstddef>

namespace baton::detail {

/// `dim_order_ops._clone_dim_order.out`: a copy of the input in the order of the output.
constexpr void emit_clone(emission& to) {
  const auto want = order_of_output(to);
  const auto from = order_of_operand(to, 0);
  if (to.is_refused()) return;
  if (from.rank != want.rank) return to.refuse("input and output have different numbers of dimensions");
  const auto by = reordering(to.stored_type(to.operand(0)), from, want);
  if (!by.moves()) return to.finish_reshape(to.operand(0));
  const auto order = numbers_of(by);
  to.copy_quantization(to.operand(0), to.output());
  to.finish("tfl.transpose", {to.operand(0), to.integer_constant("order", {order.data(), want.rank})});
}

/// `aten.view_copy.out`: the bytes of the input with the shape of the output.
constexpr void emit_view(emission& to) { to.finish_reshape(to.operand(0)); }

/// Operators that move elements.
inline constexpr legalization_row executorch_moves[] = {
    {"dim_order_ops._clone_dim_order.out", manner::fixed, emit_clone},
    {"aten.view_copy.out", manner::fixed, emit_view},
};

}  // namespace baton::detail
