// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Named data where a delegate finds it: in the image, or in a source outside it.
#pragma once

#include <baton/core/span.hpp>
#include <baton/run/status.hpp>

#include <concepts>
#include <string_view>

namespace baton {

/// Brings named data from outside the image: `static auto find_named_data(std::string_view key) -> baton::status_or<baton::span<const
/// char>>`, with `not_found` for a key that it does not have. Given to an executor as a type.
template <class T>
concept named_data_source = requires(std::string_view key) {
  { T::find_named_data(key) } -> std::convertible_to<status_or<span<const char>>>;
};

/// The named data of a delegate. What lies outside the image is looked for first.
class named_data_map {
 public:
  /// Bytes under a key.
  struct entry {
    std::string_view key;
    span<const char> bytes;
  };
  using outside = auto (*)(std::string_view key) -> status_or<span<const char>>;

  constexpr named_data_map() = default;
  constexpr named_data_map(span<const entry> own, outside source) : own_(own), outside_(source) {}

  /// The bytes of that key. Error: `not_found`, and those of the source outside.
  constexpr auto find(std::string_view key) const -> status_or<span<const char>> {
    if (outside_ != nullptr) {
      const auto found = outside_(key);
      if (found.code != status::not_found) return found;
    }
    for (const auto& each : own_) {
      if (each.key == key) return each.bytes;
    }
    return status::not_found;
  }
  /// What lies in the image.
  constexpr auto own() const -> span<const entry> { return own_; }

 private:
  span<const entry> own_;
  outside outside_ = nullptr;
};

}  // namespace baton
