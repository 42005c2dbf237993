// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Reductions along axes, one input after the other, with exact sums.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace reference {

/// Returns the output position of each input element, and the number of outputs.
inline auto reduced_positions(const std::vector<int>& shape, const std::vector<bool>& is_reduced) -> std::pair<std::vector<int>, int> {
  int inputs = 1;
  int outputs = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    inputs *= shape[d];
    if (!is_reduced[d]) outputs *= shape[d];
  }
  std::vector<int> positions;
  for (int i = 0; i < inputs; ++i) {
    int quotient = i;
    int position = 0;
    int step = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (!is_reduced[d]) {
        position += quotient % shape[d] * step;
        step *= shape[d];
      }
      quotient /= shape[d];
    }
    positions.push_back(position);
  }
  return {positions, outputs};
}

/// The quantization of a mean or sum.
struct reduction_quantization {
  float scale = 1;
  int zero_point = 0;
  float output_scale = 1;
  int output_zero_point = 0;
};

/// Reduces the elements of one output; `T` is their type.
template <class T>
auto reduce(const std::string& by, const std::vector<T>& elements) -> T {
  const auto count = static_cast<double>(elements.size());
  double sum = 0;
  double product = 1;
  bool any = false;
  bool all = true;
  T largest = elements[0];
  T smallest = elements[0];
  std::int64_t whole_sum = 0;
  std::uint32_t wrapped_product = 1;
  for (const auto x : elements) {
    sum += static_cast<double>(x);
    product *= static_cast<double>(x);
    any = any || x != T{};
    all = all && x != T{};
    if (x > largest) largest = x;
    if (x < smallest) smallest = x;
    whole_sum += static_cast<std::int64_t>(x);
    wrapped_product *= static_cast<std::uint32_t>(static_cast<std::int64_t>(x));
  }
  if (by == "max") return largest;
  if (by == "min") return smallest;
  if (by == "any") return static_cast<T>(any);
  if (by == "all") return static_cast<T>(all);
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(by == "prod" ? product : by == "mean" ? sum / count : sum);
  } else {
    if (by == "prod") return static_cast<T>(wrapped_product);
    return static_cast<T>(by == "mean" ? whole_sum / static_cast<std::int64_t>(elements.size()) : whole_sum);
  }
}

/// A quantized mean or sum. The factor has 31 bits, and is divided by the count for a mean; the sum is rounded twice.
inline auto reduce_quantized(bool is_mean, std::int64_t sum, std::int64_t count, const reduction_quantization& q, std::int64_t min,
                             std::int64_t max) -> std::int64_t {
  int shift = 0;
  auto factor = static_cast<std::int64_t>(
      std::round(std::frexp(static_cast<double>(q.scale) / static_cast<double>(q.output_scale), &shift) * 2147483648.0));
  if (factor == 2147483648) {
    factor /= 2;
    ++shift;
  }
  if (shift < -31) factor = shift = 0;
  if (is_mean) {
    int bits = 0;
    while (std::int64_t{2} << bits <= count) ++bits;
    if (bits > 31 + shift) bits = 31 + shift;
    factor = factor * (std::int64_t{1} << bits) / count;
    shift -= bits;
  }
  const auto real_sum = sum - q.zero_point * count;
  const auto shifted = std::ldexp(static_cast<long double>(real_sum), shift > 0 ? shift : 0);
  const auto left = std::min(std::max(shifted, -2147483648.0L), 2147483647.0L);
  const auto high = std::floor((left * static_cast<long double>(factor) + 1073741824.0L) / 2147483648.0L);
  const auto scaled = static_cast<std::int64_t>(shift < 0 ? std::round(std::ldexp(high, shift)) : high);
  const auto moved = scaled + q.output_zero_point;
  return moved < min ? min : moved > max ? max : moved;
}

}  // namespace reference
