// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sums of products of a run of inputs with rows of weights: the inner loop of convolutions and fully connected layers.
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

/// Whether the machine has vector registers: 64-bit machines do. Loops over a few elements serve these, unrolled registers the others.
inline constexpr bool has_vectors = sizeof(void*) > 4;

/// The elements side by side that are worked on together: whole vectors, or a handful of registers.
inline constexpr std::size_t lanes = has_vectors ? 16 : 4;

/// Calls `f(n)` for each n below `N`, in order: as a loop where vectors can be made of it, else one by one with `n` an
/// `std::integral_constant`, so that what it indexes stays in registers.
template <std::size_t N, class F>
[[gnu::always_inline]] inline void for_lanes(F f) {
  if constexpr (has_vectors) {
    for (std::size_t n = 0; n < N; ++n) f(n);
  } else {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (f(std::integral_constant<std::size_t, I>{}), ...); }(std::make_index_sequence<N>{});
  }
}

/// `N` int8 numbers less their zero point, as 16-bit numbers: 9 bits fit, and a product of 16-bit numbers is one instruction on many
/// machines.
template <std::int32_t ZeroPoint, int N>
inline void widen(const std::int8_t* from, std::int16_t* to) {
  constexpr int block = 16;
  constexpr int whole = has_vectors ? N - N % block : 0;
  // Compilers cannot know that `to` is not `from`; a copy in between lets them use vectors.
  for (int k = 0; k < whole; k += block) {
    std::int8_t numbers[block];
    std::memcpy(numbers, from + k, block);
    for (int i = 0; i < block; ++i) to[k + i] = static_cast<std::int16_t>(numbers[i] - ZeroPoint);
  }
  for (int k = whole; k < N; ++k) to[k] = static_cast<std::int16_t>(from[k] - ZeroPoint);
}

// How inputs and weights are read. The weights of the channels that are summed together begin `Pitch` elements apart.
template <std::int32_t ZeroPoint>
struct int8_reading {
  static auto input(const std::int8_t* from, int k) -> std::int32_t { return from[k] - ZeroPoint; }
  static auto input(const std::int16_t* from, int k) -> std::int16_t { return from[k]; }
  static auto weight(const std::int8_t* from, std::ptrdiff_t k) -> std::int8_t { return from[k]; }
};
struct float_reading {
  static auto input(const char* from, int k) -> float { return load<float>(from, k); }
  static auto weight(const char* from, std::ptrdiff_t k) -> float { return load<float>(from, k); }
  static constexpr std::ptrdiff_t weight_bytes = 4;
};
/// The same of weights in float16.
struct half_reading : float_reading {
  static auto weight(const char* from, std::ptrdiff_t k) -> float { return load_half(from, k); }
  static constexpr std::ptrdiff_t weight_bytes = 2;
};
template <bool IsHalf>
using reading_of = std::conditional_t<IsHalf, half_reading, float_reading>;

// What follows is the innermost loop: it is inlined at -Os too.
template <class Reading, int Pitch, class Input, class Weight, class Sum, std::size_t... M>
[[gnu::always_inline]] inline void add_product(const Input* from, const Weight* weights, int k, Sum* sums, std::index_sequence<M...>) {
  const auto x = Reading::input(from, k);
  ((sums[M] += x * Reading::weight(weights, k + static_cast<std::ptrdiff_t>(M) * Pitch)), ...);
}

/// Loops with constant counts: GCC at -O2 makes vectors only of what leaves nothing over, and unrolls nothing of itself.
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

/// Adds to `M` sums the products of `N` widened inputs with `M` rows of int8 weights that begin `Pitch` elements apart.
/// A function of its own, with sums of its own: inlined into a kernel's loops, sums or addresses fall out of the registers of small
/// machines.
template <int N, int Pitch, std::size_t M>
[[gnu::noinline]] inline void add_products(const std::int16_t* from, const std::int8_t* weights, std::array<std::int32_t, M>& into) {
  std::int32_t sums[M] = {};
  sum_products<int8_reading<0>, N, Pitch, M>(from, weights, sums);
  for (std::size_t m = 0; m < M; ++m) into[m] += sums[m];
}

/// The same from int8 inputs as they lie in memory. For vectors they are widened piece by piece, which takes little stack whatever `N` is.
template <std::int32_t ZeroPoint, int N, int Pitch, std::size_t M>
[[gnu::noinline]] inline void add_products(const std::int8_t* from, const std::int8_t* weights, std::array<std::int32_t, M>& into) {
  if constexpr (has_vectors) {
    constexpr int piece = 128;
    constexpr int rest = N % piece;
    alignas(16) std::int16_t widened[static_cast<std::size_t>(N < piece ? N : piece)];
    for (int k = 0; k + piece <= N; k += piece) {
      widen<ZeroPoint, piece>(from + k, widened);
      add_products<piece, Pitch>(widened, weights + k, into);
    }
    if constexpr (rest != 0) {
      widen<ZeroPoint, rest>(from + (N - rest), widened);
      add_products<rest, Pitch>(widened, weights + (N - rest), into);
    }
  } else {
    std::int32_t sums[M] = {};
    sum_products<int8_reading<ZeroPoint>, N, Pitch, M>(from, weights, sums);
    for (std::size_t m = 0; m < M; ++m) into[m] += sums[m];
  }
}

/// The same for float32. Products are added in the order of the inputs, as the reference does: another order rounds otherwise.
template <class Reading, int N, int Pitch, std::size_t M>
inline void add_products(const char* from, const char* weights, std::array<float, M>& into) {
  auto sums = into;
  sum_products<Reading, N, Pitch, M>(from, weights, sums.data());
  into = sums;
}

/// Calls `f(at, n)` for runs of `AtOnce` of `Count` elements, and for what is left; `n` is the length as an `std::integral_constant`.
template <int Count, std::size_t AtOnce, class F>
inline void for_runs(F f) {
  constexpr auto step = static_cast<int>(AtOnce);
  constexpr int rest = Count % step;
  for (int at = 0; at + step <= Count; at += step) f(at, std::integral_constant<std::size_t, AtOnce>{});
  if constexpr (rest != 0) f(Count - rest, std::integral_constant<std::size_t, static_cast<std::size_t>(rest)>{});
}

}  // namespace baton::portable::detail
