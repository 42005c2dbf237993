// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The npu's compiler: compiles a part of a program to processed bytes, at compile time or at run time, with the same result.
#pragma once

#include "npu_isa.hpp"
#include "npu_translate.hpp"

#include <baton/backend/backend.hpp>
#include <baton/backend/delegate_mapping.hpp>
#include <baton/backend/translation_table.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/kernels/portable/pairwise.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/plan/arena.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace npu_example {

using baton::quantized::to_fixed;

/// Writes the multipliers of a layer: input scale · filter scale / output scale. Computed in double, except that the product of a fully
/// connected layer with one filter scale is rounded to float, as in the reference. Each channel needs few steps, because this runs at
/// compile time.
constexpr void write_layer_multipliers(char* to, const baton::program_view& program, const baton::node& record) {
  const auto& filter = program[program.inputs(record)[1]].quant;
  const auto in = program.scale(program[program.inputs(record)[0]].quant);
  const auto out = static_cast<double>(program.scale(program[program.outputs_of(record)[0]].quant));
  if (record.is("tfl.fully_connected") && filter.channels == 1) {
    const float product = in * program.scale(filter);
    return write_multiplier(to, to_fixed(static_cast<double>(product) / out));
  }
  const auto scales = program.data(filter.scales);
  for (std::uint32_t channel = 0; channel < filter.channels; ++channel, to += multiplier_bytes) {
    const auto scale = std::bit_cast<float>(baton::quantized::little_endian_32(scales, channel));
    write_multiplier(to, to_fixed(static_cast<double>(in) * static_cast<double>(scale) / out));
  }
}

/// Writes the multipliers of an instruction.
constexpr void write_multipliers(char* to, const baton::program_view& program, const baton::node& record, opcode op) {
  if (op == opcode::convolve || op == opcode::convolve_depthwise) write_layer_multipliers(to, program, record);
  if (op != opcode::add) return;
  const auto sum = baton::portable::pairwise::describe(program, record).plan;
  write_multiplier(to, sum.left.by);
  write_multiplier(to + multiplier_bytes, sum.right.by);
  write_multiplier(to + 2 * multiplier_bytes, sum.by);
}

/// Compiles one part. Call `run` once.
class part_compiler {
 public:
  constexpr explicit part_compiler(const baton::program_view& part) : part_(part) {}

  /// Returns the processed bytes with their debug map and the size of its scratch memory. Fails with `refused_part`.
  constexpr auto run() -> baton::result<baton::preprocess_result> {
    if (auto why = assign_addresses()) return why;
    if (auto why = translate_nodes()) return why;
    baton::preprocess_result result;
    result.processed_bytes = processed_bytes();
    result.debug_handle_map = debug_map();
    result.scratch_bytes = begin_.scratch_bytes;
    return result;
  }

 private:
  /// Assigns an address to every value. Inputs and outputs of the part are in the caller's memory, all other values in scratch memory.
  constexpr auto assign_addresses() -> baton::failure {
    addresses_.assign(part_.values.size(), address{});
    auto values = baton::vector<baton::value>(part_.values.begin(), part_.values.end());
    for (const auto id : part_.inputs(part_.root())) {
      if (part_[id].kind != baton::value_kind::user_input) {
        return baton::refuse_part("the npu takes weights as arguments, the part owns ", part_.text(part_[id].name));
      }
      addresses_[index(id)] = {memory::argument, begin_.arguments++};
      values[index(id)].kind = baton::value_kind::constant;
    }
    for (const auto& spec : part_.outputs_of(part_.root())) {
      if (addresses_[index(spec.value)] != address{}) {
        return baton::refuse_part(part_.text(part_[spec.value].name),
                                  " is an input or another output; the outputs of a part for the npu must be distinct");
      }
      addresses_[index(spec.value)] = {memory::output, begin_.outputs++};
      values[index(spec.value)].kind = baton::value_kind::constant;
    }
    // Constants need no memory in a plan. Inputs and outputs are marked as constants, so Baton's planner plans only the scratch memory.
    auto inside = part_;
    inside.values = values;
    return assign_scratch_addresses(inside);
  }

  constexpr auto assign_scratch_addresses(const baton::program_view& inside) -> baton::failure {
    const auto plan = baton::plan_memory(inside);
    if (!plan) return plan.error;
    if (plan.value.arena_bytes > UINT32_MAX)
      return baton::refuse_part("the part needs ", plan.value.arena_bytes, " bytes of scratch memory");
    begin_.scratch_bytes = static_cast<std::uint32_t>(plan.value.arena_bytes);
    for (std::uint32_t v = 0; v < addresses_.size(); ++v) {
      const auto offset = plan.value.offset_of(static_cast<baton::value_id>(v));
      if (offset != baton::npos) addresses_[v] = {memory::scratch, static_cast<std::uint32_t>(offset)};
    }
    return {};
  }

  constexpr auto translate_nodes() -> baton::failure {
    const auto nodes = part_.nodes_of(part_.root());
    if (nodes.size() > max_instructions) {
      return baton::refuse_part("the npu holds ", max_instructions, " instructions, the part has ", nodes.size());
    }
    auto translated = baton::translate_part<npu_instructions>(part_);
    if (!translated) return translated.error;
    codes_ = std::move(translated.value);
    for (std::size_t n = 0; n < nodes.size(); ++n) set_addresses(codes_[n], nodes[n]);
    begin_.instructions = static_cast<std::uint32_t>(codes_.size());
    return {};
  }

  /// Sets the addresses of the operands and the position of the multipliers of an instruction.
  constexpr void set_addresses(instruction& code, const baton::node& record) {
    code.first = address_of(record, 0);
    if (code.op != opcode::copy) code.second = address_of(record, 1);
    code.third = address_of(record, 2);
    code.to = addresses_[index(part_.outputs_of(record)[0])];
    code.multipliers = begin_.multipliers;
    begin_.multipliers += code.multiplier_count;
  }

  /// Returns the address of operand `i`, or an empty address if the node omits it.
  constexpr auto address_of(const baton::node& record, std::size_t i) const -> address {
    const auto inputs = part_.inputs(record);
    if (i >= inputs.size() || inputs[i] == baton::none<baton::value_id>) return {};
    return addresses_[index(inputs[i])];
  }

  constexpr auto processed_bytes() const -> baton::text_buffer {
    baton::text_buffer bytes;
    bytes.assign(processed_size(begin_), '\0');
    write(bytes.data(), begin_);
    char* const table = bytes.data() + table_offset(begin_);
    for (std::uint32_t n = 0; n < codes_.size(); ++n) {
      write(bytes.data() + instruction_offset(n), codes_[n]);
      write_multipliers(table + codes_[n].multipliers * multiplier_bytes, part_, part_.nodes_of(part_.root())[n], codes_[n].op);
    }
    return bytes;
  }

  /// Returns the debug map, from the position of an instruction to the debug handle of its node. The positions are explicit, because
  /// generated ones would skip nodes without a handle.
  constexpr auto debug_map() const -> baton::vector<baton::debug_map_entry> {
    baton::delegate_mapping_builder map;
    const auto nodes = part_.nodes_of(part_.root());
    for (std::size_t n = 0; n < nodes.size(); ++n) map.insert(nodes[n], static_cast<std::int64_t>(n));
    return map.entries();
  }

  baton::program_view part_;
  header begin_;
  baton::vector<address> addresses_;  ///< the address of each value
  baton::vector<instruction> codes_;
};

}  // namespace npu_example
