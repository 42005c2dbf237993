// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Arrays that exceed the limits of one constant expression. Such arrays are computed in pieces, each a separate constant, and then joined.
#pragma once

#include <baton/core/config.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/shared/constant_builtins.hpp>
#include <baton/core/span.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <utility>

namespace baton {

/// The maximum number of bytes that are copied in one constant expression. GCC needs about 30 operations to copy a byte, and allows
/// 33,554,432 operations by default. So the copy uses about 4 million operations. The other 29 million are for the code that computes the
/// bytes.
inline constexpr std::size_t bytes_per_constant = 131072;

namespace detail {

/// The elements [`First`, `First + Size`) of `Source`.
template <class T, class Source, std::size_t First, std::size_t Size>
inline constexpr auto piece_of_array = [] {
  std::array<T, Size> copy{};
  Source::copy(First, span<T>{copy});
  return copy;
}();

/// `Whole` pieces of `Piece` elements, and a last piece of `Last` elements. There is no padding, so `std::bit_cast` can convert the pieces
/// to one array.
template <class T, std::size_t Piece, std::size_t Whole, std::size_t Last>
struct array_pieces {
  std::array<std::array<T, Piece>, Whole> whole;
  std::array<T, Last> last;
};

}  // namespace detail

/// Returns an array of `Size` elements of `T`, an arithmetic type. `Source::copy(first, to)` must be a constexpr function that copies
/// elements to the span `to`, starting with element `first`. An array of up to `Piece` elements takes one call of `Source::copy`. A larger
/// array takes one call for each piece of `Piece` elements. Each piece is a separate constant, so the compiler's limits for constant
/// expressions apply to each piece separately. The pieces are joined without copying single elements, so only the memory of the compiler
/// limits `Size`.
template <class T, class Source, std::size_t Size, std::size_t Piece>
consteval auto joined_array() -> std::array<T, Size> {
  if constexpr (Size <= Piece) {
    std::array<T, Size> copy{};
    Source::copy(0, span<T>{copy});
    return copy;
  } else {
    constexpr auto whole = (Size - 1) / Piece;
    constexpr auto last = Size - whole * Piece;
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return std::bit_cast<std::array<T, Size>>(detail::array_pieces<T, Piece, whole, last>{
          {detail::piece_of_array<T, Source, I * Piece, Piece>...}, detail::piece_of_array<T, Source, whole * Piece, last>});
    }(std::make_index_sequence<whole>{});
  }
}

/// Same as `joined_array`, for bytes in pieces of `bytes_per_constant`.
template <class Source, std::size_t Size>
consteval auto joined_bytes() -> std::array<char, Size> {
  return joined_array<char, Source, Size, bytes_per_constant>();
}

namespace detail {

template <std::size_t... I>
constexpr auto block_of_bytes(const char* from, std::index_sequence<I...>) -> std::array<char, sizeof...(I)> {
  return {from[I]...};
}

/// Returns a copy of `Size` bytes. `Size` must be at least 1. In GCC, copying blocks takes a third of the time of a loop over bytes. A
/// block has fewer than 256 bytes, because larger constant arrays are slow (`plan/detail/embedded_pieces.hpp` gives the reason).
template <std::size_t Size>
constexpr auto copied_bytes(const char* from) -> std::array<char, Size> {
  constexpr std::size_t block = 240;
  constexpr auto whole = (Size - 1) / block;
  constexpr auto last = Size - whole * block;
  if constexpr (builtins_take_constant_bytes) {
    std::array<char, Size> copy{};
    copy_bytes({from, Size}, copy.data());
    return copy;
  } else if constexpr (whole == 0) {
    return block_of_bytes(from, std::make_index_sequence<last>{});
  } else {
    array_pieces<char, block, whole, last> copy{};
    for (std::size_t i = 0; i < whole; ++i) copy.whole[i] = block_of_bytes(from + i * block, std::make_index_sequence<block>{});
    copy.last = block_of_bytes(from + whole * block, std::make_index_sequence<last>{});
    return std::bit_cast<std::array<char, Size>>(copy);
  }
}

/// The maximum number of bytes that `joined_copy` copies in one constant expression. Clang copies a range of bytes in one step. Clang 19
/// allows arrays of at most 1,048,576 elements by default; the constant is half of this number, so that it also works with lower limits.
inline constexpr std::size_t bytes_per_copy = builtins_take_constant_bytes ? 524288 : bytes_per_constant;

template <class Source, std::size_t First, std::size_t Size>
inline constexpr auto piece_of_copy = copied_bytes<Size>(Source::bytes().data() + First);

template <class Source, std::size_t Size, std::size_t Last, std::size_t... I>
consteval auto join_copies(std::index_sequence<I...>) -> std::array<char, Size> {
  return std::bit_cast<std::array<char, Size>>(array_pieces<char, bytes_per_copy, sizeof...(I), Last>{
      {piece_of_copy<Source, I * bytes_per_copy, bytes_per_copy>...}, piece_of_copy<Source, sizeof...(I) * bytes_per_copy, Last>});
}

}  // namespace detail

/// Returns a copy of `Source::bytes()`, which must be a constexpr function that returns `Size` bytes. The copy is computed in pieces of
/// `bytes_per_copy` bytes, each of which is a separate constant. The function is not consteval, because Clang would then evaluate the
/// initializer of a constant twice.
template <class Source, std::size_t Size>
constexpr auto joined_copy() -> std::array<char, Size> {
  if constexpr (Size == 0) {
    return {};
  } else if constexpr (Size <= detail::bytes_per_copy) {
    return detail::copied_bytes<Size>(Source::bytes().data());
  } else {
    constexpr auto whole = (Size - 1) / detail::bytes_per_copy;
    return detail::join_copies<Source, Size, Size - whole * detail::bytes_per_copy>(std::make_index_sequence<whole>{});
  }
}

}  // namespace baton
