// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The node that an interpreter of ONNX computes, and the values of its program.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace onnx_tests {

using numbers = std::vector<float>;
using sizes = std::vector<std::int64_t>;

inline auto count_of(const sizes& shape) -> std::size_t {
  std::size_t count = 1;
  for (const auto size : shape) count *= static_cast<std::size_t>(size);
  return count;
}
/// Returns the position of each dimension of element `at`.
inline auto position_of(std::size_t at, const sizes& shape) -> sizes {
  sizes position(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    position[d] = static_cast<std::int64_t>(at) % shape[d];
    at /= static_cast<std::size_t>(shape[d]);
  }
  return position;
}
/// Returns the number of the element at a position, which may have more dimensions than `shape`, and is broadcast.
inline auto element_at(const sizes& position, const sizes& shape) -> std::size_t {
  std::size_t at = 0;
  const auto missing = position.size() - shape.size();
  for (std::size_t d = 0; d < shape.size(); ++d) {
    at = at * static_cast<std::size_t>(shape[d]) + static_cast<std::size_t>(shape[d] == 1 ? 0 : position[d + missing]);
  }
  return at;
}

/// The values of a program, and access to the operands and attributes of the current node.
class current_node {
 protected:
  explicit current_node(const baton::program_view& program) : program_(program), values_(program.values.size()) {
    for (std::size_t v = 0; v < values_.size(); ++v) {
      const auto& record = program.values[v];
      if (!baton::is_owned_data(record.kind) || record.type != baton::dtype::float32) continue;
      const auto data = program.data(record.data);
      values_[v].resize(data.size() / 4);
      std::memcpy(values_[v].data(), data.data(), data.size());
    }
  }
  auto is(baton::literal_name op) const -> bool { return record_->is(op); }
  auto has(std::size_t at) const -> bool {
    return at < record_->inputs.size && program_.inputs(*record_)[at] != baton::none<baton::value_id>;
  }
  auto in(std::size_t at) const -> const numbers& { return values_[index(program_.inputs(*record_)[at])]; }
  auto shape(std::size_t at) const -> sizes { return list_of(program_.shape(program_.inputs(*record_)[at])); }
  auto out_shape() const -> sizes { return list_of(program_.shape(program_.outputs_of(*record_)[0])); }
  static auto list_of(baton::span<const std::int64_t> list) -> sizes { return {list.begin(), list.end()}; }
  auto list(baton::literal_name key, sizes absent) const -> sizes {
    const auto* const attribute = program_.find(*record_, key);
    return attribute == nullptr ? absent : list_of(program_.integer_list(attribute->list));
  }
  auto integers(std::size_t at) const -> sizes {
    sizes result(program_.data(program_[program_.inputs(*record_)[at]].data).size() / 8);
    std::memcpy(result.data(), program_.data(program_[program_.inputs(*record_)[at]].data).data(), 8 * result.size());
    return result;
  }
  auto axis_of(std::int64_t absent) const -> std::size_t {
    const auto axis = program_.integer(*record_, "axis", absent);
    return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(shape(0).size()) : axis);
  }

  baton::program_view program_;
  std::vector<numbers> values_;
  const baton::node* record_ = nullptr;
};

}  // namespace onnx_tests
