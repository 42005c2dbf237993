// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The parts that damaged copies of files have in common: random numbers, memory of exactly the size of a copy, and damaged bytes.
#pragma once

#include <baton/core/span.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace fuzz {

/// xorshift64* (S. Vigna, An experimental exploration of Marsaglia's xorshift generators, scrambled, 2016).
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed | 1) {}
  auto below(std::size_t bound) -> std::size_t {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return bound == 0 ? 0 : static_cast<std::size_t>((state_ * 0x2545F4914F6CDD1Du) >> 33) % bound;
  }

 private:
  std::uint64_t state_;
};

/// A copy of bytes in memory of exactly their size, so that sanitizers detect reads past the end.
class exact_copy {
 public:
  /// Replaces the bytes, and returns them.
  auto assign(std::string_view bytes) -> baton::span<const char> {
    copy_ = std::make_unique<char[]>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), copy_.get());
    return {copy_.get(), bytes.size()};
  }

 private:
  std::unique_ptr<char[]> copy_;
};

/// Returns bytes of which one to four bits are changed, or the end is cut off.
inline auto with_changed_bytes(std::string bytes, random_numbers& random) -> std::string {
  if (random.below(3) == 0) {
    bytes.resize(random.below(bytes.size()));
    return bytes;
  }
  for (auto n = 1 + random.below(4); n > 0; --n) {
    const auto at = random.below(bytes.size());
    bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ 1u << random.below(8));
  }
  return bytes;
}

}  // namespace fuzz
