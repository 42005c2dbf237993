// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Converts the nodes of ExecuTorch's XNNPACK backend to nodes of the program, one at a time. The functions in the table
// `xnnpack_rows` use this class.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/name.hpp>
#include <baton/core/named_literal.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/little_endian.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/pte_reading.hpp>
#include <baton/import/detail/pte_xnnpack_payload.hpp>
#include <baton/import/detail/pte_xnnpack_schema.hpp>
#include <baton/import/detail/pte_xnnpack_values.hpp>
#include <baton/import/shared/rules.hpp>
#include <baton/operators/shared/dilated_filter.hpp>
#include <baton/operators/shared/quantize_to_even.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string_view>

namespace baton::pte::detail {

/// The bounds of the output of a node, as real numbers (not quantized).
struct real_bounds {
  static constexpr float infinity = std::numeric_limits<float>::infinity();
  float lower = -infinity;
  float upper = infinity;

  constexpr auto has_lower() const -> bool { return lower > -std::numeric_limits<float>::max(); }
  constexpr auto has_upper() const -> bool { return upper < std::numeric_limits<float>::max(); }
  /// Returns the name of the fused activation with these bounds: `none` if there are no bounds, or null if no fused activation has these
  /// bounds.
  constexpr auto activation() const -> const char* {
    if (!has_upper()) return !has_lower() ? "none" : lower == 0 ? "relu" : nullptr;
    if (lower == 0 && upper == 6) return "relu6";
    return lower == -1 && upper == 1 ? "relu_n1_to_1" : nullptr;
  }
};

/// An emitter of nodes of the program for the current node of an XNNPACK graph. `add_real` adds an operator that computes in float32, and
/// converts quantized, float16 and bfloat16 values to float32 and back. Later passes, such as `fuse_quantization`, replace the added
/// operator and its conversions by an integer operator if there is one.
class xnnpack_emission {
 public:
  /// The maximum number of groups of a program that become separate layers (`begin_layers`). Every `bytes_of_group` bytes of a dilated
  /// filter also count as one group.
  static constexpr std::uint32_t max_groups = 1024;
  static constexpr std::uint32_t bytes_of_group = 256;

  /// `groups_left` is the number of groups that may still be added.
  constexpr xnnpack_emission(reading& model, xnnpack_payload& payload, xnnpack_values& all, std::string_view version,
                             std::uint32_t& groups_left)
      : values(all),
        model_(model),
        payload_(payload),
        version_(version),
        groups_left_(groups_left) {}

  xnnpack_values& values;

  /// Records an error that names the node. Returns false.
  template <fixed_string Rule = "unsupported_model", class... Parts>
  constexpr auto refuse(Parts... reason) -> bool {
    if (!payload_.check_errors("node ", at_) || model_.why) return false;
    return payload_.refuse<Rule>("node ", at_, " at byte ", fields_ ? fields_.position() : 0, " of the graph (", xnnpack::name_of(op_),
                                 ", ", version_, ") ", reason...);
  }

  /// Begins node `at` of the list of nodes.
  constexpr void begin(const table& stored, std::uint32_t at) {
    const auto member = stored.member(xnnpack::slot::node::type);
    op_ = static_cast<xnnpack::operation>(member.type);
    fields_ = member.value;
    at_ = at;
    added_ = 0;
    handle_ = stored.scalar<std::uint32_t>(xnnpack::slot::node::debug_handle);
    if (handle_ == xnnpack::no_handle) handle_ = 0;
    bounds_ = {};
    if (const auto limits = stored.child(xnnpack::slot::node::output_min_max)) {
      bounds_.lower = limits.scalar<float>(xnnpack::slot::bounds::min);
      bounds_.upper = limits.scalar<float>(xnnpack::slot::bounds::max);
      if (!(bounds_.lower <= bounds_.upper))
        refuse<"damaged_model">("has a lower bound that is greater than its upper bound, or a bound that is not a number");
    }
    if (!fields_) refuse<"damaged_model">("has no fields");
  }
  constexpr auto op() const -> xnnpack::operation { return op_; }
  constexpr auto is_refused() const -> bool { return static_cast<bool>(model_.why); }
  // The fields of the node

  constexpr auto number(std::size_t slot) -> std::uint32_t { return fields_.scalar<std::uint32_t>(slot); }
  constexpr auto real(std::size_t slot) -> float { return fields_.scalar<float>(slot); }
  constexpr auto list(std::size_t slot) -> vector<std::int64_t> {
    vector<std::int64_t> numbers;
    const auto stored = fields_.elements<std::uint32_t>(slot);
    for (std::size_t i = 0; i < stored.size(); ++i) numbers.push_back(stored[i]);
    return numbers;
  }
  /// Returns the flags of the node. Refuses the node if it has a flag that is neither in `known` nor `yield_workers`.
  constexpr auto flags(std::size_t slot, std::uint32_t known = 0) -> std::uint32_t {
    const auto stored = number(slot);
    const auto other = stored & ~(known | xnnpack::flag::yield_workers);
    if (other != 0)
      refuse("has the flags ", stored, "; the unknown flags are ", other, "; pass baton::pte::keep_processed_bytes to pte::read");
    return stored;
  }
  constexpr auto bounds() const -> real_bounds { return bounds_; }
  /// Returns the operand that the field `slot` states.
  constexpr auto operand(std::size_t slot) -> value_id { return values.use(number(slot)); }
  /// Returns the operand that the field `slot` states, or `none` if the operand is omitted.
  constexpr auto optional_operand(std::size_t slot) -> value_id {
    const auto id = fields_.scalar<std::uint32_t>(slot, xnnpack::no_value);
    return id == xnnpack::no_value ? none<value_id> : values.use(id);
  }
  /// Defines the output that the field `slot` states, and returns its value.
  constexpr auto output(std::size_t slot) -> value_id { return values.define(number(slot)); }
  struct ends {
    value_id in, out;
  };
  /// Returns the operand and the output of a node with one operand. Refuses the node if it has a flag other than `yield_workers`.
  template <class Slots>
  constexpr auto input_and_output() -> ends {
    flags(Slots::flags);
    const auto in = operand(Slots::input);
    return {in, output(Slots::output)};
  }

  constexpr auto type(value_id id) -> tensor_type { return values.shape_of(id); }
  constexpr auto is_int8(value_id id) -> bool { return id != none<value_id> && model_.builder.at(id).type == dtype::int8; }
  /// True if a value is stored as int8, uint8, float16 or bfloat16. Such a value is computed in float32 and then converted, unless an int8
  /// operator computes it.
  constexpr auto is_narrow(value_id id) -> bool {
    const auto stored = model_.builder.at(id).type;
    return stored == dtype::int8 || stored == dtype::uint8 || is_half(id);
  }
  constexpr auto is_half(value_id id) -> bool {
    if (id == none<value_id>) return false;
    const auto stored = model_.builder.at(id).type;
    return stored == dtype::float16 || stored == dtype::bfloat16;
  }
  constexpr auto quant(value_id id) -> quantization { return model_.builder.at(id).quant; }
  /// True if the data of a value is a view of a constant in the file. False for a constant whose data has been converted.
  constexpr auto is_constant(value_id id) -> bool {
    const auto& record = model_.builder.at(id);
    return record.kind == value_kind::parameter && record.data.outside != nullptr;
  }

  // Nodes

  constexpr void add(literal_name op, span<const value_id> inputs, value_id out, span<const named_literal> literals = {}) {
    if (model_.why) return;
    payload_.reader.charge(reading::cost_of_record + reading::cost_of_element * (inputs.size() + literals.size()));
    const auto name = added_ == 0 ? values.name_of("node_", at_) : values.name_of(baton::view(join("node_", at_, "_")), added_);
    ++added_;
    std::sort(omitted_handles_.begin(), omitted_handles_.end());
    model_.builder.add_node({.name = name,
                             .target = program_builder::view(op.text),
                             .op = op.hash,
                             .debug_handle = handle_,
                             .folded_handles = model_.builder.integers(omitted_handles_)},
                            inputs, {&out, 1}, literals);
    omitted_handles_.clear();
    // This attribute permits the XNNPACK backend to compute the node (`require_xnnpack_rounding`).
    if (op.text.starts_with("baton.")) {
      model_.builder.add_attribute({.name = program_builder::view("arithmetic"),
                                    .key = literal_name{"arithmetic"}.hash,
                                    .kind = attribute_kind::text,
                                    .bytes = program_builder::view("xnnpack")});
    }
  }
  constexpr void add(literal_name op, std::initializer_list<value_id> inputs, value_id out,
                     std::initializer_list<named_literal> literals = {}) {
    add(op, {inputs.begin(), inputs.size()}, out, {literals.begin(), literals.size()});
  }
  /// Begins a node that becomes `groups` layers. `bytes` is the size of the dilated filter, or 0 without a dilation. Both numbers count
  /// against `max_groups`, the limit for all nodes of a program. The work limits are raised in proportion.
  constexpr void begin_layers(std::int64_t groups, std::int64_t bytes) {
    const auto count = static_cast<std::uint64_t>(groups) + static_cast<std::uint64_t>(bytes) / bytes_of_group;
    if (count > groups_left_) {
      refuse("has ", groups, " groups and ", bytes, " bytes of weights with a dilation, which count as ", count, " groups, but only ",
             groups_left_, " of the ", max_groups, " groups of a program are left; pass baton::pte::keep_processed_bytes to pte::read");
      return;
    }
    groups_left_ -= static_cast<std::uint32_t>(count);
    constexpr std::uint64_t work = 4 * reading::cost_of_element * bytes_of_group;
    payload_.reader.raise_limit(work * (count + 1));
    model_.reader.raise_limit(work * (count + 1));
  }
  /// Omits the node. Its debug handle, the number that identifies a node of the model, becomes a folded handle of the next added node. A
  /// folded handle is the debug handle of a node that was merged into another node.
  constexpr void omit() {
    payload_.reader.charge(reading::cost_of_record);
    if (handle_ != 0) omitted_handles_.push_back(handle_);
  }
  /// Adds a value with the shape of `like` and the element type `element`, without quantization.
  constexpr auto temporary(tensor_type like, dtype element = dtype::float32) -> value_id {
    like.type = element;
    payload_.reader.charge(reading::cost_of_record);
    return values.add(like, "inner_");
  }
  /// Adds an int32 constant: a list if `columns` is 0, otherwise a matrix with `columns` columns.
  constexpr auto integers(span<const std::int64_t> numbers, std::size_t columns = 0) -> value_id {
    text_buffer bytes;
    payload_.reader.charge(reading::cost_of_record + reading::cost_of_element * numbers.size());
    for (const auto each : numbers) append_little_endian(bytes, static_cast<std::uint64_t>(each), 4);
    const auto shape = columns == 0 ? tensor(dtype::int32, numbers.size()) : tensor(dtype::int32, numbers.size() / columns, columns);
    return values.add_constant(shape, bytes);
  }
  /// Adds a constant: slice `index` of the constant `whole`, which consists of slices of type `like` along dimension 0. A dilation inserts
  /// zeros between the rows and the columns of a filter [outputs, h, w, inputs]. The zero of an int8 filter is its zero point.
  constexpr auto part_of(value_id whole, tensor_type like, std::int64_t index, std::array<std::int64_t, 2> dilation = {1, 1}) -> value_id {
    payload_.reader.charge(reading::cost_of_record);
    const auto bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, byte_count(like.type, like.shape())));
    auto by = quant(whole);
    const auto at = static_cast<std::uint64_t>(index);
    const auto data = model_.builder.at(whole).data;
    if ((by.channels > 1 && by.axis != 0) || (at + 1) * bytes > data.size) {
      refuse("has a constant that cannot be divided into groups");
      return whole;
    }
    if (by.channels > 1) {
      by.channels = static_cast<std::uint32_t>(like.sizes[0]);
      by.scales = view_of(by.scales, at * 4 * by.channels, std::uint64_t{4} * by.channels);
    }
    const auto part = view_of(data, at * bytes, bytes);
    const dilated_filter filter{like.sizes[0], {like.sizes[1], like.sizes[2]}, dilation, like.sizes[3] * facts(like.type).bits / 8};
    if (!filter.is_dilated()) return values.add_constant(like, part, by);
    auto spread = like;
    for (std::size_t d = 0; d < 2; ++d) spread.sizes[1 + d] = filter.span_of(d);
    const char zero[] = {static_cast<char>(by.channels == 0 ? std::int64_t{0} : model_.builder.draft().zero_point(by))};
    const auto filled = filter.bytes({part.outside, static_cast<std::size_t>(bytes)}, zero);
    return values.add_constant(spread, filled, by);
  }
  /// Copies converted bytes of a constant or of its scales into the program.
  constexpr auto own_data(const text_buffer& bytes) -> byte_ref { return model_.own_data(bytes); }
  /// Adds a float32 constant without dimensions.
  constexpr auto scalar(float number) -> value_id {
    text_buffer bytes;
    payload_.reader.charge(reading::cost_of_record);
    append_little_endian(bytes, std::bit_cast<std::uint32_t>(number), 4);
    return values.add_constant(tensor(dtype::float32), bytes);
  }
  /// Adds an int8 or uint8 constant without dimensions: `number`, quantized like the value `like`.
  constexpr auto quantized_scalar(float number, value_id like) -> value_id {
    const auto by = quant(like);
    const auto element = type(like).type;
    text_buffer bytes;
    payload_.reader.charge(reading::cost_of_record);
    bytes.push_back(static_cast<char>(in_steps(number, by, element)));
    return values.add_constant(tensor(element), bytes, by);
  }

  /// Returns a value converted to float32. Returns `id` itself if it is neither quantized nor float16 nor bfloat16.
  constexpr auto dequantized(value_id id) -> value_id {
    if (model_.why || id == none<value_id> || (model_.builder.at(id).quant.channels == 0 && !is_half(id))) return id;
    const bool is_bfloat16 = type(id).type == dtype::bfloat16;
    if (is_bfloat16 && is_constant(id)) return widened_constant(id);
    const auto result = temporary(type(id));
    add(is_bfloat16 ? literal_name{"tfl.cast"} : literal_name{"tfl.dequantize"}, {id}, result);
    return result;
  }
  /// Adds an operator that computes in float32. Clamps the operator's result to the bounds of the node, and converts the clamped result to
  /// the type of the output. `can_fuse` is true if the operator has the attribute `fused_activation_function`.
  constexpr void add_real(literal_name op, std::initializer_list<value_id> operands, value_id out,
                          std::initializer_list<named_literal> literals = {}, bool can_fuse = false) {
    vector<value_id> inputs;
    for (const auto id : operands) inputs.push_back(dequantized(id));
    if (model_.why) return;
    vector<named_literal> all;
    for (const auto& each : literals) all.push_back(each);
    const auto* const fused = bounds_.activation();
    if (can_fuse) all.push_back({"fused_activation_function", fused == nullptr ? "none" : fused});
    const bool is_clamped = fused == nullptr || (!can_fuse && (bounds_.has_lower() || bounds_.has_upper()));
    const auto result = !is_clamped && !is_narrow(out) ? out : temporary(type(out));
    add(op, inputs, result, all);
    if (result != out) finish(result, out, is_clamped);
  }
  /// Converts a float32 value to the type of `out`. If `is_clamped` is true, clamps the value to the bounds of the node first.
  constexpr void finish(value_id from, value_id out, bool is_clamped) {
    if (is_clamped) {
      const auto to = is_narrow(out) ? temporary(type(out)) : out;
      clamp(from, to);
      from = to;
    }
    if (is_half(out)) return add("tfl.cast", {from}, out);
    if (is_narrow(out)) add("baton.quantize", {from}, out, {{"by", "reciprocal"}});
  }
  /// Clamps a float32 value to the bounds of the node.
  constexpr void clamp(value_id from, value_id out) {
    const auto* const fused = bounds_.activation();
    if (fused != nullptr) {
      if (!bounds_.has_lower()) return copy(from, out);
      constexpr literal_name ops[] = {"tfl.relu", "tfl.relu6", "tfl.relu_n1_to_1"};
      return add(ops[!bounds_.has_upper() ? 0 : bounds_.lower == 0 ? 1 : 2], {from}, out);
    }
    const auto middle = bounds_.has_lower() && bounds_.has_upper() ? temporary(type(out)) : out;
    if (bounds_.has_lower()) add("tfl.maximum", {from, scalar(bounds_.lower)}, middle);
    if (bounds_.has_upper()) add("tfl.minimum", {bounds_.has_lower() ? middle : from, scalar(bounds_.upper)}, out);
  }
  /// Adds a node that copies the elements of `from` to `out`: a reshape to the shape of `out`.
  constexpr void copy(value_id from, value_id out) {
    const auto shape = type(out);
    add("tfl.reshape", {from}, out, {{"new_shape", shape.shape()}});
  }

  /// Appends the bounds of the node as attributes: integers, quantized like the int8 value `out`.
  constexpr void append_bounds_in_steps(value_id out, vector<named_literal>& literals) {
    const auto by = quant(out);
    if (bounds_.has_lower()) literals.push_back({"output_min", in_steps(bounds_.lower, by, dtype::int8)});
    if (bounds_.has_upper()) literals.push_back({"output_max", in_steps(bounds_.upper, by, dtype::int8)});
  }

 private:
  /// Returns a subrange of bytes that the program views but does not own.
  static constexpr auto view_of(byte_ref whole, std::uint64_t first, std::uint64_t size) -> byte_ref {
    return {.outside = whole.outside + first, .size = static_cast<std::uint32_t>(size)};
  }
  /// Adds a bfloat16 constant as float32: two zero bytes before the two bytes of each element.
  constexpr auto widened_constant(value_id id) -> value_id {
    const auto data = model_.builder.at(id).data;
    auto shape = type(id);
    shape.type = dtype::float32;
    payload_.reader.charge(reading::cost_of_record);
    text_buffer wide(std::size_t{2} * data.size, '\0');
    for (std::size_t i = 0; i + 2 <= data.size; i += 2) wide[2 * i + 2] = data.outside[i], wide[2 * i + 3] = data.outside[i + 1];
    return values.add_constant(shape, model_.own_data(wide), {});
  }
  /// Returns a real number quantized with `by`, rounded half to even and clamped to the range of `element` (int8 or uint8).
  constexpr auto in_steps(float number, const quantization& by, dtype element) -> std::int64_t {
    const auto scale = by.channels == 1 ? model_.builder.draft().scale(by) : 0.0f;
    if (scale > 0 && number == number) {
      const auto zero_point = model_.builder.draft().zero_point(by);
      if (element == dtype::uint8) return quantize_to_even<std::uint8_t>(static_cast<double>(number), scale, zero_point);
      return quantize_to_even<std::int8_t>(static_cast<double>(number), scale, zero_point);
    }
    refuse("has a bound or padding value that is not a number, or whose quantization is not exactly one positive scale");
    return 0;
  }

  reading& model_;
  xnnpack_payload& payload_;
  std::string_view version_;
  std::uint32_t& groups_left_;
  xnnpack::operation op_ = xnnpack::operation::none;
  table fields_{};
  real_bounds bounds_{};
  std::uint32_t at_ = 0;
  std::uint32_t handle_ = 0;
  std::uint32_t added_ = 0;               ///< the number of nodes that were added for the current node
  vector<std::int64_t> omitted_handles_;  ///< the debug handles of omitted nodes, for the next added node
};

}  // namespace baton::pte::detail
