// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Whether a tensor is what was recorded of the reference, and if not, where. Knows nothing of the library.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>

namespace reference {

/// Nothing, if bytes are as recorded; else the first that is not. float32 may be off by so much of the largest magnitude of the tensor, but
/// for infinities, and for what is no number, which must be there too.
inline auto difference(bool is_float, const char* found, const char* expected, std::size_t size, float tolerance = 1e-5f) -> std::string {
  if (!is_float) {
    for (std::size_t i = 0; i < size; ++i) {
      if (found[i] != expected[i])
        return "byte " + std::to_string(i) + " is " + std::to_string(found[i]) + ", not " + std::to_string(expected[i]);
    }
    return {};
  }
  const auto number = [](const char* from, std::size_t at) {
    float made = 0;
    std::memcpy(&made, from + at, sizeof made);
    return made;
  };
  float largest = 0;
  for (std::size_t at = 0; at < size; at += 4) {
    if (const auto b = number(expected, at); std::isfinite(b)) largest = std::fmax(largest, std::fabs(b));
  }
  for (std::size_t at = 0; at < size; at += 4) {
    const auto a = number(found, at);
    const auto b = number(expected, at);
    const bool is_as_recorded = std::isnan(b) ? std::isnan(a) : std::isinf(b) ? a == b : std::fabs(a - b) <= tolerance * largest;
    if (is_as_recorded) continue;
    return "element " + std::to_string(at / 4) + " is " + std::to_string(a) + ", not " + std::to_string(b) + "; the largest magnitude is " +
           std::to_string(largest);
  }
  return {};
}

}  // namespace reference
