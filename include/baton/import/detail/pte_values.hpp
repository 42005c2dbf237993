// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The values of a method of an ExecuTorch program: tensors, numbers and lists. A value number is a position in the list of values.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/memory_contents.hpp>
#include <baton/import/detail/pte_reading.hpp>
#include <baton/import/detail/pte_schema.hpp>
#include <baton/import/shared/rules.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::pte::detail {

/// An order of dimensions, outermost first. Each dimension has four bits; the outermost dimension is in the lowest bits. The value 0 is the
/// identity order: dimension 0 is the outermost, then 1, 2, and so on.
using dimension_order = std::uint64_t;

/// Returns the dimension at position `i` of an order.
constexpr auto dimension_at(dimension_order order, std::uint32_t i) -> std::uint32_t {
  return order == 0 ? i : static_cast<std::uint32_t>(order >> (4 * i) & 15u);
}

/// A tensor of the file. The shape is the shape in memory: the sizes in the dimension order of the tensor.
struct tensor_facts {
  static constexpr std::size_t max_rank = 16;

  dtype type = dtype::float32;
  std::uint32_t rank = 0;
  std::array<std::int64_t, max_rank> sizes{};
  dimension_order order = 0;
  std::int64_t bytes = 0;
  bool is_dynamic = false;  ///< true if the sizes are upper bounds
  bool is_placed = false;   ///< true if the memory plan of the file has a range for the tensor
  baton::detail::memory_range place{};
  std::uint32_t buffer = 0;        ///< the index of the data of the tensor, or 0 if there is none
  bool is_external = false;        ///< true if the data is in an external file, with `name` as its key
  std::string_view name{};         ///< the fully qualified name, or empty
  std::uint64_t mutable_list = 0;  ///< the argument `list` of `reading::initial`, if a mutable buffer has initial data

  constexpr auto shape() const -> span<const std::int64_t> { return {sizes.data(), rank}; }
  /// True for the empty tensor with which a file represents an omitted operand.
  constexpr auto is_omitted() const -> bool { return !is_placed && buffer == 0 && !is_external && bytes == 0 && rank == 1; }
  constexpr auto has_data() const -> bool { return buffer != 0 || is_external; }
  /// True if the tensor can be working memory of an operator: planned memory of type uint8, with one dimension and without data. A tensor
  /// that an instruction has written is not working memory.
  constexpr auto is_scratch() const -> bool { return is_placed && type == dtype::uint8 && rank == 1 && !has_data(); }
};

/// The values of one method.
class method_values {
 public:
  constexpr method_values(reading& model, const table& method)
      : model_(model),
        values_(method.elements<table>(slot::execution_plan::values)) {}

  constexpr auto size() const -> std::size_t { return values_.size(); }
  /// True if there is a value with this number.
  constexpr auto has(std::int64_t number) const -> bool { return number >= 0 && static_cast<std::uint64_t>(number) < values_.size(); }

  /// Returns the type of a value. The result may be a number that is not a `value_type`.
  constexpr auto type_of(std::uint32_t number) const -> value_type {
    return static_cast<value_type>(values_[number].scalar<std::uint8_t>(slot::evalue::type));
  }
  constexpr auto is_tensor(std::uint32_t number) const -> bool { return type_of(number) == value_type::tensor; }
  static constexpr auto is_scalar(value_type type) -> bool {
    return type == value_type::integer || type == value_type::boolean || type == value_type::real;
  }

  /// Returns the table that contains a value, such as a text or a list.
  constexpr auto literal(std::uint32_t number) const -> table { return values_[number].child(slot::evalue::value); }

  // Numbers: constants of the file, loop counters, and results of arithmetic

  struct known_number {
    bool is_known = false;
    std::int64_t value = 0;
  };
  /// Returns the current value of an integer or a boolean. The counter of a loop is unknown inside the loop.
  constexpr auto number(std::uint32_t number) const -> known_number {
    for (const auto& each : changed_) {
      if (each.number == number) return each.value;
    }
    return stored_number(number);
  }
  /// Returns the value that the file states for an integer or a boolean. Values of other types are unknown.
  constexpr auto stored_number(std::uint32_t number) const -> known_number {
    if (type_of(number) == value_type::integer) return {true, literal(number).scalar<std::int64_t>(slot::literal::value)};
    if (type_of(number) == value_type::boolean) return {true, literal(number).scalar<bool>(slot::literal::value) ? 1 : 0};
    return {};
  }
  constexpr auto real(std::uint32_t number) const -> double { return literal(number).scalar<double>(slot::literal::value); }
  /// Sets the current value of a number. `is_arithmetic` is true if the new value may depend on the old value.
  constexpr void set_number(std::uint32_t number, known_number value, bool is_arithmetic) {
    model_.reader.charge(changed_.size());
    for (auto& each : changed_) {
      if (each.number != number) continue;
      each.value = value;
      each.is_arithmetic = each.is_arithmetic || is_arithmetic;
      return;
    }
    changed_.push_back({number, value, is_arithmetic});
  }

  /// A number that an instruction has changed.
  struct changed_number {
    std::uint32_t number;
    known_number value;
    bool is_arithmetic;
  };
  constexpr auto changed_numbers() const -> const vector<changed_number>& { return changed_; }
  /// Returns the value number of an integer or a boolean that arithmetic has changed since `before`, an earlier result of
  /// `changed_numbers`. Returns `npos` if arithmetic has changed no number. The importer evaluates the instructions of a branch or a loop
  /// body only once, so their arithmetic must not change numbers.
  constexpr auto changed_since(const vector<changed_number>& before) const -> std::uint32_t {
    for (std::size_t i = 0; i < changed_.size(); ++i) {
      const auto& each = changed_[i];
      if (!each.is_arithmetic) continue;
      const auto old = i < before.size() ? before[i].value : stored_number(each.number);
      if (old.is_known != each.value.is_known || old.value != each.value.value) return each.number;
    }
    return npos;
  }

  // Tensors

  /// Returns the facts of a tensor. If the tensor is invalid, records an error.
  constexpr auto tensor(std::uint32_t number) -> tensor_facts {
    const auto stored = literal(number);
    tensor_facts facts;
    const auto scalar_type = stored.scalar<std::uint8_t>(slot::tensor::scalar_type);
    const auto known = pte::type_of(scalar_type);
    if (!known.is_known) model_.refuse<"unsupported_model">("value ", number, " has the unsupported scalar type ", scalar_type);
    facts.type = known.type;
    if (stored.scalar<std::int32_t>(slot::tensor::storage_offset) != 0)
      model_.refuse<"unsupported_model">("value ", number, " has a storage offset");
    facts.is_dynamic = stored.scalar<std::uint8_t>(slot::tensor::shape_dynamism) != 0;
    if (stored.scalar<std::uint8_t>(slot::tensor::shape_dynamism) == 2)
      model_.refuse<"unknown_size">("value ", number, " has sizes without upper bounds");
    read_shape(facts, stored, number);
    facts.buffer = stored.scalar<std::uint32_t>(slot::tensor::data_buffer_idx);
    if (const auto allocation = stored.child(slot::tensor::allocation_info)) {
      facts.is_placed = true;
      facts.place = {allocation.scalar<std::uint32_t>(slot::allocation::memory_id),
                     allocation.scalar<std::uint32_t>(slot::allocation::offset_low) |
                         std::uint64_t{allocation.scalar<std::uint32_t>(slot::allocation::offset_high)} << 32,
                     static_cast<std::uint64_t>(facts.bytes)};
    }
    if (const auto extra = stored.child(slot::tensor::extra_tensor_info)) {
      facts.name = extra.text(slot::extra_tensor_info::fully_qualified_name);
      facts.is_external = extra.scalar<std::uint8_t>(slot::extra_tensor_info::location) == 1;
      facts.mutable_list = extra.scalar<std::uint64_t>(slot::extra_tensor_info::mutable_data_segments_idx);
    }
    return facts;
  }

 private:
  constexpr void read_shape(tensor_facts& facts, const table& stored, std::uint32_t number) {
    const auto sizes = stored.elements<std::int32_t>(slot::tensor::sizes);
    const auto order = stored.bytes(slot::tensor::dim_order);
    const bool is_ordered = order.size() == sizes.size();
    if (sizes.size() > tensor_facts::max_rank || (!is_ordered && !order.empty())) {
      model_.refuse<"damaged_model">("value ", number, " has ", sizes.size(), " sizes, and an order of ", order.size(), " dimensions");
      return;
    }
    facts.rank = static_cast<std::uint32_t>(sizes.size());
    std::uint32_t seen = 0;
    bool is_identity = true;
    for (std::uint32_t i = 0; i < facts.rank; ++i) {
      const std::uint32_t d = is_ordered ? static_cast<unsigned char>(order[i]) : i;
      seen |= d < facts.rank ? 1u << d : 0;
      is_identity = is_identity && d == i;
      facts.sizes[i] = d < facts.rank ? sizes[d] : -1;
      facts.order |= static_cast<dimension_order>(d & 15u) << (4 * i);
    }
    if (is_identity) facts.order = 0;
    facts.bytes = byte_count(facts.type, facts.shape());
    if (seen + 1 != 1u << facts.rank || facts.bytes < 0) {
      model_.refuse<"damaged_model">("value ", number, " has a negative size, too many elements, or an invalid dimension order");
      facts.bytes = 0;
    }
    if (facts.bytes > INT32_MAX) model_.refuse<"unsupported_model">("value ", number, " has more than 2 GiB");
  }

  reading& model_;
  flatbuffer::vector<table> values_;
  vector<changed_number> changed_;
};

}  // namespace baton::pte::detail
