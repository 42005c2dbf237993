// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Signal operators from their definitions, in real numbers or over whole signals. Kernels compute them piece by piece.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace reference {

using spectrum = std::vector<std::complex<double>>;

/// The lower half of the Fourier transform of real numbers, divided by their count.
inline auto mean_transform(const std::vector<double>& signal) -> spectrum {
  const auto n = signal.size();
  spectrum transform(n / 2 + 1);
  for (std::size_t k = 0; k < transform.size(); ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      transform[k] += signal[i] * std::polar(1.0, -2 * 3.14159265358979323846 * static_cast<double>(k * i % n) / static_cast<double>(n));
    }
    transform[k] /= static_cast<double>(n);
  }
  return transform;
}
/// The real signal of `n` samples with this lower half of the spectrum, divided by `n`. The first and the last frequency are real.
inline auto mean_signal(const spectrum& half, std::size_t n) -> std::vector<double> {
  std::vector<double> signal(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      auto number = k <= n / 2 ? half[k] : std::conj(half[n - k]);
      if (k == 0 || 2 * k == n) number = number.real();
      signal[i] += (number * std::polar(1.0, 2 * 3.14159265358979323846 * static_cast<double>(k * i % n) / static_cast<double>(n))).real();
    }
    signal[i] /= static_cast<double>(n);
  }
  return signal;
}

/// The integer nearest to the square root. At most 16 bits for a number of 32 bits, else at most 32 bits.
inline auto nearest_root(std::uint64_t number) -> std::uint64_t {
  std::uint64_t low = 0;
  std::uint64_t high = 0xffffffff;
  while (low < high) {
    const auto middle = low + (high - low + 1) / 2;
    if (middle <= number / middle) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  const auto is_nearer_above = number - low * low > low;
  return std::min<std::uint64_t>(low + (is_nearer_above ? 1 : 0), number >> 32 == 0 ? 0xffff : 0xffffffff);
}

/// Applies a gain to a signal, in real numbers. The gain is a parabola in the noise for each power of two.
inline auto shrunk_signal(double signal, std::uint32_t noise, const std::vector<std::int16_t>& gains, int shift) -> double {
  double gain = 0;
  if (noise <= 2) {
    gain = gains[noise];
  } else {
    const auto power = static_cast<int>(std::floor(std::log2(static_cast<double>(noise))));
    const auto part = static_cast<double>(noise) / std::ldexp(1.0, power) - 1;
    const auto at = static_cast<std::size_t>(4 * power - 2);
    gain = gains[at] + gains[at + 1] * part + gains[at + 2] * part * part;
  }
  const auto ratio = std::ldexp(signal * gain, -shift - 12);
  return 64 * (ratio < 2 ? ratio * ratio / 4 : ratio - 1);
}

/// The samples of a whole signal from `first` on, with zeros before its beginning.
inline auto samples_from(const std::vector<std::int16_t>& signal, std::ptrdiff_t first, std::ptrdiff_t count) -> std::vector<std::int16_t> {
  std::vector<std::int16_t> samples;
  for (auto i = first; i < first + count; ++i) samples.push_back(i < 0 ? std::int16_t{0} : signal[static_cast<std::size_t>(i)]);
  return samples;
}

}  // namespace reference
