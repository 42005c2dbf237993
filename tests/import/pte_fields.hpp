// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The numbers in the tables of an ExecuTorch program, for mutations.
#pragma once

#include <baton/core/span.hpp>
#include <baton/import/byte_reader.hpp>
#include <baton/import/detail/flatbuffer.hpp>
#include <baton/import/detail/pte_file.hpp>
#include <baton/import/detail/pte_schema.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace tests {

/// A number in a file. Fields of one kind can be exchanged: the file stays well-formed, but has another meaning.
struct number_field {
  std::size_t at = 0;
  std::size_t size = 0;
  int kind = 0;
};

/// Lists the numbers in the tables of a program: fields, and the elements and the sizes of vectors. The processed bytes of delegates in
/// segments are lists of 32-bit numbers.
class field_finder {
 public:
  using table = baton::flatbuffer::table;

  explicit field_finder(baton::span<const char> bytes) : parts_(baton::pte::detail::program_parts(bytes).value), reader_(parts_.structure) {
    namespace slot = baton::pte::slot;
    const auto root = baton::flatbuffer::root(reader_);
    visit_each(root, slot::program::segments, [&](const table& segment) { scalars(segment, {{0, 8}, {1, 8}}, 1); });
    visit_subsegments(root.child(slot::program::constant_segment));
    visit_each(root, slot::program::mutable_data_segments, [&](const table& each) { visit_subsegments(each); });
    visit_each(root, slot::program::named_data, [&](const table& each) { scalars(each, {{1, 4}}, 2); });
    visit_each(root, slot::program::execution_plan, [&](const table& method) { visit_method(method); });
    const auto segments = root.elements<table>(slot::program::segments);
    for (const auto index : processed_segments_) add_processed_bytes(bytes, segments[index]);
  }
  /// The size of the FlatBuffer with its header, in bytes.
  auto structure_size() const -> std::size_t { return reader_.size(); }
  auto fields() const -> const std::vector<number_field>& { return fields_; }
  /// The positions of processed bytes in segments.
  auto processed_positions() const -> const std::vector<std::size_t>& { return processed_positions_; }

 private:
  struct slot_size {
    std::size_t slot;
    std::size_t size;
  };
  void scalars(const table& from, std::initializer_list<slot_size> slots, int kind) {
    for (const auto& each : slots) {
      if (from && from.field(each.slot) != 0) fields_.push_back({from.field(each.slot), each.size, kind});
    }
  }
  template <class T>
  void numbers(const table& from, std::size_t slot, int kind) {
    const auto list = from.elements<T>(slot);
    if (list.empty()) return;
    fields_.push_back({list.position() - 4, 4, 0});
    for (std::size_t i = 0; i < list.size(); ++i) fields_.push_back({list.position() + i * sizeof(T), sizeof(T), kind});
  }
  template <class Visit>
  void visit_each(const table& from, std::size_t slot, Visit visit) {
    const auto list = from.elements<table>(slot);
    if (!list.empty()) fields_.push_back({list.position() - 4, 4, 0});
    for (std::size_t i = 0; i < list.size(); ++i) visit(list[i]);
  }
  void visit_subsegments(const table& from) {
    if (!from) return;
    scalars(from, {{0, 4}}, 2);
    numbers<std::uint64_t>(from, 1, 1);
  }
  void visit_method(const table& method) {
    namespace slot = baton::pte::slot;
    constexpr int value = 3;
    visit_each(method, slot::execution_plan::values, [&](const table& each) { visit_value(each); });
    numbers<std::int32_t>(method, slot::execution_plan::inputs, value);
    numbers<std::int32_t>(method, slot::execution_plan::outputs, value);
    visit_each(method, slot::execution_plan::delegates, [&](const table& each) {
      const auto processed = each.child(slot::delegate::processed);
      scalars(processed, {{0, 1}, {1, 4}}, 2);
      if (processed && processed.scalar<std::uint8_t>(0) == 1) processed_segments_.push_back(processed.scalar<std::uint32_t>(1));
    });
    visit_each(method, slot::execution_plan::chains, [&](const table& chain) {
      visit_each(chain, slot::chain::instructions, [&](const table& each) {
        scalars(each, {{0, 1}}, 4);
        const auto call = each.member(0);
        if (call.type == 1 || call.type == 2) {
          scalars(call.value, {{0, 4}}, 5);
          numbers<std::int32_t>(call.value, 1, value);
        } else if (call.type == 3) {
          scalars(call.value, {{0, 4}, {1, 4}}, value);
        } else if (call.type == 4) {
          scalars(call.value, {{0, 4}}, value);
          scalars(call.value, {{1, 4}}, 5);
        }
      });
    });
  }
  void visit_value(const table& value) {
    namespace slot = baton::pte::slot;
    scalars(value, {{0, 1}}, 6);
    const auto member = value.member(0);
    const auto type = static_cast<baton::pte::value_type>(member.type);
    if (type == baton::pte::value_type::integer || type == baton::pte::value_type::real) scalars(member.value, {{0, 8}}, 7);
    if (type == baton::pte::value_type::boolean) scalars(member.value, {{0, 1}}, 6);
    if (type == baton::pte::value_type::integers) numbers<std::int64_t>(member.value, 0, 7);
    if (type == baton::pte::value_type::tensors || type == baton::pte::value_type::optional_tensors)
      numbers<std::int32_t>(member.value, 0, 3);
    if (type != baton::pte::value_type::tensor) return;
    scalars(member.value, {{slot::tensor::scalar_type, 1}, {slot::tensor::shape_dynamism, 1}}, 6);
    numbers<std::int32_t>(member.value, slot::tensor::sizes, 8);
    numbers<std::uint8_t>(member.value, slot::tensor::dim_order, 9);
    scalars(member.value, {{slot::tensor::data_buffer_idx, 4}}, 2);
    scalars(member.value.child(slot::tensor::allocation_info), {{0, 4}, {1, 4}, {2, 4}}, 8);
    scalars(member.value.child(slot::tensor::extra_tensor_info), {{0, 8}}, 1);
    scalars(member.value.child(slot::tensor::extra_tensor_info), {{2, 1}}, 6);
  }

  void add_processed_bytes(baton::span<const char> file, const table& segment) {
    if (!segment) return;
    const auto bytes = parts_.bytes_at(segment.scalar<std::uint64_t>(0), segment.scalar<std::uint64_t>(1));
    const auto first = static_cast<std::size_t>(bytes.data() - file.data());
    for (std::size_t i = 0; i < bytes.size(); ++i) processed_positions_.push_back(first + i);
    for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) fields_.push_back({first + i, 4, 10});
  }

  baton::pte::detail::file_parts parts_;
  baton::byte_reader reader_;
  std::vector<number_field> fields_;
  std::vector<std::uint32_t> processed_segments_;
  std::vector<std::size_t> processed_positions_;
};

}  // namespace tests
