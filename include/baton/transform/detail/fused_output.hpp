// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The clamps and the quantization after a float32 node. Fusion replaces the float32 node, the clamps and the quantization by one node.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/transform/detail/clamps.hpp>
#include <baton/transform/detail/quantization_fusion.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace baton::detail {

/// A chain of nodes after a float32 node: zero or more clamps, and then a quantization. Each node of the chain is the only user of the
/// preceding node's output.
struct fused_output {
  node_id quantize = none<node_id>;
  value_id value = none<value_id>;  ///< the output of the quantization, or `none` if the chain does not end with a quantization
  quantized::bounds<float> limits{};
  vector<node_id> clamps;

  constexpr explicit operator bool() const { return value != none<value_id>; }

  /// Returns the chain after the node `id`, whose fused activation has the bounds `limits`. If the chain does not end with a quantization,
  /// sets `fusion.why`, and `value` of the result is `none`.
  static constexpr auto of(quantization_fusion& fusion, node_id id, quantized::bounds<float> limits) -> fused_output {
    fused_output result{.limits = limits, .clamps = {}};
    auto out = fusion.change.output(id);
    while (out != none<value_id>) {
      const auto user = fusion.only_user(out);
      if (user == none<node_id>) return result;
      const auto& record = fusion.change[user];
      if (record.tag != fusion.change[id].tag) return fusion.refuse("the user of its output belongs to another part"), result;
      if (is_quantize(record)) {
        result.quantize = user;
        result.value = fusion.change.output(user);
        return result;
      }
      std::size_t variable = 0;
      const auto clamp = clamp_of(fusion.source, fusion.source[user], variable);
      if (!clamp) return fusion.refuse("its output is not quantized before it is used"), result;
      result.limits = real_clamp{result.limits, true}.then(clamp.limits);
      result.clamps.push_back(user);
      out = fusion.change.output(user);
    }
    fusion.refuse("it has several outputs");
    return result;
  }

  /// Returns the chain after the node `id`, as `of` does. The fused activation must be none, relu, relu6 or relu_n1_to_1. The quantization
  /// must be to int8 with one scale. Otherwise, sets `fusion.why`, and `value` of the result is `none`.
  static constexpr auto in_int8(quantization_fusion& fusion, node_id id) -> fused_output {
    const fused_output none_found{.clamps = {}};
    const auto fused = clamp_of(fusion.change.program().text(fusion.change[id], "fused_activation_function", "none"));
    if (!fused) return fusion.refuse("its fused activation is not supported"), none_found;
    auto output = of(fusion, id, fused.limits);
    if (output && !fusion.is_per_tensor(output.value, dtype::int8))
      return fusion.refuse("its output is not quantized to int8 with a per-tensor scale"), none_found;
    return output;
  }

  /// Returns the bounds of the clamps as quantized integers of the output.
  constexpr auto bounds_in_steps(const quantization_fusion& fusion) const -> quantized::bounds<std::int32_t> {
    constexpr auto infinity = std::numeric_limits<float>::infinity();
    const auto to_steps = fusion.quantizer_of(quantize, value);
    return {limits.lower == -infinity ? to_steps.range.lower : to_steps(limits.lower),
            limits.upper == infinity ? to_steps.range.upper : to_steps(limits.upper)};
  }

  /// Erases the node `id`, the clamps and the quantization. `fused`, the node that now produces `value`, must have been inserted. Sets the
  /// attributes `output_min` and `output_max` of `fused` if the clamps have an effect.
  constexpr void replace(quantization_fusion& fusion, node_id id, node_id fused) const {
    const auto range = steps_of(fusion.change[value].type);
    const auto steps = bounds_in_steps(fusion);
    if (steps.lower != range.lower) fusion.change.set_attribute(fused, {"output_min", steps.lower});
    if (steps.upper != range.upper) fusion.change.set_attribute(fused, {"output_max", steps.upper});
    fusion.change.erase(id, fused);
    for (const auto clamp : clamps) fusion.change.erase(clamp, fused);
    fusion.change.erase(quantize, fused);
  }
};

}  // namespace baton::detail
