// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The differences of int8 weights and their zero points, as int8 numbers.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/span.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// The differences weight - zero point of int8 weights. A difference is in [-255, 255], so it is the sum of one to three int8 summands.
class centered_weights {
  // This member is defined before its first use, because Clang does not evaluate a member template that is defined later in the class.
  template <class Function>
  constexpr void for_each_run(Function function) const {
    for (std::size_t first = 0, c = 0; first < size_; first += run_, c = c + 1 == zero_points_.size() ? 0 : c + 1)
      function(first, static_cast<int>(zero_points_[c]));
  }

 public:
  /// `zero_points` has one number in [-128, 127] for each channel. Each group of `run` consecutive weights belongs to one channel: group g
  /// belongs to channel g modulo the number of channels. The number of weights must be a multiple of `run`.
  constexpr centered_weights(span<const char> weights, span<const std::int64_t> zero_points, std::size_t run)
      : weights_(weights.data()),
        size_(weights.size()),
        zero_points_(zero_points),
        run_(run) {
    // This loop has few statements and calls per element, because statements and calls dominate the cost of a constant expression.
    int lowest = 0, highest = 0, last = 0;
    for_each_run([&](std::size_t first, int zero) {
      const char* const end = weights_ + first + run_;
      for (const char* at = weights_ + first; at != end; ++at)
        last = static_cast<signed char>(*at) - zero, lowest = last < lowest ? last : lowest, highest = last > highest ? last : highest;
    });
    while (lowest < -128 * summands_ || highest > 127 * summands_) ++summands_;
  }

  /// Returns the number of summands of each difference, 1 to 3.
  constexpr auto summands() const -> std::int64_t { return summands_; }

  /// Returns the summands of all differences. If the shape of the weights is [blocks, `inner`], the shape of the result is [blocks,
  /// summands, `inner`].
  constexpr auto bytes(std::size_t inner) const -> text_buffer {
    text_buffer result(size_ * static_cast<std::size_t>(summands_), '\0');
    char* const to = result.data();
    for_each_run([&](std::size_t first, int zero) {
      const auto end = first + run_;
      if (summands_ == 1) {
        for (auto i = first; i < end; ++i) to[i] = static_cast<char>(static_cast<signed char>(weights_[i]) - zero);
        return;
      }
      const auto count = static_cast<std::size_t>(summands_);
      for (auto i = first; i < end; ++i) store(to + i / inner * inner * count + i % inner, inner, i, zero);
    });
    return result;
  }
  /// Returns the summands of all differences. If the shape of the weights is [taps, channels], the shape of the result is [channels, taps,
  /// summands]. A tap is an element of the filter window.
  constexpr auto bytes_by_channel(std::size_t channels) const -> text_buffer {
    const auto taps = size_ / channels, count = static_cast<std::size_t>(summands_);
    text_buffer result(size_ * count, '\0');
    char* to = result.data();
    for (std::size_t c = 0; c < channels; ++c) {
      const auto zero = static_cast<int>(zero_points_[zero_points_.size() == 1 ? 0 : c]);
      for (std::size_t t = 0; t < taps; ++t, to += count) store(to, 1, t * channels + c, zero);
    }
    return result;
  }

 private:
  /// Splits the difference of weight `at` and its zero point `zero` into summands that differ by at most 1. Stores the summands at the
  /// addresses `to`, `to + step` and so on.
  constexpr void store(char* to, std::size_t step, std::size_t at, int zero) const {
    const int whole = static_cast<signed char>(weights_[at]) - zero, n = summands_;
    to[0] = static_cast<char>(whole / n);
    if (n > 1) to[step] = static_cast<char>(2 * whole / n - whole / n);
    if (n > 2) to[2 * step] = static_cast<char>(whole - 2 * whole / n);
  }

  const char* weights_;
  std::size_t size_;
  span<const std::int64_t> zero_points_;
  std::size_t run_;
  int summands_ = 1;
};

}  // namespace baton::detail
