// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Recurrent layers, gate by gate and step by step, with the C++ library. Kernels are compared with them.
#pragma once

#include <baton/operators/shared/int16_functions.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace reference {

/// A quantized number times a real factor. The factor is a fraction of 31 bits; the product is rounded half up, then divided by a power of
/// two and rounded half away from zero.
inline auto scaled(std::int64_t x, double factor) -> std::int64_t {
  int exponent = 0;
  auto value = std::llround(std::ldexp(std::frexp(factor, &exponent), 31));
  if (value == 1ll << 31) {
    value /= 2;
    ++exponent;
  }
  if (exponent < -31) return 0;
  const auto product = static_cast<long double>(exponent > 0 ? x * (1ll << exponent) : x) * static_cast<long double>(value);
  const auto high = std::floor(std::ldexp(product, -31) + 0.5L);
  return exponent < 0 ? std::llround(std::ldexp(high, exponent)) : static_cast<std::int64_t>(high);
}
/// The same for sums of 64 bits: a fraction of 15 bits, rounded once, half up.
inline auto scaled_wide(std::int64_t x, double factor) -> std::int64_t {
  int exponent = 0;
  auto value = std::llround(std::ldexp(std::frexp(factor, &exponent), 31));
  if (value == 1ll << 31) {
    value /= 2;
    ++exponent;
  }
  const auto rounded = std::min(32767ll, (value + 32768) / 65536);
  return static_cast<std::int64_t>(
      std::floor(std::ldexp(static_cast<long double>(x) * static_cast<long double>(rounded), exponent - 15) + 0.5L));
}
inline auto cut(std::int64_t x, std::int64_t min, std::int64_t max) -> std::int64_t { return std::min(std::max(x, min), max); }

/// An LSTM; the gates are input, forget, cell and output. Numbers of all types are doubles, which represent them exactly.
struct lstm {
  using numbers = std::vector<double>;
  struct gate {
    numbers weights{};    ///< units by inputs
    numbers recurrent{};  ///< units by units
    numbers bias{};
    float weight_scale = 0;
    float recurrent_scale = 0;
  };

  std::size_t batches = 1;
  std::size_t steps = 1;
  std::size_t inputs = 1;
  std::size_t units = 1;
  bool time_major = false;
  double clip = 0;
  int bits = 0;  ///< of inputs and outputs; 0: float
  float scale = 0;
  int zero_point = 0;
  float hidden_scale = 0;
  int hidden_zero_point = 0;
  float cell_scale = 0;
  std::array<gate, 4> gates{};
  numbers hidden{};  ///< batches by units
  numbers cell{};

  auto run(const numbers& x) -> numbers {
    numbers y(batches * steps * units);
    for (std::size_t t = 0; t < steps; ++t) {
      const auto before = hidden;  // the operand of all gates of the step
      for (std::size_t b = 0; b < batches; ++b) {
        const auto row = time_major ? t * batches + b : b * steps + t;
        for (std::size_t u = 0; u < units; ++u)
          y[row * units + u] = bits == 0 ? real(x, before, b, row, u) : quantized(x, before, b, row, u);
      }
    }
    return y;
  }

 private:
  auto sum(const numbers& weights, std::size_t unit, const numbers& from, std::size_t first, std::size_t count, int zero) const -> double {
    double total = 0;
    for (std::size_t k = 0; k < count; ++k) total += weights[unit * count + k] * (from[first + k] - zero);
    return total;
  }

  auto real(const numbers& x, const numbers& before, std::size_t b, std::size_t row, std::size_t u) -> double {
    const auto argument = [&](const gate& g) {
      return sum(g.weights, u, x, row * inputs, inputs, 0) + g.bias[u] + sum(g.recurrent, u, before, b * units, units, 0);
    };
    const auto sigmoid = [](double at) { return 1 / (1 + std::exp(-at)); };
    auto& c = cell[b * units + u];
    c = sigmoid(argument(gates[1])) * c + sigmoid(argument(gates[0])) * std::tanh(argument(gates[2]));
    if (clip > 0) c = std::min(std::max(c, -clip), clip);
    return hidden[b * units + u] = std::tanh(c) * sigmoid(argument(gates[3]));
  }

  auto quantized(const numbers& x, const numbers& before, std::size_t b, std::size_t row, std::size_t u) -> double {
    const auto to_gate = [&](double total, float product_of_scales) {
      const auto factor = static_cast<double>(product_of_scales) * 4096;
      const auto whole = static_cast<std::int64_t>(total);
      return cut(bits == 8 ? scaled(whole, factor) : scaled_wide(whole, factor), -32768, 32767);
    };
    const auto argument = [&](const gate& g) {
      const auto input_sum = to_gate(sum(g.weights, u, x, row * inputs, inputs, zero_point) + g.bias[u], scale * g.weight_scale);
      const auto hidden_sum = to_gate(sum(g.recurrent, u, before, b * units, units, hidden_zero_point), hidden_scale * g.recurrent_scale);
      return static_cast<std::int16_t>(cut(input_sum + hidden_sum, -32768, 32767));
    };
    const auto sigmoid = [&](const gate& g) { return std::int64_t{baton::quantized::logistic_of_int16(argument(g), {})}; };
    auto& c = cell[b * units + u];
    const auto kept = cut(scaled(sigmoid(gates[1]) * static_cast<std::int64_t>(c), 1.0 / 32768), -32768, 32767);
    const std::int64_t candidate = baton::quantized::tanh_of_int16(argument(gates[2]), {});
    const auto cell_factor = 1.0 / 32768 / 32768 / static_cast<double>(cell_scale);
    auto next = cut(kept + cut(scaled(sigmoid(gates[0]) * candidate, cell_factor), -32768, 32767), -32768, 32767);
    if (clip > 0) {
      const auto max = static_cast<std::int64_t>(std::min(32767.0, clip / static_cast<double>(cell_scale)));
      next = cut(next, -max, max);
    }
    c = static_cast<double>(next);
    const auto power = static_cast<int>(std::lround(std::log2(static_cast<double>(cell_scale)))) + 12;
    const auto shown = baton::quantized::tanh_of_int16(
        static_cast<std::int16_t>(next), power < 0 ? baton::quantized::int16_factor{3, -power} : baton::quantized::int16_factor{0, power});
    const auto factor = 1.0 / 32768 / 32768 / static_cast<double>(hidden_scale);
    const auto max = bits == 8 ? 127 : 32767;
    return hidden[b * units + u] = static_cast<double>(cut(scaled(shown * sigmoid(gates[3]), factor) + hidden_zero_point, -max - 1, max));
  }
};

/// Filters over time.
struct svdf {
  using numbers = std::vector<double>;

  std::size_t batches = 1;
  std::size_t inputs = 1;
  std::size_t units = 1;
  std::size_t rank = 1;
  std::size_t memory = 1;
  int state_bits = 0;  ///< 0: float
  float scale = 0, feature_scale = 0, time_scale = 0, state_scale = 0, output_scale = 0;
  int zero_point = 0, state_zero_point = 0, output_zero_point = 0;
  bool is_relu = false;
  numbers feature{};  ///< filters by inputs
  numbers time{};     ///< filters by memory
  numbers bias{};     ///< empty: none
  numbers state{};    ///< batches by filters by memory

  auto run(const numbers& x) -> numbers {
    numbers y;
    for (std::size_t b = 0; b < batches; ++b) {
      for (std::size_t u = 0; u < units; ++u) {
        double total = bias.empty() ? 0 : bias[u];
        for (std::size_t f = u * rank; f < (u + 1) * rank; ++f) total += filter(x, b, f);
        y.push_back(finish(total));
      }
    }
    return y;
  }

 private:
  auto filter(const numbers& x, std::size_t b, std::size_t f) -> double {
    double value = 0;
    for (std::size_t k = 0; k < inputs; ++k) value += feature[f * inputs + k] * (x[b * inputs + k] - zero_point);
    if (state_bits != 0) {
      const auto max = state_bits == 8 ? 127 : 32767;
      const auto inside =
          cut(scaled(static_cast<std::int64_t>(value), static_cast<double>(scale * feature_scale / state_scale)), -max - 1, max);
      const auto moved = inside + state_zero_point;  // wraps around
      value =
          state_bits == 8 ? static_cast<double>(static_cast<std::int8_t>(moved)) : static_cast<double>(static_cast<std::int16_t>(moved));
    }
    const auto first = (b * units * rank + f) * memory;
    for (std::size_t k = 0; k + 1 < memory; ++k) state[first + k] = state[first + k + 1];
    state[first + memory - 1] = value;
    double sum = 0;
    for (std::size_t k = 0; k < memory; ++k) sum += time[f * memory + k] * (state[first + k] - state_zero_point);
    return sum;
  }
  auto finish(double total) const -> double {
    if (state_bits == 0) return is_relu ? std::max(0.0, total) : total;
    const auto factor = static_cast<double>(state_scale * time_scale / output_scale);
    return static_cast<double>(cut(scaled(static_cast<std::int64_t>(total), factor) + output_zero_point, -128, 127));
  }
};

}  // namespace reference
