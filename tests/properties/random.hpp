// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random numbers at compile time and at run time. A seed produces the same numbers in both.
#pragma once

#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>

namespace properties {

/// xorshift64* (S. Vigna, An experimental exploration of Marsaglia's xorshift generators, scrambled, 2016).
class random_numbers {
 public:
  constexpr explicit random_numbers(std::uint64_t seed) : state_((seed + 1) * 0x9E3779B97F4A7C15u) {}

  /// Returns a number from 0 to `bound` - 1, or 0 if `bound` is 0.
  constexpr auto below(std::size_t bound) -> std::size_t {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return bound == 0 ? 0 : static_cast<std::size_t>((state_ * 0x2545F4914F6CDD1Du) >> 33) % bound;
  }
  /// True once in `times` calls, on average.
  constexpr auto once_in(std::size_t times) -> bool { return below(times) == 0; }
  /// Returns an element of a list, which must not be empty.
  template <class T>
  constexpr auto one_of(const baton::vector<T>& list) -> T {
    return list[below(list.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace properties
