// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A channel's way along packed columns, and what it computes there, in plain arithmetic, which runs everywhere.
#pragma once

#include <baton/kernels/cortex_m/detail/depthwise_columns.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/detail/geometry.hpp>

#include <cstdint>

namespace baton::cortex_m::detail {

using portable::flag;

/// A channel's way along its columns. Structural: what the routine of a channel is made for.
struct pair_walk {
  std::int32_t stride = 1;
  std::int32_t channels = 1;
  std::int32_t outputs = 1;  ///< of a row
  std::int32_t shift = 10;
  std::int32_t stream_words = 9;  ///< of a channel
  flag is_signed = 0;

  /// Output rows that are computed together: where windows overlap enough, two.
  constexpr auto rows_at_once() const -> std::int32_t { return stride == 1 ? 2 : 1; }
  constexpr auto pairs() const -> std::int32_t { return outputs / 2; }
  constexpr auto is_odd() const -> bool { return outputs % 2 != 0; }
  /// Pairs of output columns that are written out one behind the other: a divisor, so that a loop of them ends with the row, and as many as
  /// stores and loads reach.
  constexpr auto unrolled() const -> std::int32_t {
    std::int32_t most = 1;
    for (std::int32_t n = 2; n <= 3; ++n) {
      if (pairs() % n == 0 && 2 * n * channels < 4096) most = n;
    }
    return most;
  }
  constexpr auto has_loop() const -> bool { return pairs() > unrolled(); }
};

/// Where channels that lie side by side read and write: of the first, the first packed word, the stream behind the word of its shift, the
/// first output of the first row, and of the second, which is the same where there is none.
struct pair_memory {
  const std::uint32_t* words;
  const std::int32_t* stream;
  std::int8_t* first;
  std::int8_t* second;
  std::int32_t count;  ///< of channels
};

/// One channel of one or two output rows, by plain arithmetic over the same words and the same stream.
inline void walk_channel_plainly(const pair_walk& walk, const pair_memory& at) {
  const auto* words = at.words;
  const auto* stream = at.stream;
  const auto bias = *stream++;
  scaled_requantization by;
  by.multiplier = *stream++;
  by.offset = *stream++;
  by.shift = walk.shift;
  const auto correction = walk.is_signed != 0 ? *stream++ : 0;
  const auto finish = [&](std::int32_t sum) { return static_cast<std::int8_t>(requantize_scaled(sum, by, sum < 0 ? correction : 0)); };
  for (std::int32_t x = 0; x < walk.outputs; ++x, words += walk.stride * column_words) {
    auto first = bias;
    auto second = bias;
    for (std::int32_t k = 0; k < 3; ++k) {
      const auto upper_rows = words[k * column_words];
      const auto lower_rows = words[k * column_words + 1];
      const auto upper = static_cast<std::uint32_t>(stream[k]);
      const auto lower = static_cast<std::uint32_t>(stream[k + 3]);
      first = smlabt(lower_rows, lower, smlad(upper_rows, upper, first));
      if (walk.rows_at_once() == 2) second = smlad(lower_rows, lower, smlatb(upper_rows, upper, second));
    }
    // Where there is no second row, both are written to one place, the first last.
    if (walk.rows_at_once() == 2) at.second[x * walk.channels] = finish(second);
    at.first[x * walk.channels] = finish(first);
  }
}

inline void walk_pairs_plainly(const pair_walk& walk, pair_memory at) {
  for (; at.count != 0; --at.count, at.words += 2, at.stream += walk.stream_words, ++at.first, ++at.second) walk_channel_plainly(walk, at);
}

}  // namespace baton::cortex_m::detail
