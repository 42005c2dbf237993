// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A map from backend ids to options, for ids and options that are known only at run time.
#pragma once

#include <baton/compat/executorch/option_set.hpp>
#include <baton/core/span.hpp>
#include <baton/run/status.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string_view>

namespace baton {

/// A type that provides the id of a backend and the options of this backend.
template <class T>
concept backend_options_builder = requires(const T& builder) {
  { builder.backend_id() } -> std::convertible_to<std::string_view>;
  { builder.view() } -> std::convertible_to<span<const option>>;
};

/// A map from backend ids to views of options. The options must outlive the map. The map is the argument of `init_with`.
class load_options {
 public:
  static constexpr std::size_t capacity = 8;  ///< the maximum number of backend ids

  struct entry {
    detail::bounded_text<max_key_characters + 1> backend_id;
    span<const option> options;
  };

  /// Sets or replaces the options of a backend. Fails with `invalid_argument` if the id is empty or has more than 63 characters. Also fails
  /// with `invalid_argument` if the id is new and the map already has `capacity` ids. If `set` fails, the map does not change.
  constexpr auto set(std::string_view backend_id, span<const option> options) -> status {
    if (backend_id.empty() || backend_id.size() > max_key_characters) return status::invalid_argument;
    for (auto& each : span{entries_, size_}) {
      if (std::string_view{each.backend_id} == backend_id) {
        each.options = options;
        return status::ok;
      }
    }
    if (size_ == capacity) return status::invalid_argument;
    entries_[size_++] = {detail::bounded_text<max_key_characters + 1>(backend_id), options};
    return status::ok;
  }
  /// Sets or replaces the options of a backend with a zero-terminated id. A null pointer is treated as an empty id.
  constexpr auto set(const char* backend_id, span<const option> options) -> status { return set(text_of(backend_id), options); }
  template <backend_options_builder Builder>
  constexpr auto set(const Builder& builder) -> status {
    return set(std::string_view{builder.backend_id()}, span<const option>{builder.view()});
  }

  /// Returns the options of a backend, or an empty span if no options were set for this backend.
  constexpr auto get(std::string_view backend_id) const -> span<const option> {
    const auto* const match = find(backend_id);
    return match == nullptr ? span<const option>{} : match->options;
  }
  constexpr auto get(const char* backend_id) const -> span<const option> { return get(text_of(backend_id)); }
  /// True if `set` was called for a backend, even with an empty list of options.
  constexpr auto has(std::string_view backend_id) const -> bool { return find(backend_id) != nullptr; }
  constexpr auto has(const char* backend_id) const -> bool { return has(text_of(backend_id)); }

  constexpr auto size() const -> std::size_t { return size_; }
  /// Returns the entries, in the order in which the ids were first set.
  constexpr auto entries() const -> span<const entry> { return {entries_, size_}; }

 private:
  static constexpr auto text_of(const char* text) -> std::string_view {
    return text == nullptr ? std::string_view{} : std::string_view{text};
  }
  constexpr auto find(std::string_view backend_id) const -> const entry* {
    const auto all = entries();
    const auto match =
        std::find_if(all.begin(), all.end(), [&](const entry& each) { return std::string_view{each.backend_id} == backend_id; });
    return match == all.end() ? nullptr : &*match;
  }

  std::size_t size_ = 0;
  entry entries_[capacity] = {};
};

}  // namespace baton
