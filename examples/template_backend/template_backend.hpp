// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A template for a custom backend: a device for dense layers in float32. Copy it, rename it, and replace the instruction, the table and
// `execute`. examples/npu is a larger backend, in five files: int8, seven operators, planned memory.
#pragma once

#include <baton/baton.hpp>
#include <baton/kernel.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace template_backend {

using baton::portable::load;

/// The memory of a value: an argument or a result of the call, or its scratch memory.
enum class memory : std::uint32_t { argument, result, scratch };
/// The location of a value. `at` is the position of the argument or result, or an offset in scratch memory, in bytes.
struct place {
  memory in = memory::scratch;
  std::uint32_t at = 0;
};

/// Computes to[b, o] = bias[o] + sum over i of from[b, i] * weights[i, o]. If `is_relu`, replaces negative results by 0.
struct instruction {
  std::uint32_t batches = 1, inputs = 1, outputs = 1, is_relu = 0;
  place from{}, to{};
  std::uint32_t bias = 0, weights = 0;  ///< offsets in the processed bytes
};
using words = std::array<std::uint32_t, sizeof(instruction) / 4>;

/// Translates a node to an instruction without locations, or returns the reason why it is not supported.
constexpr auto translate_dense(const baton::program_view& program, const baton::node& record) -> baton::translation<instruction> {
  baton::portable::node_check check{program, record};
  check.counts(3, 3);
  const auto in = check.input(0, "input");
  const auto weights = check.input(1, "weights", 2);
  const auto bias = check.input(2, "bias");
  const auto out = check.output();
  const auto activation = program.text(record, "fused_activation_function", "none");
  check.demand(in.is_float() && weights.is_float() && bias.is_float() && out.is_float(), "the device computes float32");
  check.constant_data(weights, "weights");
  check.constant_data(bias, "bias");
  check.demand(activation == "none" || activation == "relu", "the device has no activation ", activation);
  check.demand(bias.count == out.last() && weights.size(0) == out.last() && weights.size(1) == in.last() &&
                   std::int64_t{in.count} * out.last() == std::int64_t{out.count} * in.last(),
               "the sizes of the operands do not match");
  const auto size = [](std::int32_t count) { return static_cast<std::uint32_t>(count); };
  return {check.verdict_so_far(), {size(out.count / out.last()), size(in.last()), size(out.last()), activation == "relu" ? 1u : 0u}};
}
/// The operators of the device. To add an operator, add a row.
using table = baton::translation_table<baton::translates<"tfl.fully_connected", translate_dense>>;

struct backend {
  static constexpr auto id = baton::name<"Template">;

  /// Returns processed bytes with the number of instructions, the instructions, and the bias and weights of each. Fails with
  /// `refused_part`.
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&)
      -> baton::result<baton::preprocess_result> {
    auto translated = baton::translate_part<table>(part);
    if (!translated) return translated.error;
    auto& codes = translated.value;
    baton::preprocess_result result;
    baton::vector<place> places(part.values.size(), place{});
    for (const auto& slot : baton::call_slots::inputs_of(part)) places[index(slot.value)] = {memory::argument, slot.position};
    for (std::size_t n = 0; n < codes.size(); ++n) {  // each output of a node has its own scratch memory
      places[index(part.outputs_of(part.nodes[n])[0])].at = result.scratch_bytes;
      result.scratch_bytes += codes[n].batches * codes[n].outputs * 4;
    }
    for (const auto& slot : baton::call_slots::outputs_of(part)) places[index(slot.value)] = {memory::result, slot.position};

    baton::delegate_mapping_builder map;
    auto end = static_cast<std::uint32_t>(4 + codes.size() * sizeof(instruction));
    append_word(result.processed_bytes, static_cast<std::uint32_t>(codes.size()));
    for (std::size_t n = 0; n < codes.size(); ++n) {
      auto& code = codes[n];
      code.from = places[index(part.inputs(part.nodes[n])[0])];
      code.to = places[index(part.outputs_of(part.nodes[n])[0])];
      code.bias = end;
      code.weights = code.bias + code.outputs * 4;
      end = code.weights + code.inputs * code.outputs * 4;
      for (const auto word : std::bit_cast<words>(code)) append_word(result.processed_bytes, word);
      if (auto named = map.insert(part.nodes[n], static_cast<std::int64_t>(n)); !named) return named.error;
    }
    for (std::size_t n = 0; n < codes.size(); ++n) {  // transposes the weights, so that the device reads them sequentially
      const auto operands = part.inputs(part.nodes[n]);
      result.pack(part, {operands[2]});
      result.pack(part, {operands[1], {{.dimension = 1, .count = codes[n].inputs}, {.dimension = 0, .count = codes[n].outputs}}});
    }
    result.debug_handle_map = map.entries();
    return result;
  }

  /// Executes the processed bytes. Fails with `invalid_program` if the number of instructions does not fit the processed bytes, or if the
  /// weights or biases of an operation are outside the processed bytes; `failed_operation` is then its index.
  static auto execute(const baton::execution_context<>& call) -> baton::status {
    const auto count = call.processed_bytes.size() < 4 ? 0 : baton::word_at(call.processed_bytes, 0);
    if (count == 0 || count > (call.processed_bytes.size() - 4) / sizeof(instruction)) return baton::status::invalid_program;
    for (std::uint32_t n = 0; n < count; ++n) {
      words read{};
      for (std::size_t w = 0; w < read.size(); ++w) read[w] = baton::word_at(call.processed_bytes, 4 + n * sizeof(instruction) + w * 4);
      const auto code = std::bit_cast<instruction>(read);
      const auto end_of_weights = code.weights + std::uint64_t{code.inputs} * code.outputs * 4;
      const auto end_of_biases = code.bias + std::uint64_t{code.outputs} * 4;
      if (std::max(end_of_weights, end_of_biases) > call.processed_bytes.size()) {
        call.failed_operation = n;
        return baton::status::invalid_program;
      }
      run(call, code);
    }
    return baton::status::ok;
  }

 private:
  static void run(const baton::delegate_call& call, const instruction& code) {
    const char* from = code.from.in == memory::argument ? call.inputs[code.from.at].data()
                       : code.from.in == memory::result ? call.outputs[code.from.at].data()
                                                        : call.scratch.data() + code.from.at;
    char* to = code.to.in == memory::result ? call.outputs[code.to.at].data() : call.scratch.data() + code.to.at;
    for (std::uint32_t b = 0; b < code.batches; ++b, from += code.inputs * 4, to += code.outputs * 4) {
      std::copy_n(call.processed_bytes.data() + code.bias, code.outputs * 4, to);
      const char* weight = call.processed_bytes.data() + code.weights;
      for (std::uint32_t i = 0; i < code.inputs; ++i) {
        const auto x = load<float>(from, i);
        for (std::uint32_t o = 0; o < code.outputs; ++o, weight += 4) {
          baton::portable::store(to, o, load<float>(to, o) + x * load<float>(weight));
        }
      }
      for (std::uint32_t o = 0; o < code.outputs && code.is_relu != 0; ++o)
        baton::portable::store(to, o, std::max(0.0F, load<float>(to, o)));
    }
  }
};
static_assert(baton::backend<backend> && baton::executable_backend<backend>);

/// Assigns every node that the table translates, and its constants, because `pack` needs them in the part.
using partitioner = baton::with_constants<baton::by_support<backend, table>>;

}  // namespace template_backend
