// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The layout of int8 weights and inputs in words, for two products per instruction. A stream of packed constants is an array of words, in
// the order in which a kernel reads them. The words are the weights of a layer, and the other constants of its output channels.
#pragma once

#include <baton/kernels/cortex_m/detail/instructions.hpp>

#include <cstdint>

namespace baton::cortex_m::detail {

// Odd and even refer to the index of a weight or an input. A word holds four weights. Each halfword is 256 · odd weight + even weight, so
// SXTB16 extracts the even weights. Each odd input is stored as A = odd input − 127, and the even input before it as B = 256 · even input −
// A. For all int8 inputs, A and B fit a halfword. Then halfword · A + even weight · B = 256 · (odd weight · A + even weight · even input).
// The first product uses the packed word unchanged. So only the even weights are unpacked, with one instruction per four weights. Sums are
// scaled by 256. The initial sum compensates for the 127.
inline constexpr std::int32_t packed_bits = 8;  ///< log2 of the scale of the sums
inline constexpr std::int32_t odd_offset = 127;

// If the sums of a layer are not proved to fit 32 bits at scale 256, the products of each output are divided into segments. The sum of each
// segment is then shifted right to the scale 4, and the shifted sums of all segments are added.
inline constexpr std::int32_t folded_bits = 2;  ///< log2 of the scale at which sums of segments are added

/// The maximum number of products of a segment. For arbitrary inputs and weights, 256 times the sum of this many products stays below 2^31
/// if the sum starts at 0. On average, a product has a magnitude of at most 128 · (255 + 128) / 2, because |x_odd - 127| <= 255, |x_even|
/// <= 128 and |w| <= 128.
inline constexpr std::int32_t max_segment_products = 340;  // a multiple of four, for whole words
static_assert(std::int64_t{max_segment_products} * 128 * (255 + 128) / 2 < 1 << 23);

/// True if an even weight and the following odd weight fit a halfword.
constexpr auto fit_packed(std::int32_t even, std::int32_t odd) -> bool { return odd > -128 || even >= 0; }
constexpr auto packed_weights(std::int32_t w0, std::int32_t w1, std::int32_t w2, std::int32_t w3) -> std::uint32_t {
  return halfwords(256 * w1 + w0, 256 * w3 + w2);
}
/// Returns word A (`odd_inputs`) or word B (`even_inputs`) of the four inputs in `four`.
[[gnu::always_inline]] constexpr auto odd_inputs(std::uint32_t four) -> std::uint32_t { return sxtab16_ror8(0xff81ff81u, four); }
[[gnu::always_inline]] constexpr auto even_inputs(std::uint32_t four, std::uint32_t odd) -> std::uint32_t {
  return ssub16(four << 8 & 0xff00ff00u, odd);
}

/// The sum of all weights of an output, and the sum of its odd weights. `odd` is set only for packed weights.
struct weight_totals {
  std::int32_t all = 0;
  std::int32_t odd = 0;

  /// Returns the initial value of a sum of products of raw inputs (the zero point is not subtracted from them). The initial value
  /// compensates for the zero point, and for the 127 that is subtracted from odd inputs.
  constexpr auto start(std::int32_t bias, std::int32_t input_zero_point) const -> std::int64_t {
    return std::int64_t{bias} - std::int64_t{input_zero_point} * all + std::int64_t{odd_offset} * odd;
  }
};

constexpr auto weight_at(const char* weights, std::int32_t at) -> std::int32_t { return static_cast<signed char>(weights[at]); }

/// Packs `count` weights into words. Adjacent weights are `step` bytes apart, and adjacent packed words are `word_step` words apart. Zeros
/// pad the last word. The loop is unrolled to take few constexpr steps per weight. The loop uses offsets instead of pointers, because a
/// pointer would leave the array after the last weight.
constexpr auto write_packed(const char* weights, std::int32_t count, std::int32_t step, std::uint32_t* to, std::int32_t word_step)
    -> weight_totals {
  weight_totals totals;
  std::int32_t at = 0;
  std::int32_t word = 0;
  for (; count >= 4; count -= 4, at += 4 * step, word += word_step) {
    const std::int32_t w1 = weight_at(weights, at + step);
    const std::int32_t w3 = weight_at(weights, at + 3 * step);
    const std::int32_t low = 256 * w1 + weight_at(weights, at);
    const std::int32_t high = 256 * w3 + weight_at(weights, at + 2 * step);
    totals.odd += w1 + w3;
    totals.all += low + high;  // counts odd weights 256 times; corrected below
    to[word] = (static_cast<std::uint32_t>(low) & 0xffffu) | static_cast<std::uint32_t>(high) << 16;
  }
  totals.all -= 255 * totals.odd;
  if (count > 0) {
    const std::int32_t w0 = weight_at(weights, at);
    const std::int32_t w1 = count > 1 ? weight_at(weights, at + step) : 0;
    const std::int32_t w2 = count > 2 ? weight_at(weights, at + 2 * step) : 0;
    totals.odd += w1;
    totals.all += w0 + w1 + w2;
    to[word] = packed_weights(w0, w1, w2, 0);
  }
  return totals;
}

/// True if no weight is −128, so that every even weight and the odd weight after it fit a halfword. The check is stricter than necessary,
/// because some pairs with −128 also fit, but converters never produce −128. GCC takes one constexpr step per weight; Clang takes a single
/// constexpr step in total if `step` is 1.
constexpr auto all_fit_packed(const char* weights, std::int32_t count, std::int32_t step = 1) -> bool {
#if defined(__clang__)
  if (step == 1) return __builtin_char_memchr(weights, -128, static_cast<std::size_t>(count)) == nullptr;
#endif
  constexpr std::int32_t max_rounds = 1 << 16;  // iterations per loop; GCC allows 262,144
  for (std::int32_t first = 0; first < count; first += max_rounds) {
    const auto last = count - first < max_rounds ? count : first + max_rounds;
    for (auto k = first; k < last; ++k) {
      if (static_cast<signed char>(weights[k * step]) == -128) return false;
    }
  }
  return true;
}

}  // namespace baton::cortex_m::detail
