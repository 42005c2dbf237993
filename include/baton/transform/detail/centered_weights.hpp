// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// int8 weights without their zero points.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/span.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton::detail {

/// The differences of int8 weights and their zero points. A difference has up to 9 bits, so it is the sum of one to three int8 parts.
class centered_weights {
 public:
  /// `zero_points` has one number for each channel, from -128 to 127. `run` weights in a row have the same channel.
  constexpr centered_weights(std::string_view weights, span<const std::int64_t> zero_points, std::size_t run)
      : weights_(weights),
        zero_points_(zero_points),
        run_(run) {
    // Few statements per element, because they dominate the cost of a constant expression.
    int lowest = 0, highest = 0, last = 0;
    for_each_run([&](std::size_t first, int zero) {
      for (auto i = first; i < first + run_; ++i)
        last = static_cast<signed char>(weights_[i]) - zero, lowest = last < lowest ? last : lowest,
        highest = last > highest ? last : highest;
    });
    while (lowest < -128 * parts_ || highest > 127 * parts_) ++parts_;
  }

  /// The number of parts of each difference.
  constexpr auto parts() const -> std::int64_t { return parts_; }

  /// Returns the parts. The weights have the shape [blocks, `inner`], and the result [blocks, parts, `inner`].
  constexpr auto bytes(std::size_t inner) const -> text_buffer {
    text_buffer to(weights_.size() * static_cast<std::size_t>(parts_), '\0');
    for_each_run([&](std::size_t first, int zero) {
      if (parts_ == 1) {
        for (auto i = first; i < first + run_; ++i) to[i] = static_cast<char>(static_cast<signed char>(weights_[i]) - zero);
        return;
      }
      for (auto i = first; i < first + run_; ++i)
        store(&to[i / inner * inner * static_cast<std::size_t>(parts_) + i % inner], inner, i, zero);
    });
    return to;
  }
  /// Returns the parts. The weights have the shape [taps, channels], and the result [channels, taps, parts].
  constexpr auto bytes_by_channel(std::size_t channels) const -> text_buffer {
    const auto taps = weights_.size() / channels, count = static_cast<std::size_t>(parts_);
    text_buffer to(weights_.size() * count, '\0');
    for (std::size_t c = 0; c < channels; ++c) {
      for (std::size_t t = 0; t < taps; ++t)
        store(&to[(c * taps + t) * count], 1, t * channels + c, static_cast<int>(zero_points_[zero_points_.size() == 1 ? 0 : c]));
    }
    return to;
  }

 private:
  template <class Function>
  constexpr void for_each_run(Function function) const {
    for (std::size_t first = 0, c = 0; first + run_ <= weights_.size(); first += run_, c = c + 1 == zero_points_.size() ? 0 : c + 1)
      function(first, static_cast<int>(zero_points_[c]));
  }
  /// Stores the parts of weight `at` at the distance `step`. They are as equal as possible.
  constexpr void store(char* to, std::size_t step, std::size_t at, int zero) const {
    const auto whole = static_cast<signed char>(weights_[at]) - zero;
    for (int p = 0; p < parts_; ++p)
      to[static_cast<std::size_t>(p) * step] = static_cast<char>(whole * (p + 1) / parts_ - whole * p / parts_);
  }

  std::string_view weights_;
  span<const std::int64_t> zero_points_;
  std::size_t run_;
  int parts_ = 1;
};

}  // namespace baton::detail
