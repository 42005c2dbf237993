// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The node that an interpreter of torch.export computes, and the values of its program.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>

#include "transform/onnx_node.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <vector>

namespace torch_tests {

using numbers = std::vector<double>;  // of all types
using onnx_tests::count_of;
using onnx_tests::element_at;
using onnx_tests::position_of;
using onnx_tests::sizes;

/// Returns number `at` of a list of elements of a type.
inline auto number_of(const char* from, baton::dtype type, std::size_t at) -> double {
  const auto width = baton::facts(type).bits / 8u;
  std::uint64_t bits = 0;
  for (std::size_t b = width; b-- > 0;) bits = bits << 8 | static_cast<unsigned char>(from[at * width + b]);
  if (type == baton::dtype::float32) {
    float real = 0;
    std::memcpy(&real, from + at * width, 4);
    return static_cast<double>(real);
  }
  if (type == baton::dtype::int8) return static_cast<std::int8_t>(bits);
  return static_cast<double>(static_cast<std::int64_t>(bits));  // int64, or an unsigned type
}

/// The values of a program, and access to the operands and arguments of the current node.
class current_values {
 protected:
  explicit current_values(const baton::program_view& program) : program_(program), values_(program.values.size()) {
    for (std::size_t v = 0; v < values_.size(); ++v) {
      const auto& record = program.values[v];
      if (!baton::is_owned_data(record.kind)) continue;
      const auto data = program.data(record.data);
      const auto count = static_cast<std::size_t>(baton::element_count(program.shape(static_cast<baton::value_id>(v))));
      for (std::size_t i = 0; i < count; ++i) values_[v].push_back(number_of(data.data(), record.type, i));
    }
  }
  /// True if the operator has a name without `aten.` and without its overload.
  auto is(std::string_view op) const -> bool { return name() == op; }
  auto name() const -> std::string_view {
    const auto target = program_.text(record_->target);
    const auto first = target.find('.') + 1;
    return target.substr(first, target.rfind('.') - first);
  }
  auto overload() const -> std::string_view {
    const auto target = program_.text(record_->target);
    return target.substr(target.rfind('.') + 1);
  }
  auto operand_count() const -> std::size_t { return record_->inputs.size; }
  auto has(std::size_t at) const -> bool {
    return at < record_->inputs.size && program_.inputs(*record_)[at] != baton::none<baton::value_id>;
  }
  auto in(std::size_t at) const -> const numbers& { return values_[index(program_.inputs(*record_)[at])]; }
  auto shape(std::size_t at) const -> sizes { return list_of(program_.shape(program_.inputs(*record_)[at])); }
  auto out_shape(std::size_t at = 0) const -> sizes { return list_of(program_.shape(program_.outputs_of(*record_)[at])); }
  auto rank() const -> std::size_t { return shape(0).size(); }

  auto list(baton::literal_name key, const sizes& absent) const -> sizes {
    const auto* const attribute = program_.find(*record_, key);
    return attribute == nullptr ? absent : list_of(program_.integer_list(attribute->list));
  }
  auto integer(baton::literal_name key, std::int64_t absent = 0) const -> std::int64_t { return program_.integer(*record_, key, absent); }
  auto real(baton::literal_name key, double absent) const -> double {
    const auto* const attribute = program_.find(*record_, key);
    if (attribute == nullptr) return absent;
    return attribute->kind == baton::attribute_kind::real ? attribute->real : static_cast<double>(attribute->integer);
  }
  auto text(baton::literal_name key) const -> std::string_view { return program_.text(*record_, key); }
  /// Returns the dimension that an argument names. It may be negative.
  auto dimension(std::int64_t axis, std::size_t rank) const -> std::size_t {
    return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
  }
  auto dimension_at(baton::literal_name key, std::int64_t absent = 0) const -> std::size_t {
    return dimension(integer(key, absent), rank());
  }

  /// Returns the output with the element `of(position)` at each position.
  auto filled(const sizes& to, const std::function<double(const sizes&)>& of) const -> numbers {
    numbers result;
    for (std::size_t i = 0; i < count_of(to); ++i) result.push_back(of(position_of(i, to)));
    return result;
  }
  /// Returns the element of an operand at a position, which is broadcast.
  auto at(std::size_t operand, const sizes& position) const -> double { return in(operand)[element_at(position, shape(operand))]; }

  static auto list_of(baton::span<const std::int64_t> list) -> sizes { return {list.begin(), list.end()}; }

  baton::program_view program_;
  std::vector<numbers> values_;
  const baton::node* record_ = nullptr;
};

}  // namespace torch_tests
