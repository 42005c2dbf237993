// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Fusion of elementwise functions between a dequantization and a quantization, as a table.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/unary_function.hpp>
#include <baton/transform/detail/quantization_fusion.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// The elementwise functions between a dequantization and a quantization, last function first.
struct function_chain {
  static constexpr std::size_t max_functions = 32;

  value_id from = none<value_id>;  ///< the quantized value at the start of the chain, or `none` if there is no such value
  vector<node_id> nodes;
  vector<unary_function> functions;

  /// Returns the functions before the quantization `id`.
  static constexpr auto of(quantization_fusion& fusion, node_id id) -> function_chain {
    function_chain chain;
    auto v = fusion.change.input(id, 0);
    const auto tag = fusion.change[id].tag;
    while (chain.nodes.size() < max_functions) {
      chain.from = fusion.dequantized(v, tag);
      const auto by = fusion.change.producer_of(v);
      if (chain.from != none<value_id> || by == none<node_id> || !fusion.is_in_source(by)) return chain;
      const auto f = unary_function_of(fusion.source, fusion.source[by]);
      if (!f || fusion.change[by].tag != tag || fusion.change.uses_of(v) != 1 || fusion.change.is_output(v)) return chain;
      chain.nodes.push_back(by);
      chain.functions.push_back(f);
      v = fusion.change.input(by, static_cast<std::uint32_t>(f.variable));
    }
    return chain;
  }

  /// Returns the result of all functions for `x`. The result of each function is rounded to float, as in float32 kernels.
  constexpr auto operator()(float x) const -> float {
    for (auto i = functions.size(); i-- > 0;) x = rounded(functions[i](static_cast<double>(x)));
    return x;
  }

 private:
  static constexpr auto rounded(double x) -> float {
    constexpr double max_finite = 3e38;
    return static_cast<float>(x > max_finite ? max_finite : x < -max_finite ? -max_finite : x);  // NaN stays
  }
};

/// Replaces the elementwise functions between a dequantization and the quantization `id` by a `baton.lookup`. Returns false if there are no
/// such functions. Also returns false unless both quantized values have 8 bits and one scale. A dry run (`is_dry_run`) changes nothing, but
/// returns the same result.
constexpr auto fuse_lookup(quantization_fusion& fusion, node_id id) -> bool {
  auto& change = fusion.change;
  const auto out = change.output(id);
  const auto chain = function_chain::of(fusion, id);
  const auto is_8_bit = [&](value_id v) { return fusion.is_per_tensor(v) && facts(change[v].type).bits == 8; };
  if (chain.from == none<value_id> || chain.nodes.empty() || !is_8_bit(chain.from) || !is_8_bit(out)) return false;
  if (fusion.is_dry_run) return true;
  const auto to_steps = fusion.quantizer_of(id, out);
  const auto lower = steps_of(change[chain.from].type).lower;
  const auto scale = fusion.scale(chain.from);
  const auto zero_point = static_cast<std::int32_t>(fusion.zero_point(chain.from));
  text_buffer bytes(256, '\0');
  for (std::int32_t i = 0; i < 256; ++i)
    bytes[static_cast<std::size_t>(i)] = static_cast<char>(to_steps(chain(scale * static_cast<float>(lower + i - zero_point))) & 0xff);
  const auto last = chain.nodes[0];
  const auto table_name = join(fusion.name_of(last), "_table");
  const auto table = change.add_constant(change[out].graph, view(table_name), tensor(change[out].type, 256), view(bytes));
  const auto lookup = change.insert_before(id, fusion.name_of(last), "baton.lookup", {chain.from, table}, {out}, {}, last);
  change.erase(id, lookup);
  for (const auto node : chain.nodes) change.erase(node, lookup);
  return true;
}

/// Removes the quantization `id` of a dequantized value if both quantized values have the same type, scale and zero point. If this removal
/// would change the name of a graph output, or if the quantizations differ, the node becomes a requantization, a `baton.quantize` of
/// integers. If the operand is not a dequantized value, calls `fuse_lookup`. Returns false if no fusion is possible. A dry run
/// (`is_dry_run`) changes nothing, but returns the same result.
constexpr auto fuse_quantize(quantization_fusion& fusion, node_id id) -> bool {
  auto& change = fusion.change;
  const auto out = change.output(id);
  const auto from = fusion.dequantized(change.input(id, 0), change[id].tag);
  if (from == none<value_id>) return fuse_lookup(fusion, id);
  if (!fusion.is_per_tensor(from) || !fusion.is_per_tensor(out)) return fusion.refuse("its operand or its output does not have one scale");
  if (fusion.is_dry_run) return true;
  if (fusion.is_same_quantized(from, out)) {
    if (!change.is_output(out)) {
      change.erase(id);
      change.replace_uses(out, from);
      return true;
    }
    const auto by = change.producer_of(from);
    if (by != none<node_id> && !change.is_output(from)) {  // the output keeps its name
      change.erase(id);
      change.move_result(from, out);
      return true;
    }
  }
  if (change[id].is("baton.quantize")) {
    change.set_input(id, 0, from);
  } else {
    change.erase(id, change.insert_before(id, fusion.name_of(id), "baton.quantize", {from}, {out}, {}, id));
  }
  return true;
}

}  // namespace baton::detail
