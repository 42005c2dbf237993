// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Compiles a part of a program to processed bytes and named data, at compile time or at run time, with the same result.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/call_slots.hpp>
#include <baton/backend/delegate_mapping.hpp>
#include <baton/backend/named_data.hpp>
#include <baton/backend/translation_table.hpp>
#include <baton/backends/xnnpack/detail/format.hpp>
#include <baton/backends/xnnpack/detail/instruction.hpp>
#include <baton/backends/xnnpack/detail/library.hpp>
#include <baton/backends/xnnpack/detail/processed_writer.hpp>
#include <baton/backends/xnnpack/detail/translate.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::xnnpack::detail {

/// A compiler of one part. `run` may be called only once.
class part_compiler {
 public:
  constexpr explicit part_compiler(const program_view& part) : part_(part), indices_(part.values.size(), nothing) {}

  /// Returns the processed bytes and the named data. Fails with `refused_part` if XNNPACK does not support the part, and with
  /// `conflicting_named_data` if the keys of two constants collide.
  template <class Table = operators>
  constexpr auto run() -> result<preprocess_result> {
    if (auto why = add_externals()) return why;
    const auto nodes = part_.nodes_of(part_.root());
    auto codes = translate_part<Table>(part_);
    if (!codes) return codes.error;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      if (auto why = add_operator(std::move(codes.value[n]), nodes[n])) return why;
    }
    result_.processed_bytes = writer_.bytes();
    result_.debug_handle_map = map_.entries();
    return std::move(result_);
  }

 private:
  constexpr auto add_externals() -> failure {
    const auto inputs = call_slots::inputs_of(part_);
    const auto outputs = call_slots::outputs_of(part_);
    if (inputs.size() + outputs.size() > max_externals) {
      return refuse_part("a part for XNNPACK must have at most ", max_externals, " arguments and results; this part has ",
                         inputs.size() + outputs.size());
    }
    for (const auto input : part_.inputs(part_.root())) {
      if (part_[input].kind == value_kind::mutable_buffer) return refuse_part("XNNPACK does not support states, but the part owns one");
    }
    if (auto why = add_slots(inputs, value_role::argument)) return why;
    return add_slots(outputs, value_role::result);
  }
  constexpr auto add_slots(const call_slots& slots, value_role role) -> failure {
    for (const auto& slot : slots) {
      if (indices_[index(slot.value)] != nothing) {
        return refuse_part("result ", slot.name, " is also an argument or another result; the results of an XNNPACK part must be distinct");
      }
      if (part_.shape(slot.value).size() > max_dimensions) return refuse_part(slot.name, " has more than six dimensions");
      indices_[index(slot.value)] = writer_.add(record_of(slot.value, role, slot.position));
    }
    return {};
  }

  constexpr auto record_of(value_id id, value_role role, std::uint32_t place) const -> value_record {
    const auto& value = part_[id];
    value_record result{.role = role, .place = place};
    if (value.type == dtype::int8) result.type = element::int8;
    if (value.type == dtype::int8 && value.quant.channels == 1) {
      result.scale = part_.scale(value.quant);
      result.zero_point = static_cast<std::int32_t>(part_.zero_point(value.quant));
    }
    for (const auto size : part_.shape(id)) result.sizes[result.rank++] = static_cast<std::uint32_t>(size);
    return result;
  }

  /// Returns the record of a constant as a value of one dimension, regardless of its shape.
  constexpr auto flat_record_of(value_id id) const -> value_record {
    value_record result{.role = value_role::constant, .rank = 1};
    if (part_[id].type == dtype::int32) result.type = element::int32;
    result.sizes[0] = static_cast<std::uint32_t>(element_count(part_.shape(id)));
    return result;
  }

  constexpr auto add_operator(instruction code, const node& record) -> failure {
    auto& encoded = code.code;
    std::array<value_id, 4> ids{};
    for (std::uint32_t i = 0; i < encoded.operands; ++i) {
      ids[i] = encoded.from[i] == nothing ? baton::none<value_id> : part_.inputs(record)[encoded.from[i]];
    }
    for (std::uint32_t i = 0; i < encoded.operands; ++i) {
      if (ids[i] == baton::none<value_id>) continue;
      if (!is_owned_data(part_[ids[i]].kind)) {
        encoded.from[i] = index_of(ids[i]);
        continue;
      }
      const bool is_flat = i == code.bias || i == code.flat;
      auto value = is_flat ? flat_record_of(ids[i]) : record_of(ids[i], value_role::constant, nothing);
      if (i == code.filter) {
        if (auto why = code.dynamic_dims != 0 ? add_scale_per_channel(ids[i], value) : add_scales(ids[i], value)) return why;
      } else if (i == code.bias && value.type == element::int32) {
        if (auto why = add_bias_scales(ids[0], ids[code.filter], value)) return why;
      }
      const bool is_packed = is_flat || i == code.filter;
      if (auto why = add_data(ids[i], is_packed, value)) return why;
      encoded.from[i] = writer_.add(value);
    }
    if (code.columns != 0) encoded.from[0] = add_rows(ids[0], encoded.from[0], code.columns, record);
    if (code.dynamic_dims != 0) encoded.from[0] = add_dynamic(ids[0], encoded.from[0], code, record);
    encoded.to = index_of(part_.outputs_of(record)[0]);
    add(encoded, record);
    return {};
  }
  /// Adds an operator. The index of the operator in the processed bytes identifies the operator in profiles and failures.
  constexpr void add(const operator_record& code, const node& record) {
    map_.insert(record, static_cast<std::int64_t>(writer_.add(code)));  // adds no entry for a node without a debug handle
  }
  /// Returns the record of a value that is reshaped to rows of `columns` elements.
  constexpr auto rows_of(value_id id, std::uint32_t columns) const -> value_record {
    auto rows = record_of(id, value_role::inside, nothing);
    rows.sizes = {static_cast<std::uint32_t>(element_count(part_.shape(id)) / columns), columns};
    rows.rank = 2;
    return rows;
  }
  /// Adds a value in rows of `columns` elements, and the reshape that computes it from value `from`. Returns the index of the new value.
  constexpr auto add_rows(value_id id, std::uint32_t from, std::uint32_t columns, const node& record) -> std::uint32_t {
    const auto rows = rows_of(id, columns);
    operator_record code{.op = opcode::reshape, .operands = 1, .to = writer_.add(rows), .count = 2};
    code.from[0] = from;
    code.numbers[0] = rows.sizes[0];
    code.numbers[1] = columns;
    add(code, record);
    return code.to;
  }

  /// Adds a value that is quantized at run time, and the conversion that computes it from value `from`. Returns the index of the new value.
  /// Layers must not share this value, because a 1 × 1 convolution of XNNPACK changes a property of its input: the number of dimensions
  /// that share a scale.
  constexpr auto add_dynamic(value_id id, std::uint32_t from, const instruction& code, const node& record) -> std::uint32_t {
    auto value = code.columns != 0 ? rows_of(id, code.columns) : record_of(id, value_role::inside, nothing);
    value.type = element::dynamic_int8;
    value.axis = code.dynamic_dims;
    operator_record conversion{.op = opcode::convert, .operands = 1, .to = writer_.add(value)};
    conversion.from[0] = from;
    add(conversion, record);
    return conversion.to;
  }

  /// Adds the scales of a filter's channels to the named data. Adds nothing if the filter is float32 or has one scale. If the scales are
  /// outside the program (`byte_ref::outside`), adds a view, not a copy.
  constexpr auto add_scales(value_id id, value_record& value) -> failure {
    const auto& quant = part_[id].quant;
    if (value.type != element::int8 || quant.channels == 1) return {};
    value.axis = static_cast<std::uint32_t>(quant.axis);
    return add_bytes(part_.text(part_[id].name), "_scales", quant.scales, 4, value.scales);
  }
  /// Adds the scales of a hybrid layer's filter, one for each channel. If the filter has a single scale, this scale is repeated for each
  /// channel.
  constexpr auto add_scale_per_channel(value_id id, value_record& value) -> failure {
    const auto& quant = part_[id].quant;
    if (quant.channels != 1) return add_scales(id, value);
    value.axis = 0;
    const auto one = part_.data(quant.scales);
    text_buffer scales;
    scales.reserve(std::size_t{value.sizes[0]} * 4);
    for (std::uint32_t channel = 0; channel < value.sizes[0]; ++channel) append(scales, {one.data(), 4});
    const auto key = key_of(part_.text(part_[id].name), "_all_scales", {scales.data(), scales.size()});
    value.scales = index_of_key(view(key));
    return result_.named_data.add(view(key), scales, {4});
  }
  /// Sets the scale of a bias to the scale that XNNPACK computes: the input's scale times the filter's (first) scale. The bias scale of the
  /// model is ignored. If the filter has a scale for each channel, the bias also refers to the filter's scales. XNNPACK requires an array
  /// of scales for such a bias, but does not use the values in the array.
  constexpr auto add_bias_scales(value_id input, value_id filter, value_record& value) -> failure {
    const auto& quant = part_[filter].quant;
    value.scale = part_.scale(part_[input].quant) * part_.scale(quant);
    if (quant.channels == 1) return {};
    return add_bytes(part_.text(part_[filter].name), "_scales", quant.scales, 4, value.scales);
  }

  /// Adds the bytes of a constant. `is_packed` is true for a filter, and for an operand that XNNPACK reads as a tensor of one dimension
  /// (`instruction::bias` and `instruction::flat`). XNNPACK packs such a constant into memory that it allocates, so the bytes need no
  /// padding. XNNPACK reads other constants in place, up to `XNN_EXTRA_BYTES` past their end, so other constants are stored with padding.
  constexpr auto add_data(value_id id, bool is_packed, value_record& value) -> failure {
    const auto& constant = part_[id];
    const std::int64_t alignment = value.type == element::int8 ? 1 : 4;
    if (is_packed) return add_bytes(part_.text(constant.name), "", constant.data, alignment, value.place);
    const auto bytes = part_.data(constant.data);
    text_buffer padded(bytes.begin(), bytes.end());
    padded.resize(bytes.size() + XNN_EXTRA_BYTES, '\0');
    const auto key = key_of(part_.text(constant.name), "_padded", bytes);
    value.place = index_of_key(view(key));
    return result_.named_data.add(view(key), padded, {alignment});
  }
  constexpr auto add_bytes(std::string_view name, std::string_view suffix, byte_ref ref, std::int64_t alignment, std::uint32_t& key_index)
      -> failure {
    const auto bytes = part_.data(ref);
    const auto key = key_of(name, suffix, bytes);
    key_index = index_of_key(view(key));
    if (ref.outside != nullptr) return result_.named_data.add_view(view(key), bytes, {alignment});
    return result_.named_data.add(view(key), bytes, {alignment});
  }
  /// Returns a short key: the size, and a hash (32-bit FNV-1a) of the name, the suffix and a sample of the bytes. The name alone does not
  /// suffice, because methods that are lowered together may have different constants with the same name. At compile time, a hash of all
  /// bytes would take several evaluation steps per byte.
  static constexpr auto key_of(std::string_view name, std::string_view suffix, span<const char> bytes) -> text_buffer {
    std::uint32_t sum = 2166136261u;
    const auto add = [&](char c) { sum = (sum ^ static_cast<unsigned char>(c)) * 16777619u; };
    for (const char c : name) add(c);
    for (const char c : suffix) add(c);
    const auto step = bytes.size() / 32 + 1;
    for (std::size_t i = 0; i < bytes.size(); i += step) add(bytes[i]);
    return join("xnn_", bytes.size(), "_", sum);
  }
  constexpr auto index_of_key(std::string_view key) -> std::uint32_t {
    for (std::uint32_t i = 0; i < keys_.size(); ++i) {
      if (view(keys_[i]) == key) return i;
    }
    keys_.push_back(join(key));
    return writer_.add_key(key);
  }

  constexpr auto index_of(value_id id) -> std::uint32_t {
    auto& position = indices_[index(id)];
    if (position == nothing) position = writer_.add(record_of(id, value_role::inside, nothing));
    return position;
  }

  program_view part_;
  vector<std::uint32_t> indices_;  ///< indexed by value: the value's index in the processed bytes
  processed_writer writer_;
  delegate_mapping_builder map_;
  preprocess_result result_;
  vector<text_buffer> keys_;  ///< the keys of the named data, indexed as in the processed bytes
};

}  // namespace baton::xnnpack::detail
