// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The weights of a convolution as a stream of words, with what each output channel's sums begin with and become outputs by.
#pragma once

#include <baton/kernels/cortex_m/detail/convolution.hpp>
#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/cortex_m/detail/scaled_sums.hpp>
#include <baton/kernels/cortex_m/detail/streams.hpp>

#include <cstddef>
#include <cstdint>

namespace baton::cortex_m::detail {

/// Writes the words of two output channels; the second one of the last pair may be none.
class stream_writer {
 public:
  constexpr explicit stream_writer(const convolution_facts& of) : plan_(of.plan), of_(of) {}

  constexpr void write(std::int32_t pair, std::uint32_t* to) const {
    const packed_channel both[2] = {channel(2 * pair), channel(2 * pair + 1)};
    weight_totals totals[2];
    const bool is_wide = plan_.form.is_wide != 0;
    for (std::size_t q = 0; q < 2; ++q) {
      if (both[q].is_there)
        totals[q] = is_wide ? write_wide(both[q], to + 2 + q)
                            : write_packed(both[q].weights, plan_.products(), of_.data.product_step, to + 2 + q, 2);
    }
    auto* at = to + plan_.pair_words() - 6;
    for (std::size_t q = 0; q < 2; ++q) {
      const auto start = totals[q].start(both[q].bias, plan_.input_zero_point);
      to[q] = static_cast<std::uint32_t>(start) << both[q].scale;  // may wrap around: the whole sum fits
      *at++ = static_cast<std::uint32_t>(both[q].by.multiplier);
      *at++ = static_cast<std::uint32_t>(both[q].by.offset);
      *at++ = static_cast<std::uint32_t>(both[q].last);
    }
  }

 private:
  struct packed_channel {
    bool is_there = false;  ///< and not constant
    const char* weights = nullptr;
    std::int32_t bias = 0;
    std::int32_t scale = 0;
    scaled_requantization by{};
    std::int32_t last = 0;  ///< the shift, or where it is common, by how much the sign is shifted for the correction
  };

  // The words of one channel lie two apart. Loops are written out: few steps a weight in a constant.
  constexpr auto write_wide(const packed_channel& of, std::uint32_t* to) const -> weight_totals {
    weight_totals made;
    const auto step = of_.data.product_step;
    const auto by = std::int32_t{1} << of.scale;
    std::int32_t at = 0;
    std::int32_t left = plan_.products();
    for (; left >= 4; left -= 4, at += 4 * step, to += 4) {
      const std::int32_t w0 = weight_at(of.weights, at);
      const std::int32_t w1 = weight_at(of.weights, at + step);
      const std::int32_t w2 = weight_at(of.weights, at + 2 * step);
      const std::int32_t w3 = weight_at(of.weights, at + 3 * step);
      made.all += w0 + w1 + w2 + w3;
      to[0] = (static_cast<std::uint32_t>(by * w0) & 0xffffu) | static_cast<std::uint32_t>(by * w2) << 16;
      to[2] = (static_cast<std::uint32_t>(by * w1) & 0xffffu) | static_cast<std::uint32_t>(by * w3) << 16;
    }
    if (left > 0) {
      const std::int32_t w0 = weight_at(of.weights, at);
      const std::int32_t w1 = left > 1 ? weight_at(of.weights, at + step) : 0;
      const std::int32_t w2 = left > 2 ? weight_at(of.weights, at + 2 * step) : 0;
      made.all += w0 + w1 + w2;
      to[0] = halfwords(by * w0, by * w2);
      to[2] = halfwords(by * w1, 0);
    }
    return made;
  }

  constexpr auto channel(std::int32_t at) const -> packed_channel {
    const auto& form = plan_.form;
    // Any shift does for a constant that has its own.
    if (at >= plan_.out_channels) return constant(0);
    const auto& facts = of_.channels[static_cast<std::size_t>(at)];
    if (facts.constant != varies) return constant(facts.constant);
    const auto scale = form.scale != 0 ? form.scale : form.shift - facts.rule.right + 1;
    packed_channel made{true, of_.data.weights_of(at), of_.data.bias_of(at), scale, scaled_by(facts.rule, scale), 0};
    made.last = form.scale != 0 ? made.by.shift : facts.rule.right > 0 ? scale - 1 : 32;  // a shift by 32 leaves nothing
    return made;
  }
  constexpr auto constant(std::int32_t output) const -> packed_channel {
    const auto shift = plan_.form.shift != 0 ? plan_.form.shift : 16;
    return {false, of_.data.weights, 0, 2, scaled_constant(output, shift), plan_.form.scale != 0 ? shift : 32};
  }

  const convolution& plan_;
  const convolution_facts& of_;
};

}  // namespace baton::cortex_m::detail
