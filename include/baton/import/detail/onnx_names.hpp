// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The names of the values of one ONNX graph.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::onnx::detail {

/// A named value of a graph. The value is defined by a node, a constant or an input of the graph, or by an outer graph.
struct named_value {
  std::string_view name;
  std::uint64_t hash = 0;
  std::uint32_t producer = npos;  ///< the index of the node that produces the value, or `npos`
  std::uint32_t constant = npos;  ///< the index in `scope::constants`, or `npos`
  bool is_input = false;
  value_id id = none<value_id>;  ///< the value in the program, or `none` before it is added

  constexpr auto is_defined() const -> bool { return producer != npos || constant != npos || is_input; }
  /// True if the value was added by `add_hidden`.
  constexpr auto is_hidden() const -> bool { return hash == 0; }
};

/// A table of the values of a graph by name. `insert` hashes the name once, and compares texts only if the hashes are equal. The table uses
/// open addressing (D. E. Knuth, The Art of Computer Programming 3, 6.4, algorithm L).
class name_table {
 public:
  constexpr auto size() const -> std::uint32_t { return static_cast<std::uint32_t>(values_.size()); }
  constexpr auto operator[](std::uint32_t at) -> named_value& { return values_[at]; }
  constexpr auto operator[](std::uint32_t at) const -> const named_value& { return values_[at]; }

  /// Returns the index of the value with this name. Adds the value if the name is new.
  constexpr auto insert(std::string_view name) -> std::uint32_t {
    if (2 * values_.size() >= slots_.size()) grow();
    const auto hash = hash_of(name);
    const auto mask = slots_.size() - 1;
    auto at = static_cast<std::size_t>(hash) & mask;
    for (; slots_[at] != npos; at = (at + 1) & mask, ++collisions_) {
      const auto& other = values_[slots_[at]];
      if (other.hash == hash && same_bytes({other.name.data(), other.name.size()}, {name.data(), name.size()})) return slots_[at];
    }
    return slots_[at] = add(name, hash);
  }

  /// Adds a value that `insert` does not find, such as a local value of a function.
  constexpr auto add_hidden(std::string_view name) -> std::uint32_t { return add(name, 0); }

  /// Returns the number of collisions since the last call. A collision is an inspected slot that contains another name. A malicious file
  /// can make this number large.
  constexpr auto take_collisions() -> std::uint64_t {
    const auto count = collisions_;
    collisions_ = 0;
    return count;
  }

 private:
  constexpr auto add(std::string_view name, std::uint64_t hash) -> std::uint32_t {
    values_.push_back({.name = name, .hash = hash});
    return size() - 1;
  }
  constexpr void grow() {
    const auto slots = slots_.empty() ? std::size_t{64} : 4 * slots_.size();
    const auto old = static_cast<vector<std::uint32_t>&&>(slots_);
    slots_ = vector<std::uint32_t>(slots, npos);
    for (const auto value : old) {
      if (value == npos) continue;
      auto at = static_cast<std::size_t>(values_[value].hash) & (slots - 1);
      while (slots_[at] != npos) at = (at + 1) & (slots - 1);
      slots_[at] = value;
    }
  }

  vector<named_value> values_;
  vector<std::uint32_t> slots_;  ///< indices of the values that `insert` added; the number of slots is a power of two, and at least twice
                                 ///< the number of these values
  std::uint64_t collisions_ = 0;
};

}  // namespace baton::onnx::detail
