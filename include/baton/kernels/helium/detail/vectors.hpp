// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The loops of the Helium kernels over vectors of 16 bytes. On a Cortex-M with MVE (Helium), the code uses MVE instructions. On other
// targets, it uses portable C++ with the same packed weights.
#pragma once

#include <baton/kernels/detail/single_rounding.hpp>
#include <baton/operators/requantization.hpp>
#include <baton/operators/shared/rounding.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__ARM_FEATURE_MVE)
#include <arm_mve.h>
#endif

namespace baton::helium::detail {

using quantized::bounds;

/// The size of a vector, in bytes.
inline constexpr std::int32_t vector_bytes = 16;

/// The parameters of the requantization that all outputs of a layer share.
struct output_rule {
  std::int32_t zero_point = 0;
  quantized::bounds<std::int32_t> range{};
  quantized::rounding round = quantized::rounding::twice;

  constexpr auto rounds_once() const -> bool { return round == quantized::rounding::once; }
  constexpr auto corrects_ties() const -> bool { return !rounds_once() && portable::detail::corrects_ties(zero_point, range); }
};

/// The initial sums and requantization factors of four channels, as packed words. An output is sum · multiplier / 2^31, shifted right with
/// rounding, plus the zero point. If `output_rule::round` is `twice`, the quotient is also rounded, as in `quantized::requantize`. If it is
/// `once`, the quotient is rounded down, as in `quantized::requantize_once`.
struct four_factors {
  static constexpr std::int32_t words = 12;

  /// Writes the words of the channel in lane `lane` (an element of a vector). The layout of `to` is [3, 4]: four initial sums, four
  /// multipliers, and four negated right shifts.
  static constexpr void set(std::int32_t* to, std::int32_t lane, std::int32_t offset, std::int32_t value, std::int32_t right) {
    to[lane] = offset;
    to[4 + lane] = value;
    to[8 + lane] = -right;
  }
};

#if defined(__ARM_FEATURE_MVE)

// Barriers for the compiler. Operands are computed before the barrier, and later loads are not moved before it. Without barriers, compilers
// would reorder additions or do all loads first, and would run out of registers.
[[gnu::always_inline]] inline void settle(int32x4_t& a, int32x4_t& b, int32x4_t& c, int32x4_t& d) {
  asm volatile("" : "+w"(a), "+w"(b), "+w"(c), "+w"(d) : : "memory");
}
[[gnu::always_inline]] inline void settle(int32x4_t& a) { asm volatile("" : "+w"(a) : : "memory"); }

/// Returns four outputs minus the zero point, not yet clamped, from their sums.
[[gnu::always_inline]] inline auto requantize_four(int32x4_t sums, const std::int32_t* factors, const output_rule& rule) -> int32x4_t {
  const auto by = vld1q_s32(factors + 4);
  auto high = rule.rounds_once() ? vqdmulhq_s32(sums, by) : vqrdmulhq_s32(sums, by);
  if (rule.corrects_ties()) high = vaddq_s32(high, vshrq_n_s32(high, 31));  // rounds negative ties away from zero
  return vrshlq_s32(high, vld1q_s32(factors + 8));
}

/// Returns the dot products of `depth` numbers with the weights of four channels, plus the initial sums in `factors`. The layout of the
/// weights is [vectors, 4 channels, 16 weights], padded with zeros. If `IsPadded`, `numbers` is padded to whole vectors. The loop is in
/// assembly, because compilers compute the address of each load separately.
template <bool IsPadded>
[[gnu::always_inline]] inline auto dot_four(const std::int8_t* numbers, const std::int8_t* weights, std::int32_t depth,
                                            const std::int32_t* factors) -> int32x4_t {
  std::int32_t a = factors[0];
  std::int32_t b = factors[1];
  std::int32_t c = factors[2];
  std::int32_t d = factors[3];
  const auto vectors = IsPadded ? (depth + vector_bytes - 1) / vector_bytes : depth / vector_bytes;
  if (vectors > 0) {
    asm volatile(
        "dls lr, %[vectors]\n"
        "1:\n"
        "vldrb.8 q0, [%[numbers]], #16\n"
        "vldrb.8 q1, [%[weights]], #64\n"
        "vmladava.s8 %[a], q0, q1\n"
        "vldrb.8 q2, [%[weights], #-48]\n"
        "vmladava.s8 %[b], q0, q2\n"
        "vldrb.8 q1, [%[weights], #-32]\n"
        "vmladava.s8 %[c], q0, q1\n"
        "vldrb.8 q2, [%[weights], #-16]\n"
        "vmladava.s8 %[d], q0, q2\n"
        "le lr, 1b\n"
        : [a] "+Te"(a), [b] "+Te"(b), [c] "+Te"(c), [d] "+Te"(d), [numbers] "+r"(numbers), [weights] "+r"(weights)
        : [vectors] "r"(vectors)
        : "q0", "q1", "q2", "lr", "cc", "memory");
  }
  if (const auto remaining = IsPadded ? 0 : depth % vector_bytes; remaining != 0) {
    const auto last = vldrbq_z_s8(numbers, vctp8q(static_cast<std::uint32_t>(remaining)));
    a = vmladavaq_s8(a, last, vld1q_s8(weights));
    b = vmladavaq_s8(b, last, vld1q_s8(weights + 16));
    c = vmladavaq_s8(c, last, vld1q_s8(weights + 32));
    d = vmladavaq_s8(d, last, vld1q_s8(weights + 48));
  }
  int32x4_t sums;
  asm("vmov %q[sums][2], %q[sums][0], %[a], %[c]\n"
      "vmov %q[sums][3], %q[sums][1], %[b], %[d]\n"
      : [sums] "=&w"(sums)
      : [a] "r"(a), [b] "r"(b), [c] "r"(c), [d] "r"(d));
  return sums;
}

/// Requantizes four sums, and writes the first `count` outputs.
[[gnu::always_inline]] inline void store_four(int32x4_t sums, const std::int32_t* factors, const output_rule& rule, std::int32_t count,
                                              std::int8_t* to) {
  const auto y = vaddq_n_s32(requantize_four(sums, factors, rule), rule.zero_point);
  const auto clamped = vminq_s32(vmaxq_s32(y, vdupq_n_s32(rule.range.lower)), vdupq_n_s32(rule.range.upper));
  if (count >= 4) {
    vstrbq_s32(to, clamped);
  } else {
    vstrbq_p_s32(to, clamped, vctp32q(static_cast<std::uint32_t>(count)));
  }
}

/// The sums of 16 adjacent channels over the taps (positions in the window). Because of the widening instructions, vector i holds channels
/// i, i + 4, i + 8 and i + 12; `first_sums` is vector 0.
struct side_by_side {
  // Four members instead of an array, because compilers would keep the elements of an array in memory.
  int32x4_t first_sums;
  int32x4_t second_sums;
  int32x4_t third_sums;
  int32x4_t fourth_sums;

  /// Starts with the initial sums in `factors`: four `four_factors`, one for each vector.
  [[gnu::always_inline]] explicit side_by_side(const std::int32_t* factors)
      : first_sums(vld1q_s32(factors)),
        second_sums(vld1q_s32(factors + four_factors::words)),
        third_sums(vld1q_s32(factors + 2 * four_factors::words)),
        fourth_sums(vld1q_s32(factors + 3 * four_factors::words)) {}

  static auto load(const std::int8_t* from, std::int32_t channels) -> int8x16_t {
    return channels >= vector_bytes ? vld1q_s8(from) : vldrbq_z_s8(from, vctp8q(static_cast<std::uint32_t>(channels)));
  }
  /// Returns one vector with the lanes of two vectors, saturated to 16 bits. The lanes of `bottom` are at even positions, the lanes of
  /// `top` at odd positions.
  [[gnu::always_inline]] static auto narrowed(int32x4_t bottom, int32x4_t top) -> int16x8_t {
    return vqmovntq_s32(vqmovnbq_s32(vreinterpretq_s16_s32(bottom), bottom), top);
  }
  [[gnu::always_inline]] void add_products(int16x8_t even, int16x8_t odd) {
    first_sums = vaddq_s32(first_sums, vmovlbq_s16(even));
    second_sums = vaddq_s32(second_sums, vmovlbq_s16(odd));
    third_sums = vaddq_s32(third_sums, vmovltq_s16(even));
    fourth_sums = vaddq_s32(fourth_sums, vmovltq_s16(odd));
    settle(first_sums, second_sums, third_sums, fourth_sums);
  }
  [[gnu::always_inline]] void add_tap(const std::int8_t* numbers, const std::int8_t* weights, std::int32_t channels) {
    const auto x = load(numbers, channels);
    const auto w = vld1q_s8(weights);
    add_products(vmullbq_int_s8(x, w), vmulltq_int_s8(x, w));
  }
  /// Adds two taps, `first` and `second`. The sum of their two products fits 16 bits, because no weight is -128.
  [[gnu::always_inline]] void add_taps(const std::int8_t* first, const std::int8_t* second, const std::int8_t* weights,
                                       std::int32_t channels) {
    const auto x = load(first, channels);
    const auto w = vld1q_s8(weights);
    const auto next = load(second, channels);
    const auto next_w = vld1q_s8(weights + vector_bytes);
    add_products(vaddq_s16(vmullbq_int_s8(x, w), vmullbq_int_s8(next, next_w)),
                 vaddq_s16(vmulltq_int_s8(x, w), vmulltq_int_s8(next, next_w)));
  }
  [[gnu::always_inline]] void store(const std::int32_t* factors, const output_rule& rule, std::int32_t channels, std::int8_t* to) const {
    constexpr auto step = four_factors::words;
    auto first = requantize_four(first_sums, factors, rule);
    settle(first);
    auto second = requantize_four(second_sums, factors + step, rule);
    settle(second);
    auto third = requantize_four(third_sums, factors + 2 * step, rule);
    settle(third);
    const auto fourth = requantize_four(fourth_sums, factors + 3 * step, rule);
    const auto even = vqaddq_n_s16(narrowed(first, third), static_cast<std::int16_t>(rule.zero_point));
    const auto odd = vqaddq_n_s16(narrowed(second, fourth), static_cast<std::int16_t>(rule.zero_point));
    auto result = vqmovntq_s16(vqmovnbq_s16(vreinterpretq_s8_s16(even), even), odd);
    if (rule.range.lower > INT8_MIN) result = vmaxq_s8(result, vdupq_n_s8(static_cast<std::int8_t>(rule.range.lower)));
    if (rule.range.upper < INT8_MAX) result = vminq_s8(result, vdupq_n_s8(static_cast<std::int8_t>(rule.range.upper)));
    if (channels >= vector_bytes) {
      vst1q_s8(to, result);
    } else {
      vstrbq_p_s8(to, result, vctp8q(static_cast<std::uint32_t>(channels)));
    }
  }
};

/// Copies `count` bytes, 16 at a time, and then the remaining bytes together. `memcpy` of small C libraries would copy one byte at a time.
[[gnu::always_inline]] inline void copy_bytes(std::int8_t* to, const std::int8_t* from, std::int32_t count) {
  for (; count >= vector_bytes; count -= vector_bytes, to += vector_bytes, from += vector_bytes) vst1q_s8(to, vld1q_s8(from));
  if (count <= 0) return;
  const auto lanes = vctp8q(static_cast<std::uint32_t>(count));
  vstrbq_p_s8(to, vldrbq_z_s8(from, lanes), lanes);
}
[[gnu::always_inline]] inline void fill_bytes(std::int8_t* to, std::int8_t number, std::int32_t count) {
  const auto numbers = vdupq_n_s8(number);
  for (; count >= vector_bytes; count -= vector_bytes, to += vector_bytes) vst1q_s8(to, numbers);
  if (count > 0) vstrbq_p_s8(to, numbers, vctp8q(static_cast<std::uint32_t>(count)));
}

#else

using four_sums = std::array<std::int32_t, 4>;

inline auto requantize_one(std::int32_t sum, const std::int32_t* factors, const output_rule& rule) -> std::int32_t {
  std::int64_t high = rule.rounds_once() ? (std::int64_t{sum} * factors[4]) >> 31 : quantized::high_multiply(sum, factors[4]);
  if (rule.corrects_ties() && high < 0) --high;
  const auto right = -factors[8];
  return rule.range.clamp(static_cast<std::int32_t>((high + (std::int64_t{1} << (right - 1))) >> right) + rule.zero_point);
}

template <bool IsPadded>
auto dot_four(const std::int8_t* numbers, const std::int8_t* weights, std::int32_t depth, const std::int32_t* factors) -> four_sums {
  four_sums sums{factors[0], factors[1], factors[2], factors[3]};
  const auto count = IsPadded ? (depth + vector_bytes - 1) / vector_bytes * vector_bytes : depth;
  for (std::int32_t k = 0; k < count; ++k) {
    const auto* vector = weights + k / vector_bytes * 4 * vector_bytes + k % vector_bytes;
    for (std::size_t i = 0; i < 4; ++i) sums[i] += numbers[k] * vector[static_cast<std::ptrdiff_t>(i) * vector_bytes];
  }
  return sums;
}

inline void store_four(const four_sums& sums, const std::int32_t* factors, const output_rule& rule, std::int32_t count, std::int8_t* to) {
  for (std::int32_t i = 0; i < 4 && i < count; ++i) {
    to[i] = static_cast<std::int8_t>(requantize_one(sums[static_cast<std::size_t>(i)], factors + i, rule));
  }
}

struct side_by_side {
  std::array<std::int32_t, vector_bytes> sums{};

  explicit side_by_side(const std::int32_t* factors) {
    for (std::int32_t i = 0; i < vector_bytes; ++i) sums[static_cast<std::size_t>(i)] = factors[i % 4 * four_factors::words + i / 4];
  }
  void add_tap(const std::int8_t* numbers, const std::int8_t* weights, std::int32_t channels) {
    for (std::int32_t i = 0; i < vector_bytes && i < channels; ++i) {
      sums[static_cast<std::size_t>(i)] += static_cast<std::int16_t>(numbers[i] * weights[i]);
    }
  }
  void add_taps(const std::int8_t* first, const std::int8_t* second, const std::int8_t* weights, std::int32_t channels) {
    for (std::int32_t i = 0; i < vector_bytes && i < channels; ++i) {
      sums[static_cast<std::size_t>(i)] += static_cast<std::int16_t>(first[i] * weights[i] + second[i] * weights[vector_bytes + i]);
    }
  }
  void store(const std::int32_t* factors, const output_rule& rule, std::int32_t channels, std::int8_t* to) const {
    for (std::int32_t i = 0; i < vector_bytes && i < channels; ++i) {
      const auto* own = factors + i % 4 * four_factors::words + i / 4;
      to[i] = static_cast<std::int8_t>(requantize_one(sums[static_cast<std::size_t>(i)], own, rule));
    }
  }
};

inline void copy_bytes(std::int8_t* to, const std::int8_t* from, std::int32_t count) {
  if (count > 0) std::memcpy(to, from, static_cast<std::size_t>(count));
}
inline void fill_bytes(std::int8_t* to, std::int8_t number, std::int32_t count) {
  if (count > 0) std::memset(to, number, static_cast<std::size_t>(count));
}

#endif

}  // namespace baton::helium::detail
