// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// More bytes than a compiler copies within one constant: cut into as many constants as they need, and joined into one array.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <utility>

namespace baton {

/// The most bytes that are copied within one constant: a byte costs GCC some 30 of the 33,554,432 operations that it allows by default, and
/// those who make the bytes want the rest.
inline constexpr std::size_t bytes_per_constant = 131072;

namespace detail {

/// A piece of what `Source` makes.
template <class Source, std::size_t First, std::size_t Size>
inline constexpr auto piece_of_bytes = [] {
  std::array<char, Size> copy{};
  Source::copy(First, copy);
  return copy;
}();

/// Whole pieces and a last one of at least a byte, without a gap, so that they can be read as one array.
template <std::size_t Whole, std::size_t Last>
struct byte_pieces {
  std::array<std::array<char, bytes_per_constant>, Whole> whole;
  std::array<char, Last> last;
};

}  // namespace detail

/// The `Size` bytes of which `Source::copy(first, to)`, a constant function, copies `to.size()` from the `first` on into a span. Of up to
/// `bytes_per_constant` it is called once; of more, once a piece, each a constant with the compiler's limits to itself. Joining copies
/// nothing byte by byte, so the whole is as large as the compiler's memory allows.
template <class Source, std::size_t Size>
consteval auto joined_bytes() -> std::array<char, Size> {
  if constexpr (Size <= bytes_per_constant) {
    std::array<char, Size> copy{};
    Source::copy(0, copy);
    return copy;
  } else {
    constexpr auto whole = (Size - 1) / bytes_per_constant;
    constexpr auto last = Size - whole * bytes_per_constant;
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return std::bit_cast<std::array<char, Size>>(
          detail::byte_pieces<whole, last>{{detail::piece_of_bytes<Source, I * bytes_per_constant, bytes_per_constant>...},
                                           detail::piece_of_bytes<Source, whole * bytes_per_constant, last>});
    }(std::make_index_sequence<whole>{});
  }
}

}  // namespace baton
