// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Moves dequantizations from the operands to the outputs of operators that move, join or compare elements. The operators then work on
// integers.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/detail/clamps.hpp>
#include <baton/transform/detail/fused_output.hpp>
#include <baton/transform/detail/quantization_fusion.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// True if a clamp to `limits` can be moved before the dequantization. This is possible if the clamp has no effect. It is also possible for
/// relu, because the zero point represents the bound 0.
constexpr auto commutes_with_dequantization(quantized::bounds<float> limits) -> bool {
  const auto* const activation = activation_with(limits);
  return activation != nullptr && (std::string_view{activation} == "none" || std::string_view{activation} == "relu");
}

/// Replaces the node `id` by a copy that works on integers, with the operands `inputs`, and dequantizes each output of the copy. The
/// outputs of the copy have the quantization of `quantized_like`. `dequantization` is the node that dequantizes the operand whose elements
/// move, or operand 0 if the node joins or compares several operands.
constexpr void move_to_integers(quantization_fusion& fusion, node_id id, node_id dequantization, value_id quantized_like,
                                const vector<value_id>& inputs) {
  auto& change = fusion.change;
  vector<value_id> floats, quantized_outputs;
  for (const auto out : fusion.source.outputs_of(fusion.source[id])) {
    floats.push_back(out);
    quantized_outputs.push_back(fusion.add_like(out, quantized_like, "_quantized"));
  }
  const auto copy = fusion.insert_copy(id, inputs, quantized_outputs);
  // If the node has one output and is the only user of the dequantization, the dequantization is moved. Otherwise, a new dequantization is
  // added for each output.
  const auto operand = change.output(dequantization);
  std::uint32_t uses = 0;
  for (std::uint32_t i = 0; i < change[id].inputs.size; ++i) uses += change.input(id, i) == operand ? 1U : 0U;
  const bool reuses_dequantization = floats.size() == 1 && change.uses_of(operand) == uses;
  for (std::size_t i = 0; i < floats.size(); ++i) {
    const auto base =
        reuses_dequantization ? change.program().text(change[dequantization].name) : fusion.source.text(fusion.source[floats[i]].name);
    const auto name = join(base, reuses_dequantization ? "" : "_dequantize");
    const auto added = change.insert_before(id, {.name = view(name),
                                                 .op = "tfl.dequantize",
                                                 .inputs = {&quantized_outputs[i], 1},
                                                 .outputs = {&floats[i], 1},
                                                 .handle_of = reuses_dequantization ? dequantization : none<node_id>,
                                                 .tag_of = id});
    if (reuses_dequantization) change.erase(dequantization, added);
  }
  change.erase(id, copy);
}

/// Changes a node that moves elements, so that the node works on integers. The dequantization moves from the operand to the outputs of the
/// node. Returns false and sets `fusion.why` if that is not possible.
constexpr auto fuse_move(quantization_fusion& fusion, node_id id) -> bool {
  const auto record = fusion.change[id];
  const auto at = moved_operand(record);
  const auto operand = fusion.change.input(id, at);
  const auto quantized_operand = fusion.dequantized(operand, record.tag);
  if (quantized_operand == none<value_id> || !fusion.is_per_tensor(quantized_operand))
    return fusion.refuse("its operand is not dequantized with a per-tensor scale");
  const auto clamp = clamp_of(fusion.change.program().text(record, "fused_activation_function", "none"));
  if (!clamp || !commutes_with_dequantization(clamp.limits)) return fusion.refuse("it has a fused activation");
  vector<value_id> inputs;
  for (std::uint32_t i = 0; i < record.inputs.size; ++i) {
    inputs.push_back(i == at ? quantized_operand : fusion.change.input(id, i));
    if (i != at && inputs[i] != none<value_id> && fusion.change[inputs[i]].type == dtype::float32)
      return fusion.refuse("another operand is float32");
  }
  if (!fusion.is_dry_run) move_to_integers(fusion, id, fusion.change.producer_of(operand), quantized_operand, inputs);
  return true;
}

/// Inserts a requantization of `from` to the quantization of `to` before the node `id`, and returns the requantized value. The
/// requantization rounds ties to even. The requantization multiplies by the reciprocal of the scale if `quantizer`, the node that produces
/// `to`, does so.
constexpr auto add_requantization(quantization_fusion& fusion, value_id from, value_id to, node_id quantizer, node_id id) -> value_id {
  const auto result = fusion.add_like(from, to, "_requantized");
  const auto name = join(fusion.change.program().text(fusion.change[result].name));
  const auto added = fusion.change.insert_before(
      id, {.name = view(name), .op = "baton.quantize", .inputs = {&from, 1}, .outputs = {&result, 1}, .tag_of = id});
  if (fusion.quantizer_of(quantizer, to).is_reciprocal) fusion.change.set_attribute(added, {"by", "reciprocal"});
  return result;
}

/// Changes a node that joins or compares elements, so that the node works on integers. The operands must be dequantized. If all operands
/// have the same quantization, the output is dequantized. Otherwise, the output must be quantized, and each operand whose quantization
/// differs from that of the output is requantized. Quantization is monotone, so moving it before a join or comparison does not change the
/// output. Exception: ties are rounded to even, also if the output was quantized by a `tfl.quantize`. Returns false and sets `fusion.why`
/// if the change is not possible.
constexpr auto fuse_join(quantization_fusion& fusion, node_id id) -> bool {
  const auto record = fusion.change[id];
  vector<value_id> inputs;
  bool are_same = true;
  for (std::uint32_t i = 0; i < record.inputs.size; ++i) {
    inputs.push_back(fusion.dequantized(fusion.change.input(id, i), record.tag));
    if (inputs[i] == none<value_id> || !fusion.is_per_tensor(inputs[i]))
      return fusion.refuse("its operands are not all dequantized with a per-tensor scale");
    are_same = are_same && fusion.is_same_quantized(inputs[0], inputs[i]);
  }
  const auto clamp = clamp_of(fusion.change.program().text(record, "fused_activation_function", "none"));
  if (!clamp || activation_with(clamp.limits) != std::string_view{"none"}) return fusion.refuse("it has a fused activation");
  if (inputs.empty()) return fusion.refuse("it has no operands");
  if (are_same) {
    if (!fusion.is_dry_run) move_to_integers(fusion, id, fusion.change.producer_of(fusion.change.input(id, 0)), inputs[0], inputs);
    return true;
  }
  const auto output = fused_output::of(fusion, id, clamp.limits);
  if (!output) return false;
  if (!output.clamps.empty() || !fusion.is_per_tensor(output.value))
    return fusion.refuse("its operands have different scales, and its output is clamped, or is not quantized with a per-tensor scale");
  if (fusion.is_dry_run) return true;
  for (auto& input : inputs) {
    if (!fusion.is_same_quantized(input, output.value)) input = add_requantization(fusion, input, output.value, output.quantize, id);
  }
  const vector<value_id> outputs(1, output.value);
  output.replace(fusion, id, fusion.insert_copy(id, inputs, outputs));
  return true;
}

}  // namespace baton::detail
