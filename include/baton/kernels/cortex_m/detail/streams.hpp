// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// How int8 weights and inputs lie in words so that one instruction multiplies two of each.
#pragma once

#include <baton/kernels/cortex_m/detail/instructions.hpp>

#include <cstdint>

namespace baton::cortex_m::detail {

// Four weights in a word: each halfword is 256 · odd weight + even weight, whose sign-extended bytes (SXTB16) are the even weights. Of four
// inputs beside them, the odd ones become A = odd − 127, the even ones B = 256 · even − A; both fit a halfword for every int8. Then
// halfword · A + even weight · B = 256 · (odd weight · A + even weight · even input): the word as it is multiplies, too, so that two
// instructions unpack eight weights, and sums come out times 256. The 127 are taken into the bias.
inline constexpr std::int32_t packed_bits = 8;  ///< by which sums are scaled
inline constexpr std::int32_t odd_offset = 127;

/// Whether an even weight and the odd one behind it fit a halfword.
constexpr auto fit_packed(std::int32_t even, std::int32_t odd) -> bool { return odd > -128 || even >= 0; }
constexpr auto packed_weights(std::int32_t w0, std::int32_t w1, std::int32_t w2, std::int32_t w3) -> std::uint32_t {
  return halfwords(256 * w1 + w0, 256 * w3 + w2);
}
/// A and B of four inputs.
[[gnu::always_inline]] constexpr auto odd_inputs(std::uint32_t four) -> std::uint32_t { return sxtab16_ror8(0xff81ff81u, four); }
[[gnu::always_inline]] constexpr auto even_inputs(std::uint32_t four, std::uint32_t odd) -> std::uint32_t {
  return ssub16(four << 8 & 0xff00ff00u, odd);
}

/// What the weights of an output come to, and of packed ones, those at odd places.
struct weight_totals {
  std::int32_t all = 0;
  std::int32_t odd = 0;

  /// What the sum begins with, so that raw inputs can be multiplied.
  constexpr auto start(std::int32_t bias, std::int32_t input_zero_point) const -> std::int64_t {
    return std::int64_t{bias} - std::int64_t{input_zero_point} * all + std::int64_t{odd_offset} * odd;
  }
};

constexpr auto weight_at(const char* weights, std::int32_t at) -> std::int32_t { return static_cast<signed char>(weights[at]); }

/// Packs `count` weights, which lie `step` bytes apart, into words `word_step` apart; zeros fill up the last. Written out: few steps a
/// weight in a constant. Offsets, for pointers would leave the weights behind the last.
constexpr auto write_packed(const char* weights, std::int32_t count, std::int32_t step, std::uint32_t* to, std::int32_t word_step)
    -> weight_totals {
  weight_totals made;
  std::int32_t at = 0;
  std::int32_t word = 0;
  for (; count >= 4; count -= 4, at += 4 * step, word += word_step) {
    const std::int32_t w1 = weight_at(weights, at + step);
    const std::int32_t w3 = weight_at(weights, at + 3 * step);
    const std::int32_t low = 256 * w1 + weight_at(weights, at);
    const std::int32_t high = 256 * w3 + weight_at(weights, at + 2 * step);
    made.odd += w1 + w3;
    made.all += low + high;  // less 256 times the odd ones, below
    to[word] = (static_cast<std::uint32_t>(low) & 0xffffu) | static_cast<std::uint32_t>(high) << 16;
  }
  made.all -= 255 * made.odd;
  if (count > 0) {
    const std::int32_t w0 = weight_at(weights, at);
    const std::int32_t w1 = count > 1 ? weight_at(weights, at + step) : 0;
    const std::int32_t w2 = count > 2 ? weight_at(weights, at + 2 * step) : 0;
    made.odd += w1;
    made.all += w0 + w1 + w2;
    to[word] = packed_weights(w0, w1, w2, 0);
  }
  return made;
}

/// Whether four-byte runs of weights, from the first on, all fit packed words: no odd one is −128. (−128 beside an even one that is not
/// negative would fit; converters make no −128 at all.) A step a weight in a constant.
constexpr auto all_fit_packed(const char* weights, std::int32_t count, std::int32_t step = 1) -> bool {
#if defined(__clang__)
  if (step == 1) return __builtin_char_memchr(weights, -128, static_cast<std::size_t>(count)) == nullptr;
#endif
  constexpr std::int32_t most_rounds = 1 << 16;  // of one loop; GCC counts to 262,144
  for (std::int32_t first = 0; first < count; first += most_rounds) {
    const auto last = count - first < most_rounds ? count : first + most_rounds;
    for (auto k = first; k < last; ++k) {
      if (static_cast<signed char>(weights[k * step]) == -128) return false;
    }
  }
  return true;
}

}  // namespace baton::cortex_m::detail
