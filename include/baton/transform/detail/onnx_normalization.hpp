// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Replaces ONNX normalizations by float32 operators.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/inference.hpp>
#include <baton/transform/detail/emission.hpp>
#include <baton/transform/detail/expression.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/onnx_functions.hpp>
#include <baton/transform/detail/onnx_reductions.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// An emitter of the nodes of a normalization along some dimensions. The nodes that `whole()` inserts have outputs with the shape of the
/// input. The nodes that `each()` inserts have outputs with the shape of the means.
class normalization {
 public:
  /// `in` is the value to normalize, and `over` the dimensions to normalize along, as numbered in the file.
  constexpr normalization(emission& emitter, value_id in, const dimension_set& over)
      : whole_(emitter, emitter.stored_type(in), emitter.layout(in)),
        each_(emitter, reduced_type(emitter, over, in), emitter.layout(in)),
        axes_(stored_dimensions(emitter, over, in)) {}

  constexpr auto whole() -> expression& { return whole_; }
  constexpr auto each() -> expression& { return each_; }
  constexpr auto axes() const -> value_id { return axes_; }
  /// Returns the mean of `of` along the normalized dimensions, which have size 1 in the result.
  constexpr auto mean(std::string_view suffix, value_id of) -> value_id {
    return each_.call(suffix, "tfl.mean", {of, axes_}, {{"keep_dims", true}});
  }
  /// Returns 1 / sqrt(mean(`difference`²) + `epsilon`).
  constexpr auto inverse_deviation(value_id difference, double epsilon) -> value_id {
    const auto variance = mean("variance", whole_.call("squares", "tfl.square", {difference}));
    return each_.call("inverse", "tfl.rsqrt", {each_.add("sum", variance, each_.number("epsilon", epsilon))});
  }

 private:
  expression whole_;
  expression each_;
  value_id axes_;
};

/// Returns the dimensions from `axis` to the last one. Refuses the node (the pass then fails with `unsupported_operator`) if there is no
/// dimension `axis`.
constexpr auto dimensions_from(emission& emitter, std::int64_t axis, std::size_t rank) -> dimension_set {
  dimension_set over{true, 0};
  const auto first = inference::dimension(axis, rank);
  if (first == rank) emitter.refuse("there is no dimension ", axis);
  for (auto d = first; d < rank; ++d) over.bits |= 1u << d;
  return over;
}
/// Finishes output 0 with `normalized` · `scale` + `bias`, or with `normalized` · `scale` if `bias` is `none`.
constexpr void finish_scaled(emission& emitter, expression& f, value_id normalized, value_id scale, value_id bias) {
  if (bias == none<value_id>) return emitter.finish_output(0, "tfl.mul", {normalized, scale}, {{"fused_activation_function", "none"}});
  emitter.finish_output(0, "tfl.add", {f.mul("scaled", normalized, scale), bias}, {{"fused_activation_function", "none"}});
}

/// Replaces `onnx.LayerNormalization`. Output 1 is the mean, and output 2 is the inverse of the standard deviation.
constexpr void emit_layer_normalization(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const auto x = emitter.operand_in_file_layout(0);
  const auto over = dimensions_from(emitter, emitter.integer("axis", -1), emitter.stored_type(x).rank);
  if (emitter.is_refused()) return;
  normalization steps(emitter, x, over);
  const auto mean = steps.mean("mean", x);
  const auto difference = steps.whole().sub("difference", x, mean);
  const auto inverse = steps.inverse_deviation(difference, emitter.real("epsilon", 1e-5));
  finish_scaled(emitter, steps.whole(), steps.whole().mul("normalized", difference, inverse), emitter.operand_in_file_layout(1),
                emitter.operand_in_file_layout(2));
  const value_id results[] = {mean, inverse};
  const auto shape = steps.each().type();
  for (std::size_t i = 1; i < 3 && i < emitter.output_count(); ++i) {
    if (!emitter.is_used(i)) continue;
    emitter.finish_output(i, "tfl.reshape", {results[i - 1]}, {{"new_shape", shape.shape()}});
  }
}
/// Replaces `onnx.RMSNormalization` by x / sqrt(mean(x²) + epsilon) · scale.
constexpr void emit_rms_normalization(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const auto x = emitter.operand_in_file_layout(0);
  const auto over = dimensions_from(emitter, emitter.integer("axis", -1), emitter.stored_type(x).rank);
  if (emitter.is_refused()) return;
  normalization steps(emitter, x, over);
  const auto inverse = steps.inverse_deviation(x, emitter.real("epsilon", 1e-5));
  finish_scaled(emitter, steps.whole(), steps.whole().mul("normalized", x, inverse), emitter.operand_in_file_layout(1), none<value_id>);
}

/// Returns operand `at`, which must have one element per channel, in a shape that broadcasts to output 0.
constexpr auto numbers_of_channels(emission& emitter, std::size_t at, std::string_view suffix) -> value_id {
  const auto type = emitter.output_type();
  const auto in = emitter.operand(at);
  auto shape = tensor(dtype::float32);
  shape.rank = type.rank;
  for (std::size_t d = 0; d < type.rank; ++d) shape.sizes[d] = 1;
  const auto channels = static_cast<std::size_t>(emitter.dimension(1, type.rank));
  shape.sizes[channels] = type.sizes[channels];
  if (element_count(emitter.stored_type(in).shape()) != shape.sizes[channels]) {
    return emitter.refuse("operand ", at, " does not have one number for each channel"), in;
  }
  if (emitter.is_data(in)) return emitter.reshaped(in, shape);
  return emitter.add(suffix, "tfl.reshape", {in}, shape, {{"new_shape", shape.shape()}});
}
/// Replaces `onnx.InstanceNormalization`, which normalizes each channel of each image separately.
constexpr void emit_instance_normalization(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const auto x = emitter.in(0);
  const auto rank = emitter.stored_type(x).rank;
  if (rank < 3) return emitter.refuse("the operand is not an image");
  dimension_set over = dimension_set::all(rank);
  over.bits &= ~3u;
  const auto scale = numbers_of_channels(emitter, 1, "scale"), bias = numbers_of_channels(emitter, 2, "bias");
  if (emitter.is_refused()) return;
  normalization steps(emitter, x, over);
  const auto difference = steps.whole().sub("difference", x, steps.mean("mean", x));
  const auto inverse = steps.inverse_deviation(difference, emitter.real("epsilon", 1e-5));
  finish_scaled(emitter, steps.whole(), steps.whole().mul("normalized", difference, inverse), scale, bias);
}
/// Replaces `onnx.GroupNormalization`, which normalizes each group of channels of each image separately. Scale and bias have one element
/// per channel, as in version 21 and later of the operator set.
constexpr void emit_group_normalization(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const auto x = emitter.operand_in_file_layout(0);
  const auto type = emitter.stored_type(x);
  const auto groups = emitter.integer("num_groups");
  if (type.rank < 2 || groups <= 0 || type.sizes[1] % groups != 0)
    return emitter.refuse("the channels cannot be divided into ", groups, " equal groups");
  const auto scale = numbers_of_channels(emitter, 1, "scale"), bias = numbers_of_channels(emitter, 2, "bias");
  if (emitter.is_refused()) return;
  const auto rows = tensor(type.type, type.sizes[0] * groups, element_count(type.shape()) / (type.sizes[0] * groups));
  const auto grouped = emitter.add("groups", "tfl.reshape", {x}, rows, {{"new_shape", rows.shape()}});
  normalization steps(emitter, grouped, {true, 2});
  const auto difference = steps.whole().sub("difference", grouped, steps.mean("mean", grouped));
  const auto inverse = steps.inverse_deviation(difference, emitter.real("epsilon", 1e-5));
  expression f(emitter);
  const auto normalized = steps.whole().mul("normalized_groups", difference, inverse);
  finish_scaled(emitter, f, f.call("normalized", "tfl.reshape", {normalized}, {{"new_shape", type.shape()}}), scale, bias);
}
/// Replaces `onnx.MeanVarianceNormalization` by (x - mean) / (deviation + 1e-9). The means are along `axes`, by default dimensions 0, 2 and
/// 3.
constexpr void emit_mean_variance(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const auto x = emitter.in(0);
  const auto rank = emitter.stored_type(x).rank;
  dimension_set over{true, 0};
  const std::int64_t default_axes[] = {0, 2, 3};
  const auto listed = emitter.has_attribute("axes") ? emitter.list("axes") : span<const std::int64_t>{default_axes};
  for (const auto axis : listed) over.add(axis, rank);
  if (!over.is_known) return emitter.refuse("the axes are not dimensions of the operand");
  normalization steps(emitter, x, over);
  const auto difference = steps.whole().sub("difference", x, steps.mean("mean", x));
  const auto variance = steps.mean("variance", steps.whole().call("squares", "tfl.square", {difference}));
  const auto deviation = steps.each().call("deviation", "tfl.sqrt", {variance});
  steps.whole().finish("tfl.div", difference, steps.each().add("sum", deviation, steps.each().number("tiny", 1e-9)));
}
/// Replaces `onnx.LpNormalization` by x / sum(|x|) if p = 1, or x / sqrt(sum(x²)) if p = 2.
constexpr void emit_lp_normalization(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  const auto x = emitter.in(0);
  const auto p = emitter.integer("p", 2);
  dimension_set over{true, 0};
  over.add(emitter.integer("axis", -1), emitter.stored_type(x).rank);
  if (!over.is_known) return emitter.refuse("there is no dimension ", emitter.integer("axis", -1));
  if (p != 1 && p != 2) return emitter.refuse("p is ", p, ", not 1 or 2");
  normalization steps(emitter, x, over);
  const auto terms = p == 1 ? steps.whole().call("sizes", "tfl.abs", {x}) : steps.whole().call("squares", "tfl.square", {x});
  auto norm = steps.each().call("sum", "tfl.sum", {terms, steps.axes()}, {{"keep_dims", true}});
  if (p == 2) norm = steps.each().call("root", "tfl.sqrt", {norm});
  steps.whole().finish("tfl.div", x, norm);
}

/// Replaces `onnx.LRN` by x / (bias + alpha / size · s) ^ beta. Here, s is the sum of the squares of `size` neighboring channels. Each
/// neighbor is a slice of the padded squares.
constexpr void emit_local_response(emission& emitter) {
  if (!has_float_operand(emitter)) return;
  constexpr std::int64_t max_neighbors = 16;
  const auto x = emitter.in(0);
  const auto type = emitter.stored_type(x);
  const auto size = emitter.integer("size");
  if (type.rank < 2 || size < 1 || size > max_neighbors) return emitter.refuse("sums of ", size, " channels are not supported");
  const auto channels = static_cast<std::size_t>(emitter.dimension(1, type.rank));
  expression f(emitter);
  std::array<std::int64_t, 2 * tensor_type::max_rank> paddings{};
  paddings[2 * channels] = (size - 1) / 2;
  paddings[2 * channels + 1] = size / 2;
  auto padded_type = type;
  padded_type.sizes[channels] += size - 1;
  const auto squares = f.call("squares", "tfl.square", {x});
  const auto table = emitter.integer_constant("paddings", {paddings.data(), 2 * type.rank}, 2);
  const auto padded = emitter.add("padded", "tfl.pad", {squares, table}, padded_type, {}, emitter.layout(x));
  const auto sizes = emitter.integer_constant("sizes", type.shape());
  auto sum = none<value_id>;
  for (std::int64_t i = 0; i < size; ++i) {
    std::array<std::int64_t, tensor_type::max_rank> begin{};
    begin[channels] = i;
    const auto first = join("begin_", i), part = join("neighbor_", i), total = join("sum_", i);
    const auto next = f.call(view(part), "tfl.slice", {padded, emitter.integer_constant(view(first), {begin.data(), type.rank}), sizes});
    sum = i == 0 ? next : f.add(view(total), sum, next);
  }
  const auto scaled = f.mul("scaled", sum, f.number("factor", emitter.real("alpha", 1e-4) / static_cast<double>(size)));
  const auto biased = f.add("biased", scaled, f.number("bias", emitter.real("bias", 1)));
  f.finish("tfl.div", x, f.call("power", "tfl.pow", {biased, f.number("beta", emitter.real("beta", 0.75))}));
}

/// The rows (`legalization_row`) of normalizations.
inline constexpr legalization_row onnx_normalization[] = {
    {"onnx.LayerNormalization", layout_rule::fixed, emit_layer_normalization, 2, 3},
    {"onnx.RMSNormalization", layout_rule::fixed, emit_rms_normalization, 2},
    {"onnx.InstanceNormalization", along_axis, emit_instance_normalization, 3},
    {"onnx.GroupNormalization", layout_rule::fixed, emit_group_normalization, 3},
    {"onnx.MeanVarianceNormalization", along_axis, emit_mean_variance},
    {"onnx.LRN", along_axis, emit_local_response},
    {"onnx.LpNormalization", along_axis, emit_lp_normalization},
};

}  // namespace baton::detail
