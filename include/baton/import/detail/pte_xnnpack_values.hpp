// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Converts the values of a graph of ExecuTorch's XNNPACK backend to values of a program.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/little_endian.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/pte_reading.hpp>
#include <baton/import/detail/pte_scope.hpp>
#include <baton/import/detail/pte_xnnpack_payload.hpp>
#include <baton/import/detail/pte_xnnpack_schema.hpp>
#include <baton/import/shared/rules.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::pte::detail {

/// Converts a byte with two 4-bit numbers from XNNPACK's encoding (the number plus 8) to two's complement.
constexpr auto xnnpack_int4_pair(char stored) -> char { return static_cast<char>(static_cast<unsigned char>(stored) ^ 0x88u); }

/// 4-bit weights, [outputs, inputs], with a scale for each output and each group of inputs. A byte contains two weights, each stored as the
/// weight plus 8. The first weight is in the low half.
struct xnnpack_grouped_weights {
  std::int64_t outputs = 0, inputs = 0, group_size = 1;
  byte_ref bytes{};
  byte_ref scales{};              ///< [outputs, groups], bfloat16 or float32
  bool has_float_scales = false;  ///< true if the scales are float32; XNNPACK uses only the upper 16 bits of each scale

  constexpr auto groups() const -> std::int64_t { return inputs / group_size; }
};

/// An emitter of the values of one graph. An id identifies a value of the graph in the processed bytes. Processed bytes are the result of a
/// backend's `preprocess`. The value of an input or a node output is added to the program when `add_inputs` or `define` defines the id. A
/// constant is added when its id is used first.
class xnnpack_values {
 public:
  using slots = xnnpack::slot::tensor;

  constexpr xnnpack_values(reading& model, scope_values& scopes, scope& graph, xnnpack_payload& payload, std::string_view prefix)
      : model_(model),
        scopes_(scopes),
        graph_(graph),
        payload_(payload),
        prefix_(prefix),
        stored_(payload.root().elements<table>(xnnpack::slot::graph::values)) {}

  /// Reads the id of each value in the list of values, and the ids of the inputs and outputs. Returns false after an error.
  constexpr auto read_ids() -> bool {
    positions_.assign(payload_.reader.ok() ? stored_.size() : 0, npos);
    values_.assign(positions_.size(), none<value_id>);
    for (std::uint32_t i = 0; i < positions_.size() && payload_.reader.ok(); ++i) {
      const auto tensor = tensor_at(i);
      const auto id = tensor ? tensor.scalar<std::uint32_t>(slots::id_out) : npos;
      if (id >= positions_.size() || positions_[id] != npos) {
        if (!payload_.check_errors("value ", i)) return false;
        if (id < positions_.size()) return payload_.refuse<"damaged_model">("two values have id ", id);
        return payload_.refuse<"damaged_model">("value ", i, " has id ", id, ", but the number of values is ", stored_.size());
      }
      positions_[id] = i;
      const auto flags = tensor.scalar<std::uint32_t>(slots::flags);
      if ((flags & xnnpack::flag::external_input) != 0) insert_external(inputs_, tensor.scalar<std::uint32_t>(slots::external_id), id);
      if ((flags & xnnpack::flag::external_output) != 0) insert_external(outputs_, tensor.scalar<std::uint32_t>(slots::external_id), id);
    }
    return payload_.check_errors("the list of values");
  }

  /// Adds the inputs, in the order of the operands of the call. Returns false after an error.
  constexpr auto add_inputs(span<const value_id> operands) -> bool {
    if (inputs_.size() != operands.size())
      return payload_.refuse<"damaged_model">("the graph has ", inputs_.size(), " inputs, but the call has ", operands.size());
    for (std::size_t i = 0; i < inputs_.size() && !model_.why; ++i) {
      auto record = record_of(inputs_[i].id);
      const auto outer = model_.builder.at(operands[i]).shape;
      const bool is_one_element = !model_.why && element_count_of(record.shape) == 1 && element_count_of(outer) == 1;
      if (is_one_element && outer.size <= tensor_type::max_rank) record.shape = outer;  // [], [1], [1, 1] and so on are equivalent
      if (!has_type_of("input ", i, record, operands[i])) return false;
      record.kind = value_kind::user_input;
      values_[inputs_[i].id] = scopes_.add_input(graph_, record, scopes_.order_of(operands[i]));
    }
    return payload_.check_errors("an input");
  }
  /// Sets the outputs, in the order of the results of the call. Returns false after an error.
  constexpr auto add_outputs(span<const value_id> results) -> bool {
    if (outputs_.size() != results.size())
      return payload_.refuse<"damaged_model">("the graph has ", outputs_.size(), " outputs, but the call has ", results.size());
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const auto id = use(outputs_[i].id);
      if (model_.why || !has_type_of("output ", i, model_.builder.at(id), results[i])) return false;
      model_.builder.output(id);
    }
    return payload_.check_errors("an output");
  }

  /// Returns the value of an id that a node reads. Adds a constant at its first use.
  constexpr auto use(std::uint32_t id) -> value_id {
    if (model_.why) return value_id{0};
    if (id >= values_.size() || positions_[id] == npos) return missing(join("there is no value ", id));
    if (values_[id] == none<value_id>) {
      const auto constant = tensor_of(id).scalar<std::uint32_t>(slots::constant_buffer_idx);
      if (constant == 0) return missing(join("a node reads value ", id, ", which no node has computed"));
      add_constant(id, constant);
    }
    return model_.why ? value_id{0} : values_[id];
  }
  /// Adds a value for an id that a node computes, and returns the value.
  constexpr auto define(std::uint32_t id) -> value_id {
    if (model_.why) return value_id{0};
    if (id >= values_.size() || positions_[id] == npos) return missing(join("there is no value ", id));
    if (values_[id] != none<value_id> || tensor_of(id).scalar<std::uint32_t>(slots::constant_buffer_idx) != 0)
      return missing(join("a node computes value ", id, ", which already has a value"));
    const auto record = record_of(id);
    if (model_.why) return value_id{0};
    return values_[id] = scopes_.add(graph_, record, 0);
  }
  /// Assigns the existing value `value` to an id.
  constexpr void set(std::uint32_t id, value_id value) {
    if (!model_.why && id < values_.size()) values_[id] = value;
  }

  constexpr auto type_of(std::uint32_t id) -> xnnpack::datatype {
    const bool is_known = id < positions_.size() && positions_[id] != npos;
    return is_known ? tensor_of(id).scalar<xnnpack::datatype>(slots::datatype) : xnnpack::datatype::invalid;
  }
  /// Returns 4-bit weights with a scale for each group of inputs. Refuses weights that have another quantization, or are not a constant
  /// with two dimensions.
  constexpr auto grouped_weights(std::uint32_t id) -> xnnpack_grouped_weights {
    const auto tensor = tensor_of(id);
    const auto member = stored_[positions_[id]].member(xnnpack::slot::any_value::type);
    const auto parameters = member.value.member(xnnpack::slot::quantized_tensor::parameters_type);
    const auto dims = tensor.elements<std::uint32_t>(slots::dims);
    const auto constant = tensor.scalar<std::uint32_t>(slots::constant_buffer_idx);
    const bool is_grouped = static_cast<xnnpack::quantization_kind>(parameters.type) == xnnpack::quantization_kind::per_group;
    if (!is_grouped || dims.size() != 2 || constant == 0) {
      refuse_type(id, tensor.scalar<xnnpack::datatype>(slots::datatype));
      return {};
    }
    using group_slots = xnnpack::slot::per_group;
    xnnpack_grouped_weights result{.outputs = dims[0], .inputs = dims[1]};
    result.group_size = parameters.value.scalar<std::int32_t>(group_slots::group_size);
    if (result.group_size <= 0 || result.group_size % 2 != 0 || result.inputs == 0 || result.inputs % result.group_size != 0 ||
        result.outputs > 1 << 24 || result.inputs > 1 << 24) {
      payload_.refuse<"damaged_model">("value ", id, " has ", result.inputs, " inputs in groups of ", result.group_size,
                                       "; the size of a group must be even and divide the inputs");
      return {};
    }
    const auto scales = static_cast<std::uint64_t>(result.outputs * result.groups());
    result.bytes = payload_.constant(constant, static_cast<std::uint64_t>(result.outputs * result.inputs) / 2, id);
    if (const auto at = parameters.value.scalar<std::uint32_t>(group_slots::scale_buffer_idx); at != 0) {
      result.scales = payload_.constant(at, 2 * scales, id);
      return result;
    }
    const auto stored = parameters.value.elements<float>(group_slots::scale);
    if (stored.size() < scales) {
      payload_.refuse<"damaged_model">("value ", id, " has ", stored.size(), " scales for ", static_cast<std::int64_t>(scales), " groups");
      return result;
    }
    result.has_float_scales = true;
    result.scales = model_.view(payload_.reader.view(stored.position(), static_cast<std::size_t>(4 * scales)));
    return result;
  }
  constexpr auto shape_of(value_id id) -> tensor_type {
    const auto& record = model_.builder.at(id);
    tensor_type type{record.type, record.shape.size, {}};
    const auto sizes = model_.builder.draft().integer_list(record.shape);
    for (std::size_t i = 0; i < sizes.size() && i < tensor_type::max_rank; ++i) type.sizes[i] = sizes[i];
    return type;
  }
  /// Adds a value that is not in the processed bytes.
  constexpr auto add(const tensor_type& type, std::string_view suffix, const quantization& quant = {}) -> value_id {
    value record{.name = name_of(suffix, model_.builder.draft().values.size()), .type = type.type};
    record.shape = model_.builder.integers(type.shape());
    record.quant = quant;
    return scopes_.add(graph_, record, 0);
  }
  /// Adds a constant that is not in the processed bytes.
  constexpr auto add_constant(const tensor_type& type, const text_buffer& bytes, const quantization& quant = {}) -> value_id {
    return add_constant(type, model_.own(bytes), quant);
  }
  constexpr auto add_constant(const tensor_type& type, byte_ref bytes, const quantization& quant) -> value_id {
    value record{.name = name_of("constant_", model_.builder.draft().values.size()), .type = type.type, .kind = value_kind::constant};
    record.shape = model_.builder.integers(type.shape());
    record.target = record.name;
    record.data = bytes;
    record.quant = quant;
    return scopes_.add_input(graph_, record, 0);
  }
  constexpr auto name_of(std::string_view what, std::size_t number) -> byte_ref { return model_.own(join(prefix_, what, number)); }

 private:
  struct external {
    std::uint32_t order;
    std::uint32_t id;
  };

  constexpr auto tensor_at(std::size_t position) -> table {
    const auto member = stored_[position].member(xnnpack::slot::any_value::type);
    const auto type = static_cast<xnnpack::value_kind>(member.type);
    if (type == xnnpack::value_kind::quantized_tensor) return member.value.child(xnnpack::slot::quantized_tensor::tensor);
    return type == xnnpack::value_kind::tensor ? member.value : table{};
  }
  constexpr auto tensor_of(std::uint32_t id) -> table { return tensor_at(positions_[id]); }

  /// Inserts an input or output into a list that is sorted by `order`, the external id. XNNPACK's executor passes the arguments in this
  /// order.
  constexpr void insert_external(vector<external>& list, std::uint32_t order, std::uint32_t id) {
    payload_.reader.charge(list.size());
    list.push_back({order, id});
    for (std::size_t i = list.size() - 1; i > 0 && list[i].order < list[i - 1].order; --i) std::swap(list[i], list[i - 1]);
  }

  constexpr auto missing(const text_buffer& reason) -> value_id {
    if (payload_.check_errors("a value")) payload_.refuse<"damaged_model">(baton::view(reason));
    return value_id{0};
  }
  /// True if a value has the element type and the shape of an argument of the call. Otherwise, records an error.
  constexpr auto has_type_of(std::string_view what, std::size_t at, const value& record, value_id argument) -> bool {
    if (model_.why) return false;
    const auto& outer = model_.builder.at(argument);
    const auto& draft = model_.builder.draft();
    const auto sizes = draft.integer_list(record.shape), expected = draft.integer_list(outer.shape);
    const bool is_same = record.type == outer.type && std::equal(sizes.begin(), sizes.end(), expected.begin(), expected.end());
    return is_same || payload_.refuse<"unsupported_model">(what, at, " of the graph, value ", draft.text(record.name), ", has ",
                                                           element_count(sizes), " elements of ", facts(record.type).name,
                                                           "; the argument of the call has another shape or type, ",
                                                           element_count(expected), " of ", facts(outer.type).name);
  }

  constexpr auto element_count_of(range shape) const -> std::int64_t { return element_count(model_.builder.draft().integer_list(shape)); }

  /// Returns the record of a value, with its quantization.
  constexpr auto record_of(std::uint32_t id) -> value {
    payload_.reader.charge(reading::cost_of_record);
    const auto member = stored_[positions_[id]].member(xnnpack::slot::any_value::type);
    const auto tensor = tensor_of(id);
    value record{.name = name_of("value_", id)};
    const auto type = tensor.scalar<xnnpack::datatype>(slots::datatype);
    const bool is_quantized = static_cast<xnnpack::value_kind>(member.type) == xnnpack::value_kind::quantized_tensor;
    const auto known = dtype_of(type);
    const bool fits = known.is_known && tensor.scalar<std::int16_t>(slots::dq_datatype) == 0 && is_quantized == known.is_quantized;
    if (!fits) {
      refuse_type(id, type);
      return record;
    }
    record.type = known.type;
    const auto dims = tensor.elements<std::uint32_t>(slots::dims);
    if (dims.size() > tensor_type::max_rank) {
      payload_.refuse<"unsupported_model">("value ", id, " has ", dims.size(), " dimensions");
      return record;
    }
    vector<std::int64_t> sizes;
    for (std::size_t i = 0; i < dims.size(); ++i) sizes.push_back(dims[i]);
    const auto bytes = byte_count(record.type, sizes);
    if (bytes < 0 || bytes > 0x7fffffff) {
      payload_.refuse<"damaged_model">("value ", id, " is larger than 2 GiB");
      return record;
    }
    record.shape = model_.builder.integers(sizes);
    if (is_quantized) record.quant = quantization_of(id, member.value, sizes);
    static_cast<void>(payload_.check_errors("value ", id));
    return record;
  }
  struct known_type {
    dtype type = dtype::float32;
    bool is_known = false;
    bool is_quantized = false;
  };
  static constexpr auto dtype_of(xnnpack::datatype type) -> known_type {
    switch (type) {
      case xnnpack::datatype::fp32:
        return {dtype::float32, true, false};
      case xnnpack::datatype::fp16:
        return {dtype::float16, true, false};
      case xnnpack::datatype::bf16:
        return {dtype::bfloat16, true, false};
      case xnnpack::datatype::int32:
        return {dtype::int32, true, false};
      case xnnpack::datatype::quint8:
        return {dtype::uint8, true, true};
      case xnnpack::datatype::qcint4:
        return {dtype::int4, true, true};
      case xnnpack::datatype::qint8:
      case xnnpack::datatype::qcint8:
        return {dtype::int8, true, true};
      case xnnpack::datatype::qint32:
      case xnnpack::datatype::qcint32:
        return {dtype::int32, true, true};
      default:
        return {};
    }
  }
  constexpr void refuse_type(std::uint32_t id, xnnpack::datatype type) {
    if (!payload_.check_errors("value ", id)) return;
    const auto name = xnnpack::name_of(type);
    payload_.refuse<"unsupported_model">("value ", id, " has data type ", static_cast<std::int64_t>(type), " (",
                                         name.empty() ? "unknown" : name,
                                         "); this type or its quantization is not supported; the graph has the format ",
                                         baton::view(payload_.version()), "; pass baton::pte::keep_processed_bytes to pte::read");
  }

  constexpr auto quantization_of(std::uint32_t id, const table& stored, span<const std::int64_t> sizes) -> quantization {
    const auto parameters = stored.member(xnnpack::slot::quantized_tensor::parameters_type);
    const auto kind = static_cast<xnnpack::quantization_kind>(parameters.type);
    if (kind == xnnpack::quantization_kind::per_tensor) {
      text_buffer scales, zero_points;
      append_little_endian(scales, std::bit_cast<std::uint32_t>(parameters.value.scalar<float>(xnnpack::slot::per_tensor::scale)), 4);
      const auto zero_point = std::int64_t{parameters.value.scalar<std::int32_t>(xnnpack::slot::per_tensor::zero_point)};
      append_little_endian(zero_points, static_cast<std::uint64_t>(zero_point), 8);
      return {.scales = model_.own(scales), .zero_points = model_.own(zero_points), .channels = 1};
    }
    if (kind != xnnpack::quantization_kind::per_channel) {
      if (payload_.check_errors("value ", id))
        payload_.refuse<"unsupported_model">("value ", id, " has quantization ", parameters.type, ", which is neither per tensor nor per ",
                                             "channel; pass baton::pte::keep_processed_bytes to pte::read");
      return {};
    }
    const auto axis = parameters.value.scalar<std::int32_t>(xnnpack::slot::per_channel::channel_dim);
    if (axis < 0 || static_cast<std::size_t>(axis) >= sizes.size()) {
      payload_.refuse<"damaged_model">("value ", id, " is quantized along dimension ", axis, ", but the number of its dimensions is ",
                                       sizes.size());
      return {};
    }
    const auto channels = static_cast<std::uint32_t>(sizes[static_cast<std::size_t>(axis)]);
    quantization result{.channels = channels, .axis = axis};
    const auto at = parameters.value.scalar<std::uint32_t>(xnnpack::slot::per_channel::scale_buffer_idx);
    if (at != 0) {
      result.scales = payload_.constant(at, std::uint64_t{4} * channels, id);
      return result;
    }
    const auto scales = parameters.value.elements<float>(xnnpack::slot::per_channel::scale);
    if (scales.size() < channels) {
      payload_.refuse<"damaged_model">("value ", id, " has ", scales.size(), " scales for ", channels, " channels");
      return result;
    }
    result.scales = model_.view(payload_.reader.view(scales.position(), std::size_t{4} * channels));
    return result;
  }

  constexpr void add_constant(std::uint32_t id, std::uint32_t constant) {
    auto record = record_of(id);
    if (model_.why) return;
    const auto bytes = byte_count(record.type, model_.builder.draft().integer_list(record.shape));
    record.kind = value_kind::parameter;
    record.target = record.name;
    record.data = payload_.constant(constant, static_cast<std::uint64_t>(bytes), id);
    if (!model_.why && record.type == dtype::int4) unpack_int4(id, record);
    if (!model_.why) values_[id] = scopes_.add_input(graph_, record, 0);
  }

  /// Converts 4-bit numbers from XNNPACK's encoding to int4. Refuses rows with an odd number of elements.
  constexpr void unpack_int4(std::uint32_t id, value& record) {
    const auto sizes = model_.builder.draft().integer_list(record.shape);
    if (sizes.empty() || sizes[sizes.size() - 1] % 2 != 0) {
      payload_.refuse<"unsupported_model">("value ", id, " has data type 8 (qcint4), and rows of an odd number of elements; the graph has ",
                                           "the format ", baton::view(payload_.version()),
                                           "; pass baton::pte::keep_processed_bytes to pte::read");
      return;
    }
    text_buffer bytes;
    for (std::uint32_t i = 0; i < record.data.size; ++i) bytes.push_back(xnnpack_int4_pair(record.data.outside[i]));
    record.data = model_.own_data(bytes);
  }

  reading& model_;
  scope_values& scopes_;
  scope& graph_;
  xnnpack_payload& payload_;
  std::string_view prefix_;
  flatbuffer::vector<table> stored_;
  vector<std::uint32_t> positions_;  ///< the position in the list of values, or `npos`; indexed by id
  vector<value_id> values_;          ///< the value in the program, or `none` if it is not defined; indexed by id
  vector<external> inputs_;
  vector<external> outputs_;
};

}  // namespace baton::pte::detail
