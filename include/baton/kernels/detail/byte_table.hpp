// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A function of one byte, as a table.
#pragma once

#include <baton/kernels/unaligned.hpp>

#include <array>
#include <bit>
#include <cstdint>

namespace baton::portable::detail {

/// A table of 256 bytes, computed at compile time and read at run time. The bytes are stored in words, because the time that GCC takes to
/// copy a constant array depends only on the number of elements.
struct byte_table {
  std::array<std::uint32_t, 64> words{};

  /// Sets entry `at`.
  constexpr void set(std::uint8_t at, std::uint8_t value) {
    const auto shift = 8u * (std::endian::native == std::endian::little ? at % 4u : 3u - at % 4u);
    auto& word = words[at / 4u];
    word = (word & ~(0xffu << shift)) | std::uint32_t{value} << shift;
  }
  /// Sets the entries `at` to `at` + 3, where `at` is a multiple of 4. The first of these entries is the low byte of `values`. Sets four
  /// entries in one call, because each call takes long in a constant expression.
  constexpr void set_four(std::uint8_t at, std::uint32_t values) {
    if constexpr (std::endian::native != std::endian::little) {
      values = values >> 24 | (values >> 8 & 0xff00u) | (values & 0xff00u) << 8 | values << 24;
    }
    words[at / 4u] = values;
  }
  [[gnu::always_inline]] auto operator[](std::uint8_t at) const -> std::uint8_t {
    return load<std::uint8_t>(reinterpret_cast<const char*>(words.data()), at);
  }
};

/// Applies the function `table` to `count` bytes. The function is not inlined, so that nodes share it.
[[gnu::noinline]] inline void apply_table(const byte_table& table, const char* from, char* to, std::int32_t count) {
  for (std::int32_t i = 0; i < count; ++i) store(to, i, table[load<std::uint8_t>(from, i)]);
}

}  // namespace baton::portable::detail
