// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A backend for a program as torch.export wrote it: a unit for dense int8 layers, simulated in software. It receives `aten.*` and
// `quantized_decomposed.*` nodes.
#pragma once

#include <baton/baton.hpp>
#include <baton/graph.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace exported_model {

/// Computes output o as the sum over i of (x[i] - zero_point) * weights[o, i] plus bias[o], times `factor`, plus `output_zero_point`. The
/// biases and weights follow in the processed bytes.
struct dense_layer {
  std::uint32_t inputs = 0, outputs = 0;
  std::int32_t zero_point = 0, output_zero_point = 0;
  float factor = 0;
};
using words = std::array<std::uint32_t, sizeof(dense_layer) / 4>;

/// The nodes of a layer: PT2E quantization around a linear layer. Inputs of a pattern match any value.
constexpr auto quantized_linear() -> baton::exported_program {
  constexpr auto any = baton::tensor(baton::dtype::float32, 1);
  baton::program_builder build;
  const auto dequantized = [&](std::string_view name) {
    return build.call("quantized_decomposed.dequantize_per_tensor.default", {build.user_input(name, any)}, any);
  };
  const auto x = dequantized("x");
  const auto weights = dequantized("weights");
  const auto sums = build.call("aten.linear.default", {x, weights, dequantized("bias")}, any);
  build.output(build.call("quantized_decomposed.quantize_per_tensor.default", {sums}, any));
  return build.finish();
}

struct dense_unit {
  static constexpr auto id = baton::name<"DenseUnit">;

  /// Returns the layer, its biases and its weights. Fails with `refused_part` if the weights are not int8 or the biases are not int32, or
  /// if the scale of the biases is not that of the sums.
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&)
      -> baton::result<baton::preprocess_result> {
    const baton::program_view program(part);
    const auto producers = baton::producers_of(program);
    const auto& quantize = program.nodes[program.nodes.size() - 1];
    const auto& linear = program[producers[index(program.inputs(quantize)[0])]];
    const auto dequantize = [&](std::size_t operand) -> const baton::node& {
      return program[producers[index(program.inputs(linear)[operand])]];
    };
    const auto scale_of = [&](const baton::node& record) { return program.real(record, "arg_1"); };
    const auto weights = program.inputs(dequantize(1))[0], bias = program.inputs(dequantize(2))[0];
    const auto scale = scale_of(dequantize(0)) * scale_of(dequantize(1));
    const auto error = scale_of(dequantize(2)) - scale;
    if (program[weights].type != baton::dtype::int8 || program[bias].type != baton::dtype::int32 || error > 1e-6 * scale ||
        error < -1e-6 * scale) {
      return baton::broken<"refused_part">("the unit adds int32 biases with the scale of the sums to int8 products");
    }
    const auto shape = program.shape(weights);
    const dense_layer layer{.inputs = static_cast<std::uint32_t>(shape[1]),
                            .outputs = static_cast<std::uint32_t>(shape[0]),
                            .zero_point = static_cast<std::int32_t>(program.integer(dequantize(0), "arg_2")),
                            .output_zero_point = static_cast<std::int32_t>(program.integer(quantize, "arg_2")),
                            .factor = static_cast<float>(scale / scale_of(quantize))};
    baton::preprocess_result result;
    for (const auto word : std::bit_cast<words>(layer)) baton::append_word(result.processed_bytes, word);
    result.pack(part, {bias});
    result.pack(part, {weights});
    return result;
  }

  static void execute(const baton::delegate_call& call) {
    words read{};
    for (std::size_t w = 0; w < read.size(); ++w) read[w] = baton::word_at(call.processed_bytes, w * 4);
    const auto layer = std::bit_cast<dense_layer>(read);
    const char* weight = call.processed_bytes.data() + sizeof layer + layer.outputs * 4;
    for (std::uint32_t o = 0; o < layer.outputs; ++o) {
      auto sum = static_cast<std::int32_t>(baton::word_at(call.processed_bytes, sizeof layer + o * 4));
      for (std::uint32_t i = 0; i < layer.inputs; ++i)
        sum += (static_cast<signed char>(call.inputs[0][i]) - layer.zero_point) * static_cast<signed char>(*weight++);
      const auto steps = std::lrint(static_cast<float>(sum) * layer.factor) + layer.output_zero_point;  // rounds half to even, as PyTorch
      call.outputs[0][o] = static_cast<char>(std::clamp<long>(steps, -128, 127));
    }
  }
};

/// Assigns each layer that has the nodes of the pattern, with its weights. The weights and scales of a layer are literals, which are
/// ignored.
using dense_partitioner =
    baton::with_constants<baton::by_pattern<dense_unit, baton::patterns<quantized_linear>, baton::no_support, baton::literals::ignored>>;

}  // namespace exported_model
