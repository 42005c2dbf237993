// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Values with open sizes (sizes that the file does not state).
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// A value with open sizes. The shape of the value contains a provisional size for each open size; `sizes` contains a negative number
/// instead.
struct open_shape {
  value_id value = none<value_id>;
  range sizes{};  ///< a range of the program's integers: one size per dimension, negative if open
};

/// Appends `shapes` to the integers of the program.
constexpr void push_open_shapes(exported_program& program, const vector<open_shape>& shapes) {
  for (const auto& shape : shapes) {
    program.integers.push_back(index(shape.value));
    program.integers.push_back(shape.sizes.first);
  }
  program.integers.push_back(static_cast<std::int64_t>(shapes.size()));
}
/// Removes the shapes that `push_open_shapes` appended, and returns them.
constexpr auto pop_open_shapes(exported_program& program) -> vector<open_shape> {
  vector<open_shape> shapes(static_cast<std::size_t>(program.integers.back()));
  const auto first = program.integers.size() - 1 - 2 * shapes.size();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    shapes[i].value = static_cast<value_id>(program.integers[first + 2 * i]);
    shapes[i].sizes = {static_cast<std::uint32_t>(program.integers[first + 2 * i + 1]), program.values[index(shapes[i].value)].shape.size};
  }
  program.integers.resize(first);
  return shapes;
}

/// The values of one program that have open sizes. The `copy_` functions replace open sizes by sizes of other values.
class open_values {
 public:
  constexpr open_values(exported_program& program, const vector<open_shape>& shapes)
      : program_(program),
        view_(program),
        shapes_(program.values.size(), nullptr) {
    for (const auto& shape : shapes) shapes_[index(shape.value)] = &shape;
  }

  /// Returns the open sizes of a value, or null if every size of the value is known.
  constexpr auto operator[](value_id id) const -> const open_shape* { return shapes_[index(id)]; }

  /// Copies the sizes of value `from` to the open sizes of value `to`. Does nothing if the ranks differ, or if a value is omitted.
  constexpr void copy_sizes(value_id from, value_id to) {
    if (from == none<value_id> || to == none<value_id> || shapes_[index(to)] == nullptr) return;
    const auto source = view_[from].shape, target = view_[to].shape, sizes = shapes_[index(to)]->sizes;
    if (source.size != target.size) return;
    for (std::uint32_t d = 0; d < sizes.size; ++d) {
      if (program_.integers[sizes.first + d] < 0) program_.integers[target.first + d] = program_.integers[source.first + d];
    }
  }
  /// Copies the sizes of a call's operands to the open sizes of the called graph's inputs.
  constexpr void copy_sizes_to_inputs(span<const value_id> operands, graph_id graph) {
    std::size_t position = 0;
    for (const auto input : view_.inputs(view_[graph])) {
      if (view_[input].kind == value_kind::user_input && position < operands.size()) copy_sizes(operands[position++], input);
    }
  }

 private:
  exported_program& program_;
  /// A view of `program_`. It remains valid, because no pool (flat array) of the program is resized. A new view for each node would take
  /// many constant-evaluation steps.
  program_view view_;
  vector<const open_shape*> shapes_;  ///< indexed by value
};

}  // namespace baton::detail
