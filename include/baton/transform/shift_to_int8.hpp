// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass that turns quantized uint8 values into int8 values.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/byte_recipe.hpp>
#include <baton/core/shared/little_endian.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/transform/detail/quantized_moves.hpp>
#include <baton/transform/pass.hpp>
#include <baton/transform/rewriter.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

/// A pass that turns quantized uint8 values into int8 values that represent the same numbers, because the kernels of layers support only
/// int8. Subtracts 128 from the integers and the zero points.
/// - A value between nodes changes if the nodes that produce and use the value only quantize, dequantize, move, join or compare elements.
///   Other nodes, for example calls of delegates, keep their operands and outputs.
/// - Constants change under the same condition.
/// - User inputs (tensors that the caller passes to a run) and outputs of graphs keep their types. If a node that uses or produces such an
///   input or output works on int8, a `baton.quantize` converts between uint8 and int8 without loss.
struct shift_to_int8 {
  static constexpr std::string_view name = "shift_to_int8";

  /// True if the program has a quantized uint8 value.
  static constexpr auto is_needed(const program_view& program) -> bool {
    for (const auto& record : program.values) {
      if (is_candidate(record)) return true;
    }
    return false;
  }

  static constexpr auto run(const program_view& program, byte_recipe::timing when = byte_recipe::timing::at_once) -> exported_program {
    if (!is_needed(program)) return thaw(program);
    return shifting(program, when).run();
  }

 private:
  static constexpr auto is_candidate(const value& record) -> bool { return record.type == dtype::uint8 && record.quant.channels != 0; }

  class shifting {
   public:
    constexpr shifting(const program_view& program, byte_recipe::timing when)
        : program_(program),
          change_(program),
          when_(when),
          nodes_(change_.nodes()),
          is_shifted_(program.values.size(), 0),
          shifted_copy_(program.values.size(), none<value_id>) {}

    constexpr auto run() -> exported_program {
      choose();
      for (const auto id : nodes_) convert_operands(id);
      for (std::uint32_t v = 0; v < is_shifted_.size(); ++v) {
        if (is_shifted_[v] != 0 && program_.values[v].kind != value_kind::user_input && !is_graph_output(static_cast<value_id>(v)))
          shift_value(static_cast<value_id>(v));
      }
      return change_.finish();
    }

   private:
    // The choice

    constexpr void choose() {
      for (std::uint32_t v = 0; v < is_shifted_.size(); ++v) {
        const auto& record = program_.values[v];
        if (!is_candidate(record) || record.tag != none<tag_id>) continue;
        if (record.kind == value_kind::mutable_buffer || record.kind == value_kind::scratch) continue;
        if (is_owned_data(record.kind) && is_graph_output(static_cast<value_id>(v))) continue;
        is_shifted_[v] = 1;
      }
      keep_values_of_other_nodes();
    }
    /// Excludes the values that must stay uint8: values of nodes that the pass does not support, and values that no node uses or produces.
    /// A node that moves elements needs the same type for operands and outputs, so one excluded value can exclude further values.
    constexpr void keep_values_of_other_nodes() {
      vector<char> is_used(program_.values.size(), 0);
      for (const auto id : nodes_) {
        const auto& record = program_[id];
        for (const auto value : program_.inputs(record)) {
          if (value != none<value_id>) is_used[index(value)] = 1;
        }
        for (const auto value : program_.outputs_of(record)) is_used[index(value)] = 1;
        if (!is_quantize(record) && !record.is("tfl.dequantize") && !moves(record)) keep(record);
      }
      for (std::size_t v = 0; v < is_shifted_.size(); ++v) is_shifted_[v] = static_cast<char>(is_shifted_[v] & is_used[v]);
      for (bool is_settled = false; !is_settled;) {
        is_settled = true;
        for (const auto id : nodes_) {
          const auto& record = program_[id];
          if (moves(record) && has_kept_value(record)) is_settled = !keep(record) && is_settled;
        }
      }
    }
    static constexpr auto moves(const node& record) -> bool {
      return is_among(record.op, detail::moving_operators) || is_among(record.op, detail::joining_operators);
    }
    static constexpr auto is_quantize(const node& record) -> bool { return detail::is_quantize(record); }
    constexpr auto has_kept_value(const node& record) const -> bool {
      const auto is_kept = [&](value_id v) {
        return v != none<value_id> && program_[v].type == dtype::uint8 && is_shifted_[index(v)] == 0;
      };
      for (const auto value : program_.inputs(record)) {
        if (is_kept(value)) return true;
      }
      for (const auto value : program_.outputs_of(record)) {
        if (is_kept(value)) return true;
      }
      return false;
    }
    /// Excludes the operands and outputs of a node from the shift. Returns true if one of them was not excluded before.
    constexpr auto keep(const node& record) -> bool {
      bool was_shifted = false;
      const auto keep_value = [&](value_id v) {
        if (v == none<value_id>) return;
        was_shifted = was_shifted || is_shifted_[index(v)] != 0;
        is_shifted_[index(v)] = 0;
      };
      for (const auto value : program_.inputs(record)) keep_value(value);
      for (const auto value : program_.outputs_of(record)) keep_value(value);
      return was_shifted;
    }
    constexpr auto is_graph_output(value_id v) const -> bool { return change_.is_output(v); }

    // The change

    /// If an operand of a node is marked in `is_shifted_`, and is a user input or a graph output, replaces the operand by an int8 copy.
    /// Also replaces the outputs of the node that are marked and are graph outputs. Does nothing for a quantization whose input is not
    /// float32.
    constexpr void convert_operands(node_id id) {
      const auto& record = program_[id];
      const auto inputs = program_.inputs(record);
      const bool converts = is_quantize(record) && program_[inputs[0]].type != dtype::float32;
      for (std::uint32_t i = 0; i < inputs.size(); ++i) {
        const auto v = inputs[i];
        if (v == none<value_id> || is_shifted_[index(v)] == 0 || converts) continue;
        if (program_[v].kind != value_kind::user_input && !is_graph_output(v)) continue;
        if (shifted_copy_[index(v)] == none<value_id>) convert_input(v, id);
        change_.set_input(id, i, shifted_copy_[index(v)]);
      }
      if (converts) return;
      bool has_outputs = false;
      for (const auto v : program_.outputs_of(record)) has_outputs = has_outputs || (is_shifted_[index(v)] != 0 && is_graph_output(v));
      if (has_outputs) convert_outputs(id);
    }
    /// Inserts a conversion of `v` to int8 before the node `user`. `v` is a user input, or a graph output that stays uint8.
    constexpr void convert_input(value_id v, node_id user) {
      const auto copy = add_copy(v);
      change_.insert_before(user, view(join(program_.text(program_[v].name), "_to_int8")), "baton.quantize", {v}, {copy});
      shifted_copy_[index(v)] = copy;
    }
    /// Replaces the node `id` by a copy that produces int8 values, and inserts conversions of these values to the graph outputs.
    constexpr void convert_outputs(node_id id) {
      const auto& record = program_[id];
      vector<value_id> inputs, outputs;
      for (std::uint32_t i = 0; i < record.inputs.size; ++i) inputs.push_back(change_.input(id, i));
      for (const auto v : program_.outputs_of(record)) {
        const bool is_converted = is_shifted_[index(v)] != 0 && is_graph_output(v);
        if (is_converted) shifted_copy_[index(v)] = add_copy(v);
        outputs.push_back(is_converted ? shifted_copy_[index(v)] : v);
      }
      const auto copy = change_.insert_before(id, {.name = program_.text(record.name),
                                                   .op = program_.text(record.target),
                                                   .inputs = inputs,
                                                   .outputs = outputs,
                                                   .attributes_of = id,
                                                   .handle_of = id,
                                                   .tag_of = id});
      for (const auto v : program_.outputs_of(record)) {
        if (is_shifted_[index(v)] == 0 || !is_graph_output(v)) continue;
        change_.insert_before(id, view(join(program_.text(program_[v].name), "_to_uint8")), "baton.quantize", {shifted_copy_[index(v)]},
                              {v});
      }
      change_.erase(id, copy);
    }
    constexpr auto add_copy(value_id v) -> value_id {
      const auto copy = change_.add_value(program_[v].graph, view(join(program_.text(program_[v].name), "_int8")), {dtype::int8, 0, {}});
      change_.edit(copy).shape = program_[v].shape;
      change_.edit(copy).quant = shifted(program_[v].quant);
      return copy;
    }
    constexpr void shift_value(value_id v) {
      const auto quant = shifted(program_[v].quant);
      byte_ref data{};
      if (is_owned_data(program_[v].kind))
        data = change_.derive(byte_recipe::inversion(program_[v].data.size, 0x80), program_[v].data, when_);
      auto& record = change_.edit(v);
      record.type = dtype::int8;
      record.quant = quant;
      record.data = data;
    }
    constexpr auto shifted(quantization quant) -> quantization {
      text_buffer packed;
      const std::uint32_t count = quant.zero_points.size > 8 ? quant.channels : 1;
      for (std::uint32_t c = 0; c < count; ++c)
        append_little_endian(packed, static_cast<std::uint64_t>(program_.zero_point(quant, c) - 128), 8);
      bool are_zero = true;  // zero points that are all 0 are omitted
      for (const char byte : packed) are_zero = are_zero && byte == 0;
      quant.zero_points = {};
      if (!are_zero) quant.zero_points = change_.own(view(repeated(packed, quant.channels)));
      return quant;
    }
    /// Returns one packed zero point for each channel. `packed` has one zero point, or one for each channel.
    static constexpr auto repeated(const text_buffer& packed, std::uint32_t channels) -> text_buffer {
      text_buffer all;
      for (std::uint32_t c = 0; c < channels; ++c) {
        const auto first = packed.size() == 8 ? 0 : std::size_t{8} * c;
        all.insert(all.end(), packed.data() + first, packed.data() + first + 8);
      }
      return all;
    }

    program_view program_;
    rewriter change_;
    byte_recipe::timing when_;
    vector<node_id> nodes_;
    vector<char> is_shifted_;        ///< indexed by value: whether the value, or a copy of the value, becomes int8
    vector<value_id> shifted_copy_;  ///< indexed by value: the int8 copy of a user input or graph output
  };
};
static_assert(pass<shift_to_int8>);

}  // namespace baton
