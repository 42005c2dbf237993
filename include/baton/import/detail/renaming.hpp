// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Renaming of storage that is written several times: each write yields a new SSA value (a value that is written once).
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// The SSA value that each storage location contains, in one graph. A location is a number that identifies a tensor of the file; operators
/// may write the tensor several times, for example in place. In an operator `x.add_(y)`, the operand `x` is `current(x)`, and the output
/// becomes the current value of `x`. So later readers use the new value. A mutable buffer keeps its value from run to run. Its last value
/// becomes its mutation, which is the output with the new value of the buffer.
///
/// The renaming of a branch or a loop body refers to the renaming of the enclosing graph. Writes in a body do not change the renaming of
/// the enclosing graph. Instead, the values of the locations `assigned()` become outputs of the body. The importer assigns the outputs of
/// the control-flow node to the same locations of the enclosing graph.
class renaming {
 public:
  constexpr renaming() = default;
  constexpr renaming(std::size_t locations, const renaming* outer) : outer_(outer), current_(locations, none<value_id>) {}

  /// Returns the value that a location contains in this graph, or `none` if this graph has neither read nor written the location.
  constexpr auto current(std::uint32_t location) const -> value_id { return current_[location]; }

  /// Sets the first value of a location, for example an input, a constant, or a value of the enclosing graph. Does not record a write.
  constexpr void define(std::uint32_t location, value_id id) { current_[location] = id; }

  /// Records a write of the value `id` to a location.
  constexpr void assign(std::uint32_t location, value_id id) {
    current_[location] = id;
    if (outer_ != nullptr) assigned_.push_back(location);
  }

  /// True if the location contains a value in this graph or in an enclosing one.
  constexpr auto is_defined(std::uint32_t location) const -> bool {
    for (const auto* graph = this; graph != nullptr; graph = graph->outer_) {
      if (graph->current_[location] != none<value_id>) return true;
    }
    return false;
  }

  /// Returns the locations that this graph has written, in order of the writes, with duplicates. The list of the root graph is empty,
  /// because the root graph has no enclosing graph.
  constexpr auto assigned() const -> const vector<std::uint32_t>& { return assigned_; }

 private:
  const renaming* outer_ = nullptr;
  vector<value_id> current_;  ///< the current value or `none`, indexed by location
  vector<std::uint32_t> assigned_;
};

}  // namespace baton::detail
