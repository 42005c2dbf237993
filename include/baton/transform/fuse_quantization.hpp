// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that fuses float32 operators between dequantizations and a quantization into quantized operators.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/shared/unary_function.hpp>
#include <baton/transform/detail/fuse_elements.hpp>
#include <baton/transform/detail/fuse_layer.hpp>
#include <baton/transform/detail/fuse_lookup.hpp>
#include <baton/transform/detail/fuse_moves.hpp>
#include <baton/transform/detail/hoist_quantization.hpp>
#include <baton/transform/detail/layer_operators.hpp>
#include <baton/transform/detail/quantization_fusion.hpp>
#include <baton/transform/detail/quantized_moves.hpp>
#include <baton/transform/pass.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

namespace detail {

inline constexpr literal_name pair_operators[] = {"tfl.add", "tfl.mul", "tfl.sub", "baton.add", "baton.mul", "baton.sub"};
inline constexpr literal_name average_operators[] = {"tfl.average_pool_2d", "baton.average_pool_2d", "tfl.mean"};
inline constexpr literal_name clamping_operators[] = {"tfl.relu", "tfl.relu6", "tfl.relu_0_to_1", "tfl.relu_n1_to_1"};

/// True if a node with the operator `op` can be fused with a quantization of its output.
constexpr auto is_fused_with_quantization(std::uint64_t op) -> bool {
  return is_among(op, layer_operators) || is_among(op, pair_operators) || is_among(op, average_operators) ||
         is_among(op, clamping_operators);
}

/// True if the data operand of a node (`moved_operand`) is float32. Output 0 must also be float32, unless the node is a quantization.
constexpr auto computes_float(quantization_fusion& fusion, node_id id) -> bool {
  const auto in = fusion.change.input(id, moved_operand(fusion.change[id]));
  if (in == none<value_id> || fusion.change[in].type != dtype::float32) return false;
  if (fusion.change[id].outputs.size == 0) return false;
  const auto out = fusion.source.outputs_of(fusion.source[id])[0];
  return is_quantize(fusion.change[id]) || fusion.change[out].type == dtype::float32;
}

/// Fuses the node `id` of the source program. Returns false if the node stays. `fusion.why` is then the reason, or empty, for example if
/// the node's operator is never fused.
constexpr auto fuse_node(quantization_fusion& fusion, node_id id) -> bool {
  fusion.why = {};
  const auto op = fusion.change[id].op;
  if (!computes_float(fusion, id)) return false;
  if (is_quantize(fusion.change[id])) return fuse_quantize(fusion, id);
  if (is_among(op, layer_operators)) return layer_fusion(fusion, id).run();
  if (is_among(op, pair_operators)) return fuse_pair(fusion, id);
  if (is_among(op, average_operators)) return fuse_average(fusion, id);
  if (is_among(op, moving_operators)) return fuse_move(fusion, id);
  return is_among(op, joining_operators) && fuse_join(fusion, id);
}

}  // namespace detail

/// A pass that fuses float32 operators between `tfl.dequantize` and a quantization (`tfl.quantize` or `baton.quantize`) into operators on
/// integers. The quantized values must be int8, uint8 or int16, with one scale. The weights and the bias of a layer have other conditions,
/// which are given below. First, a quantization after reshapes and transposes is moved before these operators, if the operator that
/// precedes them can be fused with a quantization. Then each node is visited once, in order:
/// - A quantization of a dequantized value is removed if both quantized values have the same type, scale and zero point. Otherwise, the
///   quantization becomes a requantization, a `baton.quantize` of integers.
/// - An operator that moves, selects or compares elements is applied to the integers, and its output is dequantized. Examples are reshape,
///   transpose, padding with 0, slice and max pool. If the operands of a concatenation, pack, maximum or minimum have different
///   quantizations, the operator is fused only if its output is quantized. The operands are then requantized to the quantization of the
///   output.
/// - A layer (`conv_2d`, `depthwise_conv_2d`, `fully_connected`) becomes an operator of the namespace `baton`, which rounds once. An
///   average pool, a mean over height and width that keeps the dimensions, a sum, a difference or a product also becomes such an operator.
///   All operands except a bias must be dequantized from int8, and the output must be quantized to int8. The only user of the output must
///   be the quantization, or a chain of clamps that ends with the quantization. The clamps become the bounds `output_min` and `output_max`.
///   SAME and VALID padding becomes the attribute `pads`. Weights must be int8 constants, quantized per tensor or per output channel.
///   Nonzero zero points of weights are subtracted from the weights. This requires that the weights with nonzero zero points have at most
///   65,536 bytes in all layers together. A bias must be a constant, either float32 or dequantized from int32. The fused bias is float32,
///   or int32 with scales that are the products of the input scale and the weight scales.
/// - Up to 32 successive elementwise functions of one variable between a dequantization and a quantization become one `baton.lookup`. Both
///   quantized values must have 8 bits.
///
/// All other float32 operators, for example softmax, stay and compute with dequantized numbers. Operators of the last two items also stay
/// if their float32 output has several users or is a graph output. `float_reason` says why a node stays.
///
/// Operators that move or compare elements, and `baton.lookup`, have the same results as the replaced nodes. Exception: a requantization
/// rounds ties to even, also if it replaces a `tfl.quantize`, which rounds ties away from zero. The entries of the table of a
/// `baton.lookup` are rounded as the replaced quantization rounds. The results of layers, averages and arithmetic can differ from float32
/// arithmetic by one quantization step if the float32 result is close to a tie.
struct fuse_quantization {
  static constexpr std::string_view name = "fuse_quantization";

  static constexpr auto run(const program_view& program) -> exported_program {
    if (!detail::quantization_hoist::is_needed(program)) return fused(program);
    return fused(detail::quantization_hoist(program, detail::is_fused_with_quantization).run());
  }

 private:
  static constexpr auto fused(const program_view& program) -> exported_program {
    detail::quantization_fusion fusion(program);
    for (const auto id : fusion.change.nodes()) {
      if (!fusion.change.is_erased(id)) detail::fuse_node(fusion, id);
    }
    return fusion.change.finish();
  }
};
static_assert(pass<fuse_quantization>);

namespace detail {

/// Returns why the elementwise function `id` cannot become part of a `baton.lookup`, or an empty text if it can.
constexpr auto function_reason(quantization_fusion& fusion, node_id id) -> std::string_view {
  auto last = id;
  for (std::size_t count = 0; count < function_chain::max_functions; ++count) {
    const auto user = fusion.only_user(fusion.change.output(last));
    if (user == none<node_id>) return fusion.why;
    if (is_quantize(fusion.change[user])) {
      if (fuse_quantize(fusion, user)) return {};
      return "the value before it is not dequantized from 8 bits with a per-tensor scale, or has several uses";
    }
    if (!unary_function_of(fusion.source, fusion.source[user])) break;
    last = user;
  }
  return "its output is not quantized before it is used";
}

}  // namespace detail

/// Returns why `fuse_quantization` leaves a float32 node as it is. The reason is empty if the node is fused or is a `tfl.dequantize`, or if
/// output 0 is not float32. O(values + nodes).
constexpr auto float_reason(const program_view& program, node_id id) -> std::string_view {
  const auto& record = program[id];
  const auto outputs = program.outputs_of(record);
  if (outputs.empty() || program[outputs[0]].type != dtype::float32 || record.is("tfl.dequantize")) return {};
  detail::quantization_fusion fusion(program);
  fusion.is_dry_run = true;
  if (detail::fuse_node(fusion, id)) return {};
  if (unary_function_of(program, record)) return detail::function_reason(fusion, id);
  return fusion.why.empty() ? "its operator has no quantized form" : fusion.why;
}

}  // namespace baton
