// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What a backend is given of several methods at once, and what it gives back.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/vector.hpp>

#include <string_view>

namespace baton {

/// Something for every part of several methods: `by_method<exported_program>` the parts, `by_method<compile_specs>` what their backend is
/// given of each, `by_method<preprocess_result>` what it makes of each. Methods stand in the order in which they came.
template <class T>
struct by_method {
  struct entry {
    text_buffer method;
    vector<T> parts;
  };
  vector<entry> entries;

  /// The list of a method, which is added if it is not there.
  constexpr auto operator[](std::string_view method) -> vector<T>& {
    for (auto& candidate : entries) {
      if (view(candidate.method) == method) return candidate.parts;
    }
    entries.push_back({join(method), {}});
    return entries.back().parts;
  }
  /// The list of a method, null if it is not there.
  constexpr auto find(std::string_view method) const -> const vector<T>* {
    for (const auto& candidate : entries) {
      if (view(candidate.method) == method) return &candidate.parts;
    }
    return nullptr;
  }

  constexpr auto begin() const { return entries.begin(); }
  constexpr auto end() const { return entries.end(); }
};

}  // namespace baton
