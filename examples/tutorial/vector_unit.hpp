// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The backend of docs/tutorial.md: a unit that multiplies a vector by constants and adds constants, simulated in software.
#pragma once

#include <baton/baton.hpp>
#include <baton/kernel.hpp>

#include <cstddef>
#include <cstdint>

namespace tutorial {

// [translate]
enum class opcode : std::uint32_t { multiply, add };

template <opcode Code>
constexpr auto translate(const baton::program_view& program, const baton::node& record) -> baton::translation<opcode> {
  baton::portable::node_check check{program, record};
  check.counts(2, 2);
  const auto in = check.input(0, "input"), constants = check.input(1, "constants"), out = check.output();
  check.demand(in.is_float() && constants.is_float() && out.is_float(), "the unit computes float32");
  check.demand(in.count == out.count && constants.count == out.count, "the unit does not broadcast");
  check.demand(program.text(record, "fused_activation_function", "none") == "none", "the unit has no activations");
  check.constant_data(constants, "constants");
  return {check.verdict_so_far(), Code};
}

using table = baton::translation_table<baton::translates<"tfl.mul", translate<opcode::multiply>>,  //
                                       baton::translates<"tfl.add", translate<opcode::add>>>;
// [translate]

// [preprocess]
struct vector_unit {
  static constexpr auto id = baton::name<"VectorUnit">;

  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&)
      -> baton::result<baton::preprocess_result> {
    auto codes = baton::translate_part<table>(part);
    if (!codes) return codes.error;
    const auto inputs = baton::call_slots::inputs_of(part), outputs = baton::call_slots::outputs_of(part);
    if (inputs.size() != 1 || outputs.size() != 1) return baton::refuse_part("the unit has one input and one output");

    baton::preprocess_result result;
    auto vector = inputs[0].value;  // the operand of the next node, because the unit has one register
    for (std::size_t n = 0; n < part.nodes.size(); ++n) {
      const auto operands = part.inputs(part.nodes[n]);
      if (operands[0] != vector) return baton::refuse_part("the nodes do not form a chain");
      baton::append_word(result.processed_bytes, static_cast<std::uint32_t>(codes.value[n]));
      result.pack(part, {operands[1]});
      vector = part.outputs_of(part.nodes[n])[0];
    }
    return result;
  }
  // [preprocess]

  // [execute]
  static auto execute(const baton::delegate_call& call) -> baton::status {
    const auto program = call.processed_bytes;
    const auto from = call.inputs[0];
    const auto to = call.outputs[0];
    const auto bytes = 4 + to.size();  // the size of an instruction: its opcode and constants
    if (program.empty() || program.size() % bytes != 0) return baton::status::invalid_program;
    for (std::size_t at = 0; at < program.size(); at += bytes) {
      const char* vector = at == 0 ? from.data() : to.data();
      const char* constants = program.data() + at + 4;
      const auto code = static_cast<opcode>(baton::word_at(program, at));
      for (std::size_t i = 0; i < to.size() / 4; ++i) {
        const auto x = baton::portable::load<float>(vector, i), constant = baton::portable::load<float>(constants, i);
        baton::portable::store(to.data(), i, code == opcode::multiply ? x * constant : x + constant);
      }
    }
    return baton::status::ok;
  }
};
// [execute]

// [partitioner]
using vector_partitioner = baton::with_constants<baton::by_support<vector_unit, table>>;
// [partitioner]

}  // namespace tutorial
