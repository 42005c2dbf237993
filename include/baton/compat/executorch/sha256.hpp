// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// SHA-256 digests, for names that are derived from content.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/shared/append_hex.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace baton {

namespace detail {

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
inline constexpr std::array<std::uint32_t, 64> sha256_constants{
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u, 0xd807aa98u, 0x12835b01u,
    0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u, 0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu,
    0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau, 0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u,
    0x06ca6351u, 0x14292967u, 0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u, 0x19a4c116u, 0x1e376c08u,
    0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u, 0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u,
    0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u};

using sha256_block = std::array<std::uint32_t, 16>;
using sha256_state = std::array<std::uint32_t, 8>;

/// Updates the state with a block of 64 bytes (FIPS 180-4, 6.2.2).
constexpr void mix_sha256(sha256_state& state, const sha256_block& block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t t = 0; t < 16; ++t) w[t] = block[t];
  for (std::size_t t = 16; t < 64; ++t) {
    const auto s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const auto s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t t = 0; t < 64; ++t) {
    const auto s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const auto first = h + s1 + ((e & f) ^ (~e & g)) + sha256_constants[t] + w[t];
    const auto s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const auto second = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const sha256_state change{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += change[i];
}

}  // namespace detail

/// Returns the SHA-256 digest of `bytes` as eight words, the most significant word first (NIST, FIPS 180-4, Secure Hash Standard, 2015). At
/// compile time, each block of 64 bytes costs about 3,000 evaluation steps.
constexpr auto sha256(std::string_view bytes) -> std::array<std::uint32_t, 8> {
  detail::sha256_state state{0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  // The hashed message consists of the bytes, one set bit, zero bits, and the length in bits.
  const auto byte_at = [&](std::size_t at) -> std::uint32_t {
    return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : at == bytes.size() ? 0x80u : 0u;
  };
  const auto blocks = (bytes.size() + 8) / 64 + 1;
  for (std::size_t number = 0; number < blocks; ++number) {
    detail::sha256_block block{};
    for (std::size_t word = 0; word < block.size(); ++word) {
      for (std::size_t i = 0; i < 4; ++i) block[word] = block[word] << 8 | byte_at(64 * number + 4 * word + i);
    }
    if (number + 1 == blocks) {
      const auto bits = std::uint64_t{bytes.size()} * 8;
      block[14] = static_cast<std::uint32_t>(bits >> 32);
      block[15] = static_cast<std::uint32_t>(bits);
    }
    detail::mix_sha256(state, block);
  }
  return state;
}

/// Returns the SHA-256 digest of `bytes` as text: 64 hexadecimal digits.
constexpr auto sha256_text(std::string_view bytes) -> text_buffer {
  text_buffer text;
  for (const auto word : sha256(bytes)) append_hex(text, word, 8);
  return text;
}

}  // namespace baton
