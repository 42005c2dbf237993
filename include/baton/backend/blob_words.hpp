// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A blob as words of 32 bits, which is written on one machine and read on another; and a number by which damage to it is found.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/span.hpp>

#include <cstddef>
#include <cstdint>

namespace baton {

/// The word whose four bytes begin at a position, the lowest first. They must be there.
constexpr auto word_at(span<const char> bytes, std::size_t at) -> std::uint32_t {
  const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(bytes[at + i])}; };
  return byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
}

/// Appends a word as `word_at` reads it.
constexpr void append_word(text_buffer& bytes, std::uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(word >> shift & 255u));
}

/// A number of bytes that most changes of them change, and every change of one byte: 32-bit FNV-1a (RFC 9923). Ask for it on the target:
/// it costs a constant 82 operations of GCC's or 9 steps of Clang's a byte.
constexpr auto fnv1a(span<const char> bytes) -> std::uint32_t {
  std::uint32_t sum = 2166136261u;
  for (std::size_t i = 0; i < bytes.size(); ++i) sum = (sum ^ static_cast<unsigned char>(bytes[i])) * 16777619u;
  return sum;
}

}  // namespace baton
