// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The interface of an inference rule: the node that it reads, and the output types that it sets.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/operators/known_integers.hpp>
#include <baton/operators/shared/rules.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace baton {

/// A shape whose sizes may be unknown; an unknown size is -1. `has_rank` is false if the shape has more than eight dimensions.
struct inferred_shape {
  std::array<std::int64_t, tensor_type::max_rank> sizes{};
  std::size_t rank = 0;
  bool has_rank = true;

  constexpr inferred_shape() = default;
  constexpr inferred_shape(std::initializer_list<std::int64_t> list) {  // NOLINT(google-explicit-constructor)
    for (const auto size : list) add(size);
  }
  constexpr explicit inferred_shape(span<const std::int64_t> list) {
    for (const auto size : list) add(size);
  }

  /// Appends a size. A ninth size is not stored, and clears `has_rank`.
  constexpr void add(std::int64_t size) {
    if (rank == sizes.size()) has_rank = false;
    if (has_rank) sizes[rank++] = size < 0 ? -1 : size;
  }
  constexpr auto view() const -> span<const std::int64_t> { return {sizes.data(), rank}; }
};

/// The inferred dtype and shape of an output, each of which may be unknown.
struct inferred_type {
  bool has_type = false;
  bool has_shape = false;  ///< true if the rank is known
  dtype type = dtype::float32;
  inferred_shape shape{};
};

/// The integers of a constant operand, clamped to [-`max`, `max`], so that the sum of a few elements does not overflow.
struct known_sizes : known_integers {
  static constexpr std::int64_t max = 0x7fffffff;

  constexpr auto operator[](std::size_t at) const -> std::int64_t {
    const auto number = known_integers::operator[](at);
    return number > max ? max : number < -max ? -max : number;
  }
};

/// A node whose outputs are inferred. An inference rule (`operator_definition::inference_rule`) queries operands and attributes, and sets
/// the output types that follow from them; all other output types stay unknown. An omitted operand has no type and no shape, so a rule must
/// call `has` before it reads an optional operand.
class inference {
 public:
  /// Creates the interface of a rule. The output types that the rule sets are written to `outputs`, and the rule's error is written to
  /// `why`. `outputs` must have one entry per output of `record`.
  constexpr inference(const program_view& program, const node& record, vector<inferred_type>& outputs, failure& why)
      : program_(program),
        record_(record),
        inputs_(program.operands.data() + record.inputs.first),
        values_(program.values.data()),
        integers_(program.integers.data()),
        attributes_(program.attributes.data() + record.attributes.first),
        outputs_(outputs),
        why_(why) {}

  // Operands

  constexpr auto operand_count() const -> std::size_t { return record_.inputs.size; }
  /// True if the node has this operand, and the operand is not omitted.
  constexpr auto has(std::size_t operand) const -> bool { return operand < record_.inputs.size && inputs_[operand] != none<value_id>; }
  constexpr auto type(std::size_t operand) const -> dtype { return operand_value(operand).type; }
  constexpr auto rank(std::size_t operand) const -> std::size_t { return operand_value(operand).shape.size; }
  /// Returns the shape of an operand. Unknown sizes are negative; sizes are not limited to `known_sizes::max`.
  constexpr auto shape(std::size_t operand) const -> span<const std::int64_t> {
    return program_.integer_list(operand_value(operand).shape);
  }
  /// Returns the size of dimension `dimension`, or -1 if the size is unknown or greater than `known_sizes::max`. `dimension` must be less
  /// than the operand's rank.
  constexpr auto size(std::size_t operand, std::size_t dimension) const -> std::int64_t {
    const auto stored = integers_[operand_value(operand).shape.first + dimension];
    return stored > known_sizes::max ? -1 : stored;
  }
  /// Returns the integers of a constant operand. The integers are unknown if the operand is omitted, quantized, or not a constant of int32
  /// or int64 (`known_integers::in`).
  constexpr auto integers(std::size_t operand) const -> known_sizes {
    return {has(operand) ? known_integers::in(program_, inputs_[operand]) : known_integers{}};
  }
  /// Returns the bytes of a constant operand. Returns an empty view if the operand is omitted or not a constant, or if the data size does
  /// not match the operand's type.
  constexpr auto bytes(std::size_t operand) const -> span<const char> {
    if (!has(operand)) return {};
    const auto& record = operand_value(operand);
    if (!is_owned_data(record.kind) || record.kind == value_kind::mutable_buffer) return {};
    const auto stored = program_.data(record.data);
    return static_cast<std::int64_t>(stored.size()) == byte_count(record.type, shape(operand)) ? stored : span<const char>{};
  }
  /// Converts `axis` to the index of a dimension; a negative axis counts from the end. Returns `rank` if there is no such dimension.
  static constexpr auto dimension(std::int64_t axis, std::size_t rank) -> std::size_t {
    const auto count = static_cast<std::int64_t>(rank);
    if (axis < 0) axis += count;
    return axis < 0 || axis >= count ? rank : static_cast<std::size_t>(axis);
  }

  // Attributes

  /// Returns an integer or boolean attribute, or `absent` if the node does not have it. The result is clamped like `known_sizes`.
  constexpr auto integer(literal_name key, std::int64_t absent = 0) const -> std::int64_t {
    const auto* const stored = find(key);
    const auto number = stored == nullptr ? absent : stored->integer;
    return number > known_sizes::max ? known_sizes::max : number < -known_sizes::max ? -known_sizes::max : number;
  }
  constexpr auto has(literal_name key) const -> bool { return find(key) != nullptr; }
  /// Returns a text attribute, or an empty text if the node does not have it.
  constexpr auto text(literal_name key) const -> std::string_view {
    const auto* const stored = find(key);
    return stored == nullptr ? std::string_view{} : program_.text(stored->bytes);
  }
  /// Returns an attribute that is a list of integers, or an empty list if the node does not have it.
  constexpr auto list(literal_name key) const -> span<const std::int64_t> {
    const auto* const stored = find(key);
    if (stored == nullptr || stored->kind != attribute_kind::integers) return {};
    return program_.integer_list(stored->list);
  }
  /// Returns an attribute that is a list of real numbers, or an empty list if the node does not have it.
  constexpr auto reals(literal_name key) const -> span<const double> {
    const auto* const stored = find(key);
    if (stored == nullptr || stored->kind != attribute_kind::reals) return {};
    return program_.real_list(stored->list);
  }

  // Subgraphs

  constexpr auto subgraph_count() const -> std::size_t { return record_.subgraphs.size; }
  /// Returns the number of user outputs of a subgraph; mutations of states are not counted.
  constexpr auto result_count(std::size_t subgraph) const -> std::size_t {
    std::size_t count = 0;
    for (const auto& spec : results(subgraph)) count += spec.kind == output_kind::user_output ? 1 : 0;
    return count;
  }
  /// Returns the type of user output `position` of a subgraph.
  constexpr auto result(std::size_t subgraph, std::size_t position) const -> inferred_type {
    for (const auto& spec : results(subgraph)) {
      if (spec.kind == output_kind::user_output && position-- == 0) return type_of(spec.value);
    }
    return {};
  }
  /// Returns the type of an operand, or an unknown type if the operand is omitted.
  constexpr auto operand(std::size_t position) const -> inferred_type {
    return has(position) ? type_of(inputs_[position]) : inferred_type{};
  }

  // Outputs

  constexpr auto output_count() const -> std::size_t { return outputs_.size(); }
  /// Sets the dtype of an output. This function, `set_shape` and `set_output` ignore an output that the node does not have.
  constexpr void set_type(std::size_t output, dtype type) {
    if (output >= outputs_.size()) return;
    outputs_[output].type = type;
    outputs_[output].has_type = true;
  }
  /// Sets the shape of an output. The shape stays unknown if `shape.has_rank` is false.
  constexpr void set_shape(std::size_t output, const inferred_shape& shape) {
    if (output >= outputs_.size()) return;
    outputs_[output].shape = shape;
    outputs_[output].has_shape = shape.has_rank;
  }
  constexpr void set_output(std::size_t output, dtype type, const inferred_shape& shape) {
    set_type(output, type);
    set_shape(output, shape);
  }
  constexpr void set_output(std::size_t output, const inferred_type& type) {
    if (output < outputs_.size()) outputs_[output] = type;
  }

  /// Records the error `malformed_operator` with this reason. Only the first error is kept.
  constexpr void fail(std::initializer_list<failure::reason_part> reason) {
    if (why_) return;
    why_ = broken<"malformed_operator">();
    why_.reason = failure::join_reason(reason);
  }
  /// Returns true if the operand has `wanted` dimensions. If not, calls `fail` and returns false.
  constexpr auto require_rank(std::size_t operand, std::size_t wanted) -> bool {
    if (rank(operand) == wanted) return true;
    fail({"operand ", operand, " has ", rank(operand), " dimensions and needs ", wanted});
    return false;
  }
  /// Converts `axis` to the index of a dimension, like `dimension`. If there is no such dimension, calls `fail` and returns `dimensions`.
  constexpr auto require_dimension(std::int64_t axis, std::size_t dimensions) -> std::size_t {
    const auto position = dimension(axis, dimensions);
    if (position == dimensions) fail({"there is no dimension ", axis});
    return position;
  }

 private:
  constexpr auto operand_value(std::size_t operand) const -> const value& { return values_[static_cast<std::uint32_t>(inputs_[operand])]; }
  constexpr auto results(std::size_t subgraph) const -> span<const output_spec> {
    return program_.outputs_of(program_[program_.subgraphs_of(record_)[subgraph]]);
  }
  constexpr auto type_of(value_id id) const -> inferred_type {
    inferred_type inferred{true, true, program_[id].type, {}};
    for (const auto size : program_.shape(id)) inferred.shape.add(size > known_sizes::max ? -1 : size);
    inferred.has_shape = inferred.shape.has_rank;
    return inferred;
  }
  constexpr auto find(literal_name key) const -> const attribute* {
    const auto* const end = attributes_ + record_.attributes.size;
    for (const auto* at = attributes_; at != end; ++at) {
      if (at->key == key.hash) return at;
    }
    return nullptr;
  }

  const program_view& program_;
  const node& record_;
  // The next four members are pointers, because an access through a span costs several times as many steps of constant evaluation, and
  // rules read often.
  const value_id* inputs_;
  const value* values_;
  const std::int64_t* integers_;
  const attribute* attributes_;
  vector<inferred_type>& outputs_;
  failure& why_;
};

}  // namespace baton
