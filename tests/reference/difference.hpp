// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Compares a tensor with the recorded reference, and describes the first difference. Independent of the library.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>

namespace reference {

/// Returns an empty text if the bytes are as recorded, else a description of the first difference. float32 may differ by `tolerance` times
/// the largest magnitude of the tensor. Infinities and NaNs may not.
inline auto difference(bool is_float, const char* actual, const char* expected, std::size_t size, float tolerance = 1e-5f) -> std::string {
  if (!is_float) {
    for (std::size_t i = 0; i < size; ++i) {
      if (actual[i] != expected[i])
        return "byte " + std::to_string(i) + " is " + std::to_string(actual[i]) + ", not " + std::to_string(expected[i]);
    }
    return {};
  }
  const auto number = [](const char* from, std::size_t at) {
    float value = 0;
    std::memcpy(&value, from + at, sizeof value);
    return value;
  };
  float largest = 0;
  for (std::size_t at = 0; at < size; at += 4) {
    if (const auto b = number(expected, at); std::isfinite(b)) largest = std::fmax(largest, std::fabs(b));
  }
  for (std::size_t at = 0; at < size; at += 4) {
    const auto a = number(actual, at);
    const auto b = number(expected, at);
    const bool is_as_recorded = std::isnan(b) ? std::isnan(a) : std::isinf(b) ? a == b : std::fabs(a - b) <= tolerance * largest;
    if (is_as_recorded) continue;
    return "element " + std::to_string(at / 4) + " is " + std::to_string(a) + ", not " + std::to_string(b) + "; the largest magnitude is " +
           std::to_string(largest);
  }
  return {};
}

}  // namespace reference
