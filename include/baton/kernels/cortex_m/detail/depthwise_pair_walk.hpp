// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The inner loop of 3 × 3 depthwise convolutions (`depthwise_pairs.hpp`): its parameters, and a version for stride 1 in portable C++. The
// loop computes the outputs of a channel from packed input columns.
#pragma once

#include <baton/kernels/cortex_m/detail/depthwise_columns.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/detail/geometry.hpp>

#include <cstdint>

namespace baton::cortex_m::detail {

using portable::flag;

/// The parameters of the loop. A specialized routine has the parameters of one layer as constants; other routines read them at run time.
/// The type is structural, because it is a template argument of specialized routines.
struct pair_walk {
  std::int32_t stride = 1;
  std::int32_t channels = 1;
  std::int32_t outputs = 1;  ///< outputs per row
  std::int32_t shift = 10;
  std::int32_t stream_words = 9;  ///< words of constants per channel (`put_pair_channel`)
  flag corrects_ties = 0;         ///< whether negative sums need the correction (`depthwise_channel::correction`)
  flag begins_odd = 0;            ///< `depthwise_plan::begins_odd()`

  /// Returns the number of output rows that are computed together: two at stride 1, because the windows of adjacent rows then share two
  /// input rows.
  constexpr auto rows_per_step() const -> std::int32_t { return stride == 1 ? 2 : 1; }
  constexpr auto pairs() const -> std::int32_t { return outputs / 2; }
  constexpr auto is_odd() const -> bool { return outputs % 2 != 0; }
  /// Returns the number of pairs of outputs per iteration. The number divides `pairs()`, so that the last iteration ends at the last pair.
  /// The number is small enough that all offsets fit the load and store instructions.
  constexpr auto unrolled() const -> std::int32_t {
    std::int32_t result = 1;
    for (std::int32_t n = 2; n <= 3; ++n) {
      if (pairs() % n == 0 && 2 * n * channels < 4096) result = n;
    }
    return result;
  }
  constexpr auto has_loop() const -> bool { return pairs() > unrolled(); }
  /// Returns the parameters of the routine that layers share. A shift of 0 marks such parameters. The number of channels, the number of
  /// outputs, the shift and `stream_words` are then read at run time.
  constexpr auto shared() const -> pair_walk { return {stride, 0, 2, 0, 0, corrects_ties, begins_odd}; }
};

/// The addresses of the data of `count` adjacent channels. Each address is that of the first channel.
struct pair_memory {
  const std::uint32_t* words;  ///< the packed columns
  const std::int32_t* stream;  ///< the constants of the first channel, after its shift if the block in the stream begins with a shift
  std::int8_t* first;          ///< the first output of the first row
  std::int8_t* second;         ///< the first output of the second row; `first` if there is no second row
  std::int32_t count;          ///< the number of channels
};

/// Computes the outputs of one channel in one or two rows, in portable C++. The words and the stream (`streams.hpp`) have the layout that
/// the assembly code uses.
inline void walk_channel_plainly(const pair_walk& walk, const pair_memory& at) {
  const auto* words = at.words;
  const auto* stream = at.stream;
  const auto bias = *stream++;
  scaled_requantization by;
  by.multiplier = *stream++;
  by.offset = *stream++;
  by.shift = walk.shift;
  const auto correction = walk.corrects_ties != 0 ? *stream++ : 0;
  const auto finish = [&](std::int32_t sum) { return static_cast<std::int8_t>(requantize_scaled(sum, by, sum < 0 ? correction : 0)); };
  for (std::int32_t x = 0; x < walk.outputs; ++x, words += column_words) {
    auto first = bias;
    auto second = bias;
    for (std::int32_t k = 0; k < 3; ++k) {
      const auto upper_rows = words[k * column_words];
      const auto lower_rows = words[k * column_words + 1];
      const auto upper = static_cast<std::uint32_t>(stream[k]);
      const auto lower = static_cast<std::uint32_t>(stream[k + 3]);
      first = smlabt(lower_rows, lower, smlad(upper_rows, upper, first));
      second = smlad(lower_rows, lower, smlatb(upper_rows, upper, second));
    }
    // Without a second row, `at.second` equals `at.first`. So the first row is written last, to overwrite the invalid second output.
    at.second[x * walk.channels] = finish(second);
    at.first[x * walk.channels] = finish(first);
  }
}

/// Computes the outputs of `at.count` channels in one or two rows, in portable C++.
inline void walk_pairs_plainly(const pair_walk& walk, pair_memory at) {
  for (; at.count != 0; --at.count, at.words += 2, at.stream += walk.stream_words, ++at.first, ++at.second) walk_channel_plainly(walk, at);
}

}  // namespace baton::cortex_m::detail
