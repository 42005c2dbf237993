// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which options are for which backend, where both are known at run time only.
#pragma once

#include <baton/compat/executorch/option_set.hpp>
#include <baton/core/span.hpp>
#include <baton/run/status.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string_view>

namespace baton {

/// What brings options for one backend along: its id and the options.
template <class T>
concept backend_options_builder = requires(const T& builder) {
  { builder.backend_id() } -> std::convertible_to<std::string_view>;
  { builder.view() } -> std::convertible_to<span<const option>>;
};

/// By backend id, a view of the options for it; the options stay with who made them. Given to `init_with`.
class load_options {
 public:
  static constexpr std::size_t capacity = 8;

  struct entry {
    detail::bounded_text<most_key_characters + 1> backend_id;
    span<const option> options;
  };

  /// Takes options for a backend, in place of those it had. Error: `invalid_argument` for an empty id, one of more than 63 characters,
  /// and a ninth; then nothing has changed.
  constexpr auto set(std::string_view backend_id, span<const option> options) -> status {
    if (backend_id.empty() || backend_id.size() > most_key_characters) return status::invalid_argument;
    for (auto& each : span{entries_, size_}) {
      if (std::string_view{each.backend_id} == backend_id) {
        each.options = options;
        return status::ok;
      }
    }
    if (size_ == capacity) return status::invalid_argument;
    entries_[size_++] = {detail::bounded_text<most_key_characters + 1>(backend_id), options};
    return status::ok;
  }
  /// The same for an id from C, where a null pointer is an empty id.
  constexpr auto set(const char* backend_id, span<const option> options) -> status { return set(text_of(backend_id), options); }
  template <backend_options_builder Builder>
  constexpr auto set(const Builder& builder) -> status {
    return set(std::string_view{builder.backend_id()}, span<const option>{builder.view()});
  }

  /// The options for a backend, none where there are none.
  constexpr auto get(std::string_view backend_id) const -> span<const option> {
    const auto* const found = find(backend_id);
    return found == nullptr ? span<const option>{} : found->options;
  }
  constexpr auto get(const char* backend_id) const -> span<const option> { return get(text_of(backend_id)); }
  /// Whether options were given for a backend, be it an empty list.
  constexpr auto has(std::string_view backend_id) const -> bool { return find(backend_id) != nullptr; }
  constexpr auto has(const char* backend_id) const -> bool { return has(text_of(backend_id)); }

  constexpr auto size() const -> std::size_t { return size_; }
  /// In the order in which the ids were first given.
  constexpr auto entries() const -> span<const entry> { return {entries_, size_}; }

 private:
  static constexpr auto text_of(const char* text) -> std::string_view {
    return text == nullptr ? std::string_view{} : std::string_view{text};
  }
  constexpr auto find(std::string_view backend_id) const -> const entry* {
    const auto all = entries();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const entry& each) { return std::string_view{each.backend_id} == backend_id; });
    return found == all.end() ? nullptr : &*found;
  }

  std::size_t size_ = 0;
  entry entries_[capacity] = {};
};

}  // namespace baton
