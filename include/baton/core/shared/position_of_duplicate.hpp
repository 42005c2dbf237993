// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Duplicates in a list of texts.
#pragma once

#include <baton/core/span.hpp>

#include <cstddef>
#include <string_view>

namespace baton {

/// Returns the position of the first text that is equal to an earlier text, or the number of texts if all texts are different.
constexpr auto position_of_duplicate(span<const std::string_view> texts) -> std::size_t {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (texts[i] == texts[j]) return i;
    }
  }
  return texts.size();
}

}  // namespace baton
