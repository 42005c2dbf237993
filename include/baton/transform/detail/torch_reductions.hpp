// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces reductions of torch.export, and searches along one dimension. Comments list the arguments of an operator in parentheses after
// its name, in order.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/executorch_layers.hpp>
#include <baton/transform/detail/executorch_positions.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_reductions.hpp>
#include <baton/transform/detail/torch_argument.hpp>

#include <cstdint>
#include <string_view>

namespace baton::detail {

/// True if every sum of `count` numbers of the type `type` fits int32. If `is_product` is set, true if every product of these numbers fits
/// int32. Returns false for types other than boolean, uint8, int8 and int16.
constexpr auto fits_int32(dtype type, std::int64_t count, bool is_product) -> bool {
  constexpr std::int64_t max_number = 0x7fffffff;
  if (type == dtype::boolean) return is_product || count <= max_number;
  const std::int64_t largest = type == dtype::uint8 ? 255 : type == dtype::int8 ? 128 : type == dtype::int16 ? 32768 : 0;
  if (largest == 0) return false;
  if (!is_product) return count <= max_number / largest;
  std::int64_t product = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    product *= largest;
    if (product > max_number) return false;
  }
  return true;
}
/// Converts operand 0 to the type of the output, and reduces the converted operand along the dimensions `axes`. An empty list means all
/// dimensions. PyTorch computes sums and products of integers of less than 64 bits in int64. Baton computes these sums and products in
/// int32, and converts the result to int64. Refuses the node (the pass then fails with `unsupported_operator`) if int32 could overflow.
constexpr void reduce_converted(emission& emitter, std::string_view op, span<const std::int64_t> axes, bool keeps) {
  auto type = emitter.output_type();
  const auto in = emitter.stored_type(emitter.operand(0));
  const bool is_narrow = type.type == dtype::int64 && in.type != dtype::int64;
  if (is_narrow) {
    const auto count = element_count(in.shape()) / element_count(type.shape());
    if (!fits_int32(in.type, count, op == "tfl.reduce_prod"))
      return emitter.refuse("a reduction of ", count, " ", facts(in.type).name, " elements can overflow int32; convert them to float32");
    type.type = dtype::int32;
  }
  emitter.set_operands({converted(emitter, "converted", emitter.operand(0), type.type)});
  emitter.set_attributes({{"axes", axes}, {"keepdims", keeps}});
  if (is_narrow) emitter.begin_inner("narrow", type, emitter.layout(emitter.output()));
  finish_reduction(emitter, op, reduction_function::plain, "");
  if (is_narrow) emitter.end_inner("cast", "tfl.cast");
}
/// Replaces `aten.sum.dim_IntList` and similar operators (input, dimensions, whether the dimensions are kept, type).
template <fixed_string Op>
constexpr void emit_torch_reduction(emission& emitter) {
  reduce_converted(emitter, Op, emitter.list("arg_1"), emitter.integer("arg_2") != 0);
}
/// Replaces `aten.sum.default` and similar operators, which reduce all elements to one.
template <fixed_string Op>
constexpr void emit_torch_total(emission& emitter) {
  reduce_converted(emitter, Op, {}, false);
}
/// Replaces `aten.any.dim` and similar operators (input, one dimension, whether the dimension is kept).
template <fixed_string Op>
constexpr void emit_torch_reduction_of_one(emission& emitter) {
  const std::int64_t axes[] = {emitter.integer("arg_1")};
  reduce_converted(emitter, Op, axes, emitter.integer("arg_2") != 0);
}

/// The rows (`legalization_row`) of reductions, and of searches along one dimension.
inline constexpr legalization_row torch_reductions[] = {
    {"aten.sum.default", reducing_aten_layout_rule, emit_torch_total<"tfl.sum">},
    {"aten.sum.dim_IntList", reducing_aten_layout_rule, emit_torch_reduction<"tfl.sum">},
    {"aten.mean.default", reducing_aten_layout_rule, emit_torch_total<"tfl.mean">},
    {"aten.mean.dim", reducing_aten_layout_rule, emit_torch_reduction<"tfl.mean">},
    {"aten.prod.default", reducing_aten_layout_rule, emit_torch_total<"tfl.reduce_prod">},
    {"aten.amax.default", reducing_aten_layout_rule, emit_torch_reduction<"tfl.reduce_max">},
    {"aten.amin.default", reducing_aten_layout_rule, emit_torch_reduction<"tfl.reduce_min">},
    {"aten.max.default", reducing_aten_layout_rule, emit_torch_total<"tfl.reduce_max">},
    {"aten.min.default", reducing_aten_layout_rule, emit_torch_total<"tfl.reduce_min">},
    {"aten.max.dim", layout_rule::fixed, emit_extreme<"tfl.reduce_max", "tfl.arg_max">, 1, 2},
    {"aten.min.dim", layout_rule::fixed, emit_extreme<"tfl.reduce_min", "tfl.arg_min">, 1, 2},
    {"aten.var.correction", layout_rule::fixed, emit_aten_variance},
    {"aten.any.default", layout_rule::fixed, emit_torch_total<"tfl.reduce_any">},
    {"aten.any.dim", layout_rule::fixed, emit_torch_reduction_of_one<"tfl.reduce_any">},
    {"aten.any.dims", layout_rule::fixed, emit_torch_reduction<"tfl.reduce_any">},
    {"aten.all.default", layout_rule::fixed, emit_torch_total<"tfl.reduce_all">},
    {"aten.all.dim", layout_rule::fixed, emit_torch_reduction_of_one<"tfl.reduce_all">},
    {"aten.argmax.default", layout_rule::fixed, emit_aten_search<"tfl.arg_max">},
    {"aten.argmin.default", layout_rule::fixed, emit_aten_search<"tfl.arg_min">},
    {"aten.cumsum.default", layout_rule::fixed, emit_aten_cumulative_sum},
    {"aten.topk.default", layout_rule::fixed, emit_aten_topk, 1, 2},
};

}  // namespace baton::detail
