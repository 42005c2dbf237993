// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Splits an embedded model into pieces, such as the data of each value. To split an array, GCC needs a tenth of the time that it needs to
// read the bytes one by one.
#pragma once

#include <baton/core/config.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/span.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace baton::detail {

/// An integer of eight bytes that may be at any address.
using unaligned_word [[gnu::aligned(1)]] = std::uint64_t;
/// The bytes of a large piece, as words and 1 to 8 remaining characters. GCC stores each element of a constant array separately, so storing
/// the bytes as words takes a sixth of the time. The words are in blocks of at most 120. GCC 12 allocates 16 bytes per element of an array,
/// so a block needs at most 1,920 bytes and fits a page of GCC's garbage collector (4,096 bytes). For an array that does not fit a page,
/// GCC 12 searches the list of all pages that its garbage collector has freed. This search took longer than copying the elements.
template <std::size_t Size>
struct piece_in_words {
  static constexpr std::size_t word_count = (Size - 1) / sizeof(unaligned_word);
  static constexpr std::size_t block_size = word_count < 240 ? word_count / 2 : 120;
  static constexpr std::size_t block_count = (word_count - 1) / block_size;  ///< the number of blocks in `blocks`
  unaligned_word blocks[block_count][block_size];
  unaligned_word last[word_count - block_count * block_size];
  char last_bytes[Size - word_count * sizeof(unaligned_word)];
};
/// Pieces of at least this size are stored in words.
inline constexpr std::size_t min_bytes_in_words = 256;
template <std::size_t Size>
using piece_bytes = std::conditional_t<(Size < min_bytes_in_words), std::array<char, Size>, piece_in_words<Size>>;

/// A copy of a piece that is stored in words. The address of the copy is a constant, but the characters cannot be read in a constant
/// expression.
template <std::size_t Size>
union copied_words {
  piece_in_words<Size> words;
  char bytes[Size];

  constexpr operator span<const char>() const { return {bytes, Size}; }  // NOLINT(google-explicit-constructor): like an array
};
template <std::size_t Size>
constexpr auto copy_of_piece(const std::array<char, Size>& piece) -> std::array<char, Size> {
  return piece;
}
template <std::size_t Size>
constexpr auto copy_of_piece(const piece_in_words<Size>& piece) -> copied_words<Size> {
  return {piece};
}

/// The data of a program's values, as pieces of the embedded model file (`Program::stage_type::embedded()`) from which the program was
/// imported.
template <class Program>
struct embedded_pieces {
  static constexpr const auto& array = Program::stage_type::embedded();
  static constexpr std::size_t size = sizeof(array);

  /// Returns the offset of `bytes` in the array, or `npos` if `bytes` is empty or not in the array. If `bytes` is not in the array, the
  /// pointer difference is not a constant expression, which `__builtin_constant_p` detects.
  static constexpr auto offset_of(span<const char> bytes) -> std::uint32_t {
    const char* const begin = std::data(array);
    if (bytes.empty() || !__builtin_constant_p(bytes.data() - begin)) return npos;
    return static_cast<std::uint32_t>(bytes.data() - begin);
  }
  static constexpr auto data_of(value_id id) -> span<const char> { return program_view(Program::value()).data(Program::value()[id].data); }

  /// The offsets at which the array is split: its start and end, and the start and end of each value's data. The offsets are sorted,
  /// without duplicates.
  struct cut_list {
    std::array<std::uint32_t, 2 * decltype(Program::value().values){}.size() + 2> at{};
    std::size_t count = 0;
    std::size_t viewed = 0;  ///< the total bytes of the values' data
  };
  static consteval auto find_cuts() -> cut_list {
    cut_list list;
    list.at[list.count++] = 0;
    list.at[list.count++] = size;
    const auto values = static_cast<std::uint32_t>(Program::value().values.size());
    for (std::uint32_t v = 0; v < values; ++v) {
      const auto bytes = data_of(static_cast<value_id>(v));
      const auto at = offset_of(bytes);
      if (at == npos) continue;
      list.viewed += bytes.size();
      list.at[list.count++] = at;
      list.at[list.count++] = at + static_cast<std::uint32_t>(bytes.size());
    }
    sort(list.at.data(), list.at.data() + list.count);
    list.count = static_cast<std::size_t>(std::unique(list.at.data(), list.at.data() + list.count) - list.at.data());
    return list;
  }
  static constexpr cut_list cuts = find_cuts();
  /// True if it takes less time to split the whole array than to read the viewed bytes one by one.
  static constexpr bool is_worth_it = 8 * cuts.viewed >= size;

  /// A binary tree of the pieces between the cuts `cuts.at[First]` and `cuts.at[Last]`. A leaf is the piece between two adjacent cuts.
  template <std::size_t First, std::size_t Last>
  struct tree {
    static constexpr std::size_t middle = (First + Last) / 2;
    tree<First, middle> left;
    tree<middle, Last> right;
  };
  template <std::size_t First, std::size_t Last>
    requires(First + 1 == Last)
  struct tree<First, Last> {
    piece_bytes<cuts.at[Last] - cuts.at[First]> bytes;
  };
  static constexpr auto all = std::bit_cast<tree<0, cuts.count - 1>>(array);

  template <std::size_t Piece, std::size_t First, std::size_t Last>
  static constexpr auto piece(const tree<First, Last>& from) -> const auto& {
    if constexpr (First + 1 == Last) {
      return from.bytes;
    } else if constexpr (Piece < from.middle) {
      return piece<Piece>(from.left);
    } else {
      return piece<Piece>(from.right);
    }
  }

  /// Returns the index of the piece that is the data of value `id`. Returns `npos` if the data is not in the array, or consists of several
  /// pieces.
  static constexpr auto piece_of(value_id id) -> std::size_t {
    const auto bytes = data_of(id);
    const auto at = offset_of(bytes);
    if (at == npos) return npos;
    const auto* const begin = cuts.at.data();
    const auto* const cut = std::lower_bound(begin, begin + cuts.count, at);
    return cut[1] == at + bytes.size() ? static_cast<std::size_t>(cut - begin) : npos;
  }
};

}  // namespace baton::detail
