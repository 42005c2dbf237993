// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sums of products of contiguous inputs and rows of weights: the inner loop of convolutions and fully connected layers.
#pragma once

#include <baton/kernels/detail/half.hpp>
#include <baton/kernels/detail/quantized.hpp>
#include <baton/kernels/unaligned.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace baton::portable::detail {

/// True if the target has vector registers; all 64-bit targets are assumed to have them. With vectors, loops over a few elements are
/// faster. Without vectors, unrolled code is faster.
inline constexpr bool has_vectors = sizeof(void*) > 4;

/// The number of contiguous elements that one step computes. With vectors, these elements fill whole vectors; without vectors, their sums
/// fit the registers.
inline constexpr std::size_t lanes = has_vectors ? 16 : 4;

/// Calls `f(n)` for each n below `N`, in ascending order. If the target has vectors, the calls are in a loop that can be vectorized. If
/// not, the loop is unrolled and `n` is a `std::integral_constant`, so that indexed elements stay in registers.
template <std::size_t N, class F>
[[gnu::always_inline]] inline void for_lanes(F f) {
  if constexpr (has_vectors) {
    for (std::size_t n = 0; n < N; ++n) f(n);
  } else {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (f(std::integral_constant<std::size_t, I>{}), ...); }(std::make_index_sequence<N>{});
  }
}

/// A zero point that is known at compile time. In the functions below, `Zero` is such a type, or `std::int32_t` for a zero point that is
/// only known at run time. With `std::int32_t`, layers with different zero points share code.
template <std::int32_t ZeroPoint>
using known_zero_point = std::integral_constant<std::int32_t, ZeroPoint>;

/// The type of the difference of an int8 number and the zero point: one byte if all differences fit and `IsWide` is false, otherwise int16.
template <class Zero, bool IsWide>
struct difference_of {
  using type = std::int16_t;
};
template <>
struct difference_of<known_zero_point<INT8_MIN>, false> {
  using type = std::uint8_t;
};
template <>
struct difference_of<known_zero_point<0>, false> {
  using type = std::int8_t;
};
template <class Zero, bool IsWide>
using difference = typename difference_of<Zero, IsWide>::type;

/// Subtracts the zero point from `count` int8 numbers. The function is not inlined, so that layers share it.
template <class Zero, class Difference>
[[gnu::noinline]] inline void subtract_zero_point(const std::int8_t* from, std::int32_t count, Difference* to, Zero zero) {
  std::int32_t k = 0;
  if constexpr (sizeof(Difference) == 1) {
    // Subtracting -128 inverts the highest bit. Each step converts four numbers.
    constexpr std::uint32_t flipped = Zero::value == 0 ? 0 : 0x80808080;
    for (; k + 4 <= count; k += 4) {
      std::uint32_t four;
      std::memcpy(&four, from + k, sizeof four);
      four ^= flipped;
      std::memcpy(to + k, &four, sizeof four);
    }
  }
  for (; k < count; ++k) to[k] = static_cast<Difference>(from[k] - zero);
}

/// Subtracts the zero point from `N` int8 numbers, with 16-bit results. The differences need 9 bits, and many targets multiply 16-bit
/// numbers with one instruction.
template <int N, class Zero>
inline void widen(const std::int8_t* from, std::int16_t* to, Zero zero) {
  constexpr int block = 16;
  constexpr int whole = has_vectors ? N - N % block : 0;
  // Compilers cannot know that `to` and `from` do not overlap. The copy to a local array enables vectorization.
  for (int k = 0; k < whole; k += block) {
    std::int8_t numbers[block];
    std::memcpy(numbers, from + k, block);
    for (int i = 0; i < block; ++i) to[k + i] = static_cast<std::int16_t>(numbers[i] - zero);
  }
  for (int k = whole; k < N; ++k) to[k] = static_cast<std::int16_t>(from[k] - zero);
}
template <int N, class Zero, class Difference>
inline void widen(const std::int8_t* from, Difference* to, Zero zero) {
  subtract_zero_point(from, N, to, zero);
}

// Access to inputs and weights. Below, `Pitch` is the stride between the weights of adjacent channels, in elements.
struct difference_reading {
  template <class Difference>
  static auto input(const Difference* from, int k) -> Difference {
    return from[k];
  }
  static auto weight(const std::int8_t* from, std::ptrdiff_t k) -> std::int8_t { return from[k]; }
};
template <std::int32_t ZeroPoint>
struct int8_reading : difference_reading {
  static auto input(const std::int8_t* from, int k) -> std::int32_t { return from[k] - ZeroPoint; }
};
struct float_reading {
  static auto input(const char* from, int k) -> float { return load<float>(from, k); }
  static auto weight(const char* from, std::ptrdiff_t k) -> float { return load<float>(from, k); }
  static constexpr std::ptrdiff_t weight_bytes = 4;
};
/// Access to float32 inputs and float16 weights.
struct half_reading : float_reading {
  static auto weight(const char* from, std::ptrdiff_t k) -> float { return load_half(from, k); }
  static constexpr std::ptrdiff_t weight_bytes = 2;
};
template <bool IsHalf>
using reading_of = std::conditional_t<IsHalf, half_reading, float_reading>;

// The body of the innermost loop. The attribute makes compilers inline this function even at -Os.
template <class Reading, int Pitch, class Input, class Weight, class Sum, std::size_t... M>
[[gnu::always_inline]] inline void add_product(const Input* from, const Weight* weights, int k, Sum* sums, std::index_sequence<M...>) {
  const auto x = Reading::input(from, k);
  ((sums[M] += x * Reading::weight(weights, k + static_cast<std::ptrdiff_t>(M) * Pitch)), ...);
}

/// Adds products in loops with constant bounds. GCC at -O2 vectorizes only loops without a remainder, and does not unroll loops.
template <class Reading, int N, int Pitch, std::size_t M, class Input, class Weight, class Sum>
[[gnu::always_inline]] inline void sum_products(const Input* from, const Weight* weights, Sum* sums) {
  constexpr auto rows = std::make_index_sequence<M>{};
  constexpr int step = has_vectors ? 1 : 4;
  constexpr int whole = N - N % (has_vectors ? 16 : step);
  for (int k = 0; k < whole; k += step) {
    add_product<Reading, Pitch>(from, weights, k, sums, rows);
    if constexpr (step == 4) {
      add_product<Reading, Pitch>(from, weights, k + 1, sums, rows);
      add_product<Reading, Pitch>(from, weights, k + 2, sums, rows);
      add_product<Reading, Pitch>(from, weights, k + 3, sums, rows);
    }
  }
  for (int k = whole; k < N; ++k) add_product<Reading, Pitch>(from, weights, k, sums, rows);
}

/// Adds the dot product of `N` inputs and row m of the weights to sum m, for `M` rows of int8 weights. The zero point has already been
/// subtracted from the inputs. The row stride is `Pitch` elements. The function is not inlined and has local sums, because otherwise sums
/// or addresses would not stay in the registers of small targets.
template <int N, int Pitch, std::size_t M, class Difference>
[[gnu::noinline]] inline void add_products(const Difference* from, const std::int8_t* weights, std::int32_t* into) {
  std::int32_t sums[M] = {};
  sum_products<difference_reading, N, Pitch, M>(from, weights, sums);
  for (std::size_t m = 0; m < M; ++m) into[m] += sums[m];
}

/// Subtracts the zero point from `N` int8 inputs. Then adds the dot product of the differences and row m of the weights to sum m, for `M`
/// rows of int8 weights. If the target has vectors, the inputs are widened in pieces of 128, so that the stack use is small for any `N`.
template <std::int32_t ZeroPoint, int N, int Pitch, std::size_t M>
[[gnu::noinline]] inline void add_products(const std::int8_t* from, const std::int8_t* weights, std::array<std::int32_t, M>& into) {
  if constexpr (has_vectors) {
    constexpr int piece = 128;
    constexpr int remainder = N % piece;
    alignas(16) std::int16_t widened[static_cast<std::size_t>(N < piece ? N : piece)];
    for (int k = 0; k + piece <= N; k += piece) {
      widen<piece>(from + k, widened, known_zero_point<ZeroPoint>{});
      add_products<piece, Pitch, M>(widened, weights + k, into.data());
    }
    if constexpr (remainder != 0) {
      widen<remainder>(from + (N - remainder), widened, known_zero_point<ZeroPoint>{});
      add_products<remainder, Pitch, M>(widened, weights + (N - remainder), into.data());
    }
  } else {
    std::int32_t sums[M] = {};
    sum_products<int8_reading<ZeroPoint>, N, Pitch, M>(from, weights, sums);
    for (std::size_t m = 0; m < M; ++m) into[m] += sums[m];
  }
}

/// Adds the dot product of `N` float32 inputs and row m of the weights to sum m, for `M` rows of weights. Products are added in the order
/// of the inputs, as in the reference (the kernel of TensorFlow Lite Micro), because another order rounds differently.
template <class Reading, int N, int Pitch, std::size_t M>
inline void add_products(const char* from, const char* weights, std::array<float, M>& into) {
  auto sums = into;
  sum_products<Reading, N, Pitch, M>(from, weights, sums.data());
  into = sums;
}

/// Divides `Count` elements into groups of `Step` and a remainder, and calls `f(at, n)` for each group and for the remainder. `at` is the
/// index of the first element; `n` is the number of elements, as a `std::integral_constant`.
template <int Count, std::size_t Step, class F>
inline void for_runs(F f) {
  constexpr auto size = static_cast<int>(Step);
  constexpr int remainder = Count % size;
  for (int at = 0; at + size <= Count; at += size) f(at, std::integral_constant<std::size_t, Step>{});
  if constexpr (remainder != 0) f(Count - remainder, std::integral_constant<std::size_t, static_cast<std::size_t>(remainder)>{});
}

/// Calls `f` like `for_runs`, for a block of the `Count` elements: `Block` elements from element `begin` on, or the remaining elements if
/// these are fewer. The argument `at` of `f` is relative to `begin`.
template <int Count, int Block, std::size_t Step, class F>
inline void for_runs_of_part(int begin, F f) {
  static_assert(Block % static_cast<int>(Step) == 0);
  constexpr int remainder = Count % Block;
  if (remainder == 0 || begin + remainder != Count) return for_runs<Block, Step>(f);
  for_runs<remainder, Step>(f);
}

}  // namespace baton::portable::detail
