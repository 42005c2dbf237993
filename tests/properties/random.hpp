// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random numbers of both times: a seed gives the same ones in the compiler and at run time.
#pragma once

#include <baton/core/vector.hpp>

#include <cstddef>
#include <cstdint>

namespace properties {

/// xorshift64* (S. Vigna, An experimental exploration of Marsaglia's xorshift generators, scrambled, 2016).
class random_numbers {
 public:
  constexpr explicit random_numbers(std::uint64_t seed) : state_((seed + 1) * 0x9E3779B97F4A7C15u) {}

  /// 0 to `bound` - 1; 0 where there is no bound.
  constexpr auto below(std::size_t bound) -> std::size_t {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return bound == 0 ? 0 : static_cast<std::size_t>((state_ * 0x2545F4914F6CDD1Du) >> 33) % bound;
  }
  /// True once in so many times.
  constexpr auto once_in(std::size_t times) -> bool { return below(times) == 0; }
  /// One of a list that is not empty.
  template <class T>
  constexpr auto one_of(const baton::vector<T>& list) -> T {
    return list[below(list.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace properties
