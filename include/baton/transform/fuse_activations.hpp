// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that fuses float32 clamps into the node before them.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/transform/detail/clamps.hpp>
#include <baton/transform/detail/layer_operators.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/rewriter.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// A pass that fuses a clamp of a float32 value into the node that computes the value. The clamp becomes the node's
/// `fused_activation_function`: relu, relu6 or relu_n1_to_1. A clamp is a relu with fixed bounds, or a minimum or maximum with a constant.
/// Up to four clamps in sequence are fused as one. The computing node is a layer, a pool, a sum, a difference, a product or a quotient. The
/// clamp must be the only user of the node's output. A clamp that cannot be fused stays; `fuse_quantization` can turn it into bounds of a
/// quantized output. Float32 kernels with a fused activation also limit infinities to the largest finite number.
struct fuse_activations {
  static constexpr std::string_view name = "fuse_activations";

  /// True if the program has a clamp.
  static constexpr auto is_needed(const program_view& program) -> bool {
    for (const auto& record : program.nodes) {
      std::size_t variable = 0;
      if (detail::clamp_of(program, record, variable)) return true;
    }
    return false;
  }

  static constexpr auto run(const program_view& program) -> exported_program {
    rewriter change(program);
    for (const auto id : change.nodes()) fuse(change, program, id);
    return change.finish();
  }

 private:
  /// The operators with the attribute `fused_activation_function`, except layers.
  static constexpr literal_name fusing[] = {"tfl.add",
                                            "baton.add",
                                            "tfl.sub",
                                            "baton.sub",
                                            "tfl.mul",
                                            "baton.mul",
                                            "tfl.div",
                                            "tfl.max_pool_2d",
                                            "baton.max_pool_2d",
                                            "tfl.average_pool_2d",
                                            "baton.average_pool_2d"};
  static constexpr std::size_t max_clamps = 4;

  /// Fuses the sequence of clamps whose last node is `last`.
  static constexpr void fuse(rewriter& change, const program_view& program, node_id last) {
    node_id clamps[max_clamps]{};
    quantized::bounds<float> limits = detail::real_clamp{}.limits;
    auto id = last;
    for (std::size_t count = 0; count < max_clamps; ++count) {
      std::size_t variable = 0;
      const auto clamp = detail::clamp_of(program, program[id], variable);
      if (!clamp || program[id].tag != program[last].tag) return;
      limits = detail::real_clamp{clamp.limits, true}.then(limits);
      clamps[count] = id;
      const auto in = change.input(id, static_cast<std::uint32_t>(variable));
      id = change.producer_of(in);
      if (id == none<node_id> || change.uses_of(in) != 1 || change.is_output(in)) return;
      if (!is_among(program[id].op, detail::layer_operators) && !is_among(program[id].op, fusing)) continue;
      if (program[id].tag != program[last].tag) return;
      const auto present = detail::clamp_of(change.program().text(change[id], "fused_activation_function", "none"));
      const auto* const fused = present ? detail::activation_with(present.then(limits)) : nullptr;
      if (fused == nullptr) return;
      change.set_attribute(id, {"fused_activation_function", fused});
      for (std::size_t c = 0; c <= count; ++c) change.erase(clamps[c]);
      change.move_result(in, change.output(last));
      return;
    }
  }
};
static_assert(pass<fuse_activations>);

}  // namespace baton
