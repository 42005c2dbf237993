// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sums of products of a run of inputs with rows of weights: the inner loop of convolutions and fully connected layers.
#pragma once

#include <baton/kernels/quantized.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace baton::portable {

/// The number at a position counted in elements, wherever the bytes lie: constants of a model need not be aligned.
template <class T>
auto load(const char* from, std::ptrdiff_t element = 0) -> T {
  T number;
  std::memcpy(&number, from + element * static_cast<std::ptrdiff_t>(sizeof(T)), sizeof(T));
  return number;
}
template <class T>
void store(char* to, std::ptrdiff_t element, T number) {
  std::memcpy(to + element * static_cast<std::ptrdiff_t>(sizeof(T)), &number, sizeof(T));
}

/// `N` int8 numbers less their zero point, as 16-bit numbers: 9 bits fit, and a product of 16-bit numbers is one instruction on many machines.
template <std::int32_t ZeroPoint, int N>
inline void widen(const std::int8_t* from, std::int16_t* to) {
  constexpr int block = 16;
  constexpr int whole = N - N % block;
  // Compilers cannot know that `to` is not `from`; a copy in between lets them use vectors.
  for (int k = 0; k < whole; k += block) {
    std::int8_t numbers[block];
    std::memcpy(numbers, from + k, block);
    for (int i = 0; i < block; ++i) to[k + i] = static_cast<std::int16_t>(numbers[i] - ZeroPoint);
  }
  for (int k = whole; k < N; ++k) to[k] = static_cast<std::int16_t>(from[k] - ZeroPoint);
}

namespace detail {

template <int Pitch, class Sum, std::size_t... M>
inline void add_product(std::int16_t x, const std::int8_t* weights, Sum* sums, std::index_sequence<M...>) {
  ((sums[M] += x * static_cast<std::int16_t>(weights[static_cast<std::ptrdiff_t>(M) * Pitch])), ...);
}
template <int Pitch, class Sum, std::size_t... M>
inline void add_product(float x, const char* weights, Sum* sums, std::index_sequence<M...>) {
  ((sums[M] += x * load<float>(weights, static_cast<std::ptrdiff_t>(M) * Pitch)), ...);
}

}  // namespace detail

/// Adds to `M` sums the products of `N` widened inputs with `M` rows of int8 weights that begin `Pitch` elements apart.
/// The loops have constant counts and sums of their own: GCC at -O2 makes vectors only of what leaves nothing over.
template <int N, int Pitch, std::size_t M>
inline void add_products(const std::int16_t* from, const std::int8_t* weights, std::array<std::int32_t, M>& into) {
  constexpr int whole = N - N % 16;
  constexpr auto rows = std::make_index_sequence<M>{};
  std::int32_t sums[M] = {};
  for (int k = 0; k < whole; ++k) detail::add_product<Pitch>(from[k], weights + k, sums, rows);
  for (int k = whole; k < N; ++k) detail::add_product<Pitch>(from[k], weights + k, sums, rows);
  for (std::size_t m = 0; m < M; ++m) into[m] += sums[m];
}

/// The same from int8 inputs as they lie in memory, widened piece by piece: little stack, whatever `N` is.
template <std::int32_t ZeroPoint, int N, int Pitch, std::size_t M>
inline void add_products(const std::int8_t* from, const std::int8_t* weights, std::array<std::int32_t, M>& into) {
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
}

/// The same for float32. Products are added in the order of the inputs, as the reference does: another order rounds otherwise.
template <int N, int Pitch, std::size_t M>
inline void add_products(const char* from, const char* weights, std::array<float, M>& into) {
  constexpr int whole = N - N % 8;
  constexpr auto rows = std::make_index_sequence<M>{};
  auto sums = into;
  for (int k = 0; k < whole; ++k) detail::add_product<Pitch>(load<float>(from, k), weights + 4 * static_cast<std::ptrdiff_t>(k), sums.data(), rows);
  for (int k = whole; k < N; ++k) detail::add_product<Pitch>(load<float>(from, k), weights + 4 * static_cast<std::ptrdiff_t>(k), sums.data(), rows);
  into = sums;
}

/// The elements side by side that are worked on together: whole vectors on 64-bit machines, which all have them; a handful of registers on others.
inline constexpr std::size_t lanes = sizeof(void*) > 4 ? 16 : 4;

/// Calls `f(at, n)` for runs of `AtOnce` of `Count` elements, and for what is left; `n` is the length as an `std::integral_constant`.
template <int Count, std::size_t AtOnce, class F>
inline void for_runs(F f) {
  constexpr auto step = static_cast<int>(AtOnce);
  constexpr int rest = Count % step;
  for (int at = 0; at + step <= Count; at += step) f(at, std::integral_constant<std::size_t, AtOnce>{});
  if constexpr (rest != 0) f(Count - rest, std::integral_constant<std::size_t, static_cast<std::size_t>(rest)>{});
}

}  // namespace baton::portable
