// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The stream of packed constants (`streams.hpp`) of a convolution: weights, and the initial sum and requantization of each output channel.
#pragma once

#include <baton/kernels/cortex_m/detail/convolution.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/cortex_m/detail/streams.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::cortex_m::detail {

/// A writer of the stream of a layer, one pair of output channels per call of `write`. The last pair may lack a second channel.
class stream_writer {
 public:
  constexpr explicit stream_writer(const convolution_facts& layer) : plan_(layer.plan), layer_(layer) {}

  constexpr void write(std::int32_t pair, std::uint32_t* to) const {
    const packed_channel both[2] = {channel(2 * pair), channel(2 * pair + 1)};
    if (plan_.encoding.is_by_windows != 0) {
      write_window_weights(both[0], to);
      write_window_weights(both[1], to + window_channel_words);
      return;
    }
    weight_totals totals[2];
    for (std::size_t q = 0; q < 2; ++q) {
      if (both[q].has_weights) totals[q] = write_weights(both[q], to + 2 + q);
    }
    auto* at = to + plan_.pair_words() - 2 * plan_.rule_words();
    for (std::size_t q = 0; q < 2; ++q) {
      const auto start = totals[q].start(both[q].bias, plan_.input_zero_point);
      // The initial sum may wrap around, because only the complete sum must fit 32 bits.
      to[q] = (static_cast<std::uint32_t>(start) << both[q].scale) + static_cast<std::uint32_t>(both[q].by.nudge);
      *at++ = static_cast<std::uint32_t>(both[q].by.multiplier);
      *at++ = static_cast<std::uint32_t>(both[q].by.offset);
      if (plan_.encoding.is_compact == 0) *at++ = static_cast<std::uint32_t>(both[q].last_word);
    }
  }

 private:
  struct packed_channel {
    bool has_weights = false;  ///< false if the channel does not exist or its output is constant
    const char* weights = nullptr;
    std::int32_t bias = 0;
    std::int32_t scale = 0;  ///< log2 of the scale of the sums
    scaled_requantization by{};
    std::int32_t last_word = 0;  ///< the right shift; if `sum_encoding::scale` is 0, the left shift of the sign in the correction
  };

  // Writes the weights of a channel to every other word, because the words of the two channels alternate. If filter rows are rounded up to
  // whole words, zeros follow the weights of each row.
  constexpr auto write_weights(const packed_channel& source, std::uint32_t* to) const -> weight_totals {
    const auto step = layer_.data.product_step;
    const auto is_wide = plan_.encoding.is_wide != 0;
    const auto count = plan_.overread() != 0 ? plan_.run() : plan_.products();
    const auto words = (is_wide ? 4 : 2) * (plan_.whole_run() / 4);
    weight_totals totals;
    for (std::int32_t at = 0; at < plan_.products(); at += count, to += words) {
      const auto row = is_wide ? write_wide(source, at * step, count, to) : write_packed(source.weights + at * step, count, step, to, 2);
      totals.all += row.all;
      totals.odd += row.odd;
    }
    return totals;
  }

  // Writes `left` weights, scaled and in 16 bits. Reads them from byte offset `at` of the channel's weights. The loop is unrolled to take
  // few constexpr steps per weight.
  constexpr auto write_wide(const packed_channel& source, std::int32_t at, std::int32_t left, std::uint32_t* to) const -> weight_totals {
    weight_totals totals;
    const auto step = layer_.data.product_step;
    const auto factor = std::int32_t{1} << source.scale;
    for (; left >= 4; left -= 4, at += 4 * step, to += 4) {
      const std::int32_t w0 = weight_at(source.weights, at);
      const std::int32_t w1 = weight_at(source.weights, at + step);
      const std::int32_t w2 = weight_at(source.weights, at + 2 * step);
      const std::int32_t w3 = weight_at(source.weights, at + 3 * step);
      totals.all += w0 + w1 + w2 + w3;
      to[0] = (static_cast<std::uint32_t>(factor * w0) & 0xffffu) | static_cast<std::uint32_t>(factor * w2) << 16;
      to[2] = (static_cast<std::uint32_t>(factor * w1) & 0xffffu) | static_cast<std::uint32_t>(factor * w3) << 16;
    }
    if (left > 0) {
      const std::int32_t w0 = weight_at(source.weights, at);
      const std::int32_t w1 = left > 1 ? weight_at(source.weights, at + step) : 0;
      const std::int32_t w2 = left > 2 ? weight_at(source.weights, at + 2 * step) : 0;
      totals.all += w0 + w1 + w2;
      to[0] = halfwords(factor * w0, factor * w2);
      to[2] = halfwords(factor * w1, 0);
    }
    return totals;
  }

  // Writes a channel in the order of `convolution_windows.hpp`. The top half of the last word of weights is the correction.
  constexpr void write_window_weights(const packed_channel& source, std::uint32_t* to) const {
    constexpr std::int32_t taps[2 * window_words] = {0, 2, 3, 5, 6, 8, 1, 4, 7, 0};
    const auto step = source.has_weights ? layer_.data.product_step : 0;
    const auto factor = source.has_weights ? std::int32_t{1} << source.scale : 0;
    const auto correction = plan_.encoding.corrects_ties != 0 && source.last_word < 32 ? -(std::int32_t{1} << source.last_word) : 0;
    std::int32_t all = 0;
    for (std::int32_t i = 0; i < window_words; ++i) {
      const auto w0 = factor * weight_at(source.weights, taps[2 * i] * step);
      const auto w1 = i + 1 < window_words ? factor * weight_at(source.weights, taps[2 * i + 1] * step) : 0;
      all += w0 + w1;
      to[i] = halfwords(w0, i + 1 < window_words ? w1 : correction);
    }
    const auto start = std::int64_t{source.bias} * (std::int64_t{1} << source.scale) - std::int64_t{plan_.input_zero_point} * all;
    to[5] = static_cast<std::uint32_t>(start) + static_cast<std::uint32_t>(source.by.nudge);
    to[6] = static_cast<std::uint32_t>(source.by.multiplier);
    to[7] = static_cast<std::uint32_t>(source.by.offset);
  }

  constexpr auto channel(std::int32_t at) const -> packed_channel {
    const auto& encoding = plan_.encoding;
    if (at >= plan_.out_channels) return constant(0);
    const auto& facts = layer_.channels[static_cast<std::size_t>(at)];
    if (facts.constant != varies) return constant(facts.constant);
    const auto scale = encoding.scale != 0 ? encoding.scale : encoding.shift - facts.rule.right + 1;
    packed_channel result{true, layer_.data.weights_of(at), layer_.data.bias_of(at), scale, {}, 0};
    result.by = encoding.is_compact != 0 ? scaled_with_shift(facts.sums, facts.rule) : scaled_by(facts.rule, scale);
    result.last_word = encoding.scale != 0 ? result.by.shift : facts.rule.right > 0 ? scale - 1 : 32;  // a shift by 32 yields 0
    return result;
  }
  constexpr auto constant(std::int32_t output) const -> packed_channel {
    // If the layer has no common shift, a channel with a constant output may have any shift.
    const auto shift = plan_.encoding.shift != 0 ? plan_.encoding.shift : 16;
    auto requantization = scaled_constant(output, shift);
    if (plan_.encoding.is_compact != 0) requantization.nudge = shift;
    return {false, layer_.data.weights, 0, 2, requantization, plan_.encoding.scale != 0 ? shift : 32};
  }

  const convolution& plan_;
  const convolution_facts& layer_;
};

}  // namespace baton::cortex_m::detail
