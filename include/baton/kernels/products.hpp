// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Sums of products of a run of inputs with rows of weights: the inner loop of convolutions and fully connected layers.
#pragma once

#include <baton/kernels/quantized.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

/// Arithmetic on int8 tensors: inputs less their zero point are summed in 32 bits. `InputZeroPoint` 0 serves inputs that are prepared already.
template <std::int32_t InputZeroPoint>
struct int8_arithmetic {
  using sum = std::int32_t;
  static constexpr std::size_t channels_at_once = 4;  // of x86-64's 16 and a Cortex-M's 13 registers
  // The longest part of a run that compilers turn into whole vectors without being told to (GCC at -O2 only where nothing is left over).
  static constexpr int block = 16;

  // 9 bits fit 16: a product of 16-bit numbers is one instruction on many machines.
  static auto input(const std::int8_t* from, int k) -> std::int16_t { return static_cast<std::int16_t>(from[k] - InputZeroPoint); }
  static auto input(const std::int16_t* from, int k) -> std::int16_t { return from[k]; }
  static auto weight(const std::int8_t* from, std::ptrdiff_t k) -> std::int16_t { return from[k]; }
};

/// Arithmetic on float tensors. Products are added in the order of the inputs, as the reference does: another order rounds otherwise.
struct float_arithmetic {
  using sum = float;
  static constexpr std::size_t channels_at_once = 8;
  static constexpr int block = 8;

  static auto input(const char* from, int k) -> float { return load<float>(from, k); }
  static auto weight(const char* from, std::ptrdiff_t k) -> float { return load<float>(from, k); }
};

namespace detail {

template <class Arithmetic, int Pitch, class Input, class Weight, std::size_t... M>
inline void add_product(const Input* from, const Weight* weights, int k, typename Arithmetic::sum* sums, std::index_sequence<M...>) {
  const auto x = Arithmetic::input(from, k);
  ((sums[M] += x * Arithmetic::weight(weights, k + static_cast<std::ptrdiff_t>(M) * Pitch)), ...);
}

}  // namespace detail

/// Adds to `M` sums the products of `N` inputs with `M` rows of weights that begin `Pitch` elements apart.
/// The loops have constant counts and sums of their own, so that compilers unroll and vectorise them.
template <class Arithmetic, int N, int Pitch, std::size_t M, class Input, class Weight>
inline void add_products(const Input* from, const Weight* weights, std::array<typename Arithmetic::sum, M>& into) {
  constexpr auto whole = N - N % Arithmetic::block;
  constexpr auto rows = std::make_index_sequence<M>{};
  typename Arithmetic::sum sums[M] = {};
  for (int k = 0; k < whole; ++k) detail::add_product<Arithmetic, Pitch>(from, weights, k, sums, rows);
  for (int k = whole; k < N; ++k) detail::add_product<Arithmetic, Pitch>(from, weights, k, sums, rows);
  for (std::size_t m = 0; m < M; ++m) into[m] += sums[m];
}

}  // namespace baton::portable
