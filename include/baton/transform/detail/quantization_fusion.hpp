// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The program that `fuse_quantization` is changing, and functions that inspect float32 values between a dequantization and a quantization.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/graph/adjacency.hpp>
#include <baton/graph/def_use.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/real_functions.hpp>
#include <baton/transform/detail/quantized_moves.hpp>
#include <baton/transform/detail/same_type.hpp>
#include <baton/transform/rewriter.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace baton::detail {

/// Returns the range of int8, uint8 or int16. Returns an empty range (both bounds are 0) for other types.
constexpr auto steps_of(dtype type) -> quantized::bounds<std::int32_t> {
  if (type == dtype::int8) return {-128, 127};
  if (type == dtype::uint8) return {0, 255};
  return type == dtype::int16 ? quantized::bounds<std::int32_t>{-32768, 32767} : quantized::bounds<std::int32_t>{};
}

/// A quantization of float32 numbers to integers of at most 16 bits.
struct real_quantizer {
  float scale = 1;
  std::int64_t zero_point = 0;
  quantized::bounds<std::int32_t> range{};
  bool is_away = false;  ///< whether ties are rounded away from zero, as in `tfl.quantize`, instead of to even, as in `baton.quantize`
  bool is_reciprocal = false;  ///< whether the number is multiplied by 1/scale instead of divided by the scale

  /// Returns the integer to which `real` is quantized. NaN becomes the zero point.
  constexpr auto operator()(float real) const -> std::int32_t {
    if (real != real) return range.clamp(static_cast<std::int32_t>(zero_point));
    const auto limited = quantized::bounds<float>{-3e38f, 3e38f}.clamp(real);
    const auto wide = is_reciprocal ? static_cast<double>(limited) * static_cast<double>(1.0f / scale)
                                    : static_cast<double>(limited) / static_cast<double>(scale);
    const auto steps = static_cast<float>(quantized::bounds<double>{-1e6, 1e6}.clamp(wide));  // beyond the range of every type
    const auto exact = static_cast<double>(steps);
    const auto whole = !is_away ? real::round_half_to_even(exact) : exact < 0 ? -real::floor(-exact + 0.5) : real::floor(exact + 0.5);
    const auto result = static_cast<std::int64_t>(whole) + zero_point;
    return static_cast<std::int32_t>(result < range.lower ? range.lower : result > range.upper ? range.upper : result);
  }
};

/// A program that `fuse_quantization` is changing, with functions that inspect and insert nodes.
class quantization_fusion {
 public:
  rewriter change;
  program_view source;      ///< the program before all changes
  std::string_view why{};   ///< why the last fusion was not possible; empty, for example, if the operator is never fused
  bool is_dry_run = false;  ///< whether fusions change nothing, and only return whether they are possible

  constexpr explicit quantization_fusion(const program_view& program) : change(program), source(program), users_(users_of(program)) {}

  /// Sets `why` and returns false.
  constexpr auto refuse(std::string_view reason) -> bool {
    why = reason;
    return false;
  }

  /// Returns the operand of the `tfl.dequantize` that produces `v` and has the tag `tag`. Returns `none` if there is no such node, or if
  /// the operand is a mutable buffer. Nodes with the same tag become one delegate. A mutable buffer keeps its value from run to run.
  constexpr auto dequantized(value_id v, tag_id tag) -> value_id {
    const auto by = change.producer_of(v);
    if (by == none<node_id> || !change[by].is("tfl.dequantize") || change[by].tag != tag) return none<value_id>;
    const auto from = change.input(by, 0);
    return from == none<value_id> || change[from].kind == value_kind::mutable_buffer ? none<value_id> : from;
  }
  /// True if a value is int8, uint8 or int16, with one positive scale and a zero point in the range of the type. The inverse of the scale
  /// must be finite.
  constexpr auto is_per_tensor(value_id v) const -> bool {
    const auto p = change.program();
    const auto& quant = change[v].quant;
    const auto range = steps_of(change[v].type);
    if (range.upper == 0 || quant.channels != 1) return false;
    const auto scale = p.scale(quant);
    const auto zero_point = p.zero_point(quant);
    return scale > 1e-37f && scale < 3e38f && zero_point >= range.lower && zero_point <= range.upper;
  }
  constexpr auto is_per_tensor(value_id v, dtype type) const -> bool { return change[v].type == type && is_per_tensor(v); }
  constexpr auto scale(value_id v, std::uint32_t channel = 0) const -> float { return change.program().scale(change[v].quant, channel); }
  constexpr auto zero_point(value_id v, std::uint32_t channel = 0) const -> std::int64_t {
    return change.program().zero_point(change[v].quant, channel);
  }
  constexpr auto shape(value_id v) const -> span<const std::int64_t> { return change.program().shape(v); }
  /// True if equal integers of both values represent equal numbers.
  constexpr auto is_same_quantized(value_id a, value_id b) const -> bool {
    return change[a].type == change[b].type && is_same_quantization(change.program(), a, b);
  }
  /// Returns the quantization that the node `id` computes: from float32 to the quantization of `out`.
  constexpr auto quantizer_of(node_id id, value_id out) const -> real_quantizer {
    return {scale(out), zero_point(out), steps_of(change[out].type), change[id].is("tfl.quantize"),
            change.program().text(change[id], "by") == "reciprocal"};
  }

  /// Returns the nodes of the source program that use the value `v` of the source program, in program order.
  constexpr auto source_users(value_id v) const -> span<const std::uint32_t> { return users_[index(v)]; }
  /// Returns the only user of a value. If the value has several uses or is a graph output, sets `why` and returns `none`.
  constexpr auto only_user(value_id v) -> node_id {
    if (change.is_output(v)) return refuse("its float32 output is a graph output"), none<node_id>;
    if (change.uses_of(v) != 1) return refuse("its float32 output has several uses"), none<node_id>;
    if (index(v) >= users_.size()) return refuse("the user of its output is not known"), none<node_id>;
    for (const auto user : users_[index(v)]) {
      const auto id = static_cast<node_id>(user);
      if (change.is_erased(id)) continue;
      for (std::uint32_t i = 0; i < change[id].inputs.size; ++i) {
        if (change.input(id, i) == v) return id;
      }
    }
    return refuse("the user of its output is not known"), none<node_id>;
  }

  /// Adds a value with the type and the quantization of `like`, and the shape of `shaped`.
  constexpr auto add_like(value_id shaped, value_id like, std::string_view suffix) -> value_id {
    const auto name = join(change.program().text(change[shaped].name), suffix);
    const auto id = change.add_value(change[shaped].graph, view(name), {change[like].type, 0, {}});
    const auto shape = change[shaped].shape;
    const auto quant = change[like].quant;
    auto& record = change.edit(id);
    record.shape = shape;
    record.quant = quant;
    return id;
  }
  /// Inserts a copy of the node `id` of the source program, with other operands and outputs. The caller must then erase the node `id`.
  constexpr auto insert_copy(node_id id, span<const value_id> inputs, span<const value_id> outputs) -> node_id {
    return change.insert_before(id, {.name = name_of(id),
                                     .op = source.text(source[id].target),
                                     .inputs = inputs,
                                     .outputs = outputs,
                                     .attributes_of = id,
                                     .handle_of = id,
                                     .tag_of = id});
  }
  /// Returns the name of a node of the source program. The name stays valid when records are added.
  constexpr auto name_of(node_id id) const -> std::string_view { return source.text(source[id].name); }
  constexpr auto is_in_source(node_id id) const -> bool { return index(id) < source.nodes.size(); }

 private:
  adjacency users_;
};

}  // namespace baton::detail
