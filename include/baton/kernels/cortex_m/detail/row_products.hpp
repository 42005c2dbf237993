// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Dot products of 16-bit inputs and four rows of int8 weights, two products per instruction. A row holds the weights of one output. The
// weights of the model are read without packing them.
#pragma once

#include <baton/kernels/cortex_m/detail/instructions.hpp>
#include <baton/kernels/unaligned.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::cortex_m::detail {

// Inputs are stored as halfwords. Each group of four inputs is stored in the order 0, 2, 1, 3, because SXTB16 unpacks four weights in this
// order. The inputs after the last complete group are stored in ascending order.

/// Writes `count` int8 inputs minus their zero point to `to`, in the order for `sums_of_rows`. `to` has 2 · `count` bytes.
inline void expand_int8(const char* from, std::int32_t zero_point, std::int32_t count, char* to) {
  const auto zero_points = halfwords(-zero_point, -zero_point);
  const auto fours = count / 4 * 4;
  for (std::int32_t k = 0; k < fours; k += 4) {
    const auto four = portable::load<std::uint32_t>(from + k);
    portable::store(to + 2 * std::ptrdiff_t{k}, 0, sxtab16(zero_points, four));
    portable::store(to + 2 * std::ptrdiff_t{k}, 1, sxtab16_ror8(zero_points, four));
  }
  for (auto k = fours; k < count; ++k) portable::store(to, k, static_cast<std::int16_t>(portable::load<std::int8_t>(from, k) - zero_point));
}

/// Writes `count` int16 inputs to `to`, in the order for `sums_of_rows`. `to` may equal `from`; otherwise, the ranges must not overlap.
inline void reorder_int16(const char* from, std::int32_t count, char* to) {
  for (; count >= 4; count -= 4, from += 8, to += 8) {
    const auto low = portable::load<std::uint32_t>(from);
    const auto high = portable::load<std::uint32_t>(from, 1);
    portable::store(to, 0, pkhbt_lsl16(low, high));
    portable::store(to, 1, pkhtb_asr16(high, low));
  }
  for (std::int32_t k = 0; k < count; ++k) portable::store(to, k, portable::load<std::int16_t>(from, k));
}

#if defined(__ARM_FEATURE_DSP) && __ARM_ARCH_PROFILE == 'M'

/// Does the same as `add_fours`, in assembly. The loop needs 14 registers (r0 to r12 and lr), and compilers would keep some of its values
/// in memory. Eight inputs take 46 instructions for 32 products. If `fours` is odd, the first iteration begins in its middle. Register r7
/// may be the frame pointer, so it cannot be declared as a clobber. Instead, the assembly code saves and restores it.
[[gnu::always_inline]] inline void add_fours_dsp(const char*& from, std::array<const char*, 4>& rows, std::int32_t fours,
                                                 std::array<std::int32_t, 4>& sums) {
  const auto [first0, first1, first2, first3] = rows;  // copies, so that no call occurs between the assignments of register variables
  const auto [begin0, begin1, begin2, begin3] = sums;
  register const char* x asm("r0") = from;
  register const char* row0 asm("r1") = first0;
  register const char* row1 asm("r2") = first1;
  register const char* row2 asm("r3") = first2;
  register const char* row3 asm("r4") = first3;
  register std::int32_t iterations asm("r5") = fours;
  register std::int32_t sum0 asm("r8") = begin0;
  register std::int32_t sum1 asm("r9") = begin1;
  register std::int32_t sum2 asm("r10") = begin2;
  register std::int32_t sum3 asm("r11") = begin3;
  asm volatile(
      "push {r7}\n adds r5,#1\n lsrs r5,#1\n bcc 2f\n"
      "1: .rept 2\n"
      " ldr r6,[r0],#4\n ldr r7,[r0],#4\n"
      " ldr r12,[r1],#4\n sxtb16 lr,r12\n sxtb16 r12,r12,ror #8\n smlad r8,r6,lr,r8\n smlad r8,r7,r12,r8\n"
      " ldr r12,[r2],#4\n sxtb16 lr,r12\n sxtb16 r12,r12,ror #8\n smlad r9,r6,lr,r9\n smlad r9,r7,r12,r9\n"
      " ldr r12,[r3],#4\n sxtb16 lr,r12\n sxtb16 r12,r12,ror #8\n smlad r10,r6,lr,r10\n smlad r10,r7,r12,r10\n"
      " ldr r12,[r4],#4\n sxtb16 lr,r12\n sxtb16 r12,r12,ror #8\n smlad r11,r6,lr,r11\n smlad r11,r7,r12,r11\n"
      "2:\n .endr\n"
      " subs r5,#1\n bne 1b\n pop {r7}\n"
      : "+r"(x), "+r"(row0), "+r"(row1), "+r"(row2), "+r"(row3), "+r"(iterations), "+r"(sum0), "+r"(sum1), "+r"(sum2), "+r"(sum3)
      :
      : "r6", "r12", "lr", "cc", "memory");
  from = x;
  rows = {row0, row1, row2, row3};
  sums = {sum0, sum1, sum2, sum3};
}

#endif

/// True if words may be loaded from these addresses with one instruction. By default, Clang compiles without unaligned loads, and then does
/// not define `__ARM_FEATURE_UNALIGNED`.
[[gnu::always_inline]] inline auto may_load_words([[maybe_unused]] const char* from,
                                                  [[maybe_unused]] const std::array<const char*, 4>& rows) -> bool {
#if defined(__ARM_FEATURE_UNALIGNED)
  return true;
#else
  const auto bits = [](const char* at) { return reinterpret_cast<std::uintptr_t>(at); };
  return ((bits(from) | bits(rows[0]) | bits(rows[1]) | bits(rows[2]) | bits(rows[3])) & 3) == 0;
#endif
}

/// Adds the dot products of 4 · `fours` inputs and four rows of weights to `sums`, and advances the addresses. `fours` is at least 1.
[[gnu::always_inline]] inline void add_fours(const char*& from, std::array<const char*, 4>& rows, std::int32_t fours,
                                             std::array<std::int32_t, 4>& sums) {
#if defined(__ARM_FEATURE_DSP) && __ARM_ARCH_PROFILE == 'M'
  if (may_load_words(from, rows)) return add_fours_dsp(from, rows, fours, sums);
#endif
  for (; fours > 0; --fours, from += 8) {
    const auto even = portable::load<std::uint32_t>(from);
    const auto odd = portable::load<std::uint32_t>(from, 1);
    for (std::size_t row = 0; row < 4; ++row) {
      const auto four = portable::load<std::uint32_t>(rows[row]);
      sums[row] = smlad(odd, sxtb16_ror8(four), smlad(even, sxtb16(four), sums[row]));
      rows[row] += 4;
    }
  }
}

/// Returns the dot products of `count` inputs and four rows of weights. Sums wrap around.
[[gnu::noinline]] inline auto sums_of_rows(const char* from, const char* row0, const char* row1, const char* row2, const char* row3,
                                           std::int32_t count) -> std::array<std::int32_t, 4> {
  std::array<const char*, 4> rows{row0, row1, row2, row3};
  std::array<std::int32_t, 4> sums{};
  if (count >= 4) add_fours(from, rows, count / 4, sums);
  const auto remaining = static_cast<std::int32_t>(static_cast<std::uint32_t>(count) & 3u);
  for (std::int32_t k = 0; k < remaining; ++k) {
    const std::int32_t input = portable::load<std::int16_t>(from, k);
    for (std::size_t row = 0; row < 4; ++row) sums[row] = plain::sum_of(sums[row], input * portable::load<std::int8_t>(rows[row], k));
  }
  return sums;
}

/// The maximum number of products of int16 and int8 numbers whose sum always fits 32 bits, rounded down to a multiple of four.
inline constexpr std::int32_t max_exact_products = 508;
static_assert(std::int64_t{max_exact_products} * 32768 * 128 < std::int64_t{1} << 31);

/// Calls `f(row, sum)` with the dot product of `count` inputs and each of `rows` contiguous rows of weights. A `Sum` of 32 bits wraps. A
/// `Sum` of 64 bits is exact.
template <class Sum, class F>
[[gnu::always_inline]] inline void for_sums_of_rows(const char* from, const char* weights, std::int32_t count, std::int32_t rows, F f) {
  const std::ptrdiff_t pitch = count;
  for (std::int32_t row = 0; row < rows; row += 4, weights += 4 * pitch) {
    const auto last = rows - row - 1;  // if fewer than four rows are left, the last row is repeated
    const char* const row1 = weights + (last > 0 ? pitch : 0);
    const char* const row2 = weights + (last > 1 ? 2 * pitch : pitch * last);
    const char* const row3 = weights + (last > 2 ? 3 * pitch : pitch * last);
    std::array<Sum, 4> sums{};
    if constexpr (sizeof(Sum) == 4) {
      sums = sums_of_rows(from, weights, row1, row2, row3, count);
    } else {
      for (std::int32_t k = 0; k < count; k += max_exact_products) {
        const auto part = count - k < max_exact_products ? count - k : max_exact_products;
        const auto some = sums_of_rows(from + 2 * std::ptrdiff_t{k}, weights + k, row1 + k, row2 + k, row3 + k, part);
        for (std::size_t i = 0; i < 4; ++i) sums[i] += some[i];
      }
    }
    f(row, sums[0]);  // four calls, because compilers would keep the loop
    if (last > 0) f(row + 1, sums[1]);
    if (last > 1) f(row + 2, sums[2]);
    if (last > 2) f(row + 3, sums[3]);
  }
}

}  // namespace baton::cortex_m::detail
