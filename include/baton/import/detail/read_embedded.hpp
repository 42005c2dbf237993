// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The compile-time reader of a model that is embedded as an array.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/span.hpp>
#include <baton/import/importer.hpp>
#include <baton/import/shared/rules.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <type_traits>

namespace baton::detail {

/// The bytes of an array as characters, for tools that emit arrays of numbers (`xxd -i`, `#embed`). The copy is one step of constant
/// evaluation, regardless of its size. The firmware image contains the copy, but not the original array.
template <const auto& Bytes>
alignas(16) inline constexpr auto characters_of = std::bit_cast<std::array<char, sizeof(Bytes)>>(Bytes);

template <class Element>
inline constexpr bool is_unsigned_byte = std::is_same_v<Element, unsigned char> || std::is_same_v<Element, std::byte>;

/// The bytes of an embedded array. The last element of an array of `char` is the terminating zero of a string literal, and not part of the
/// model. All elements of an array of `unsigned char` (`xxd -i keyword.tflite | sed 's/^unsigned/constexpr unsigned/'`) or `std::byte` are
/// part of the model.
template <const auto& Bytes>
struct embedded_bytes {
  using array = std::remove_cvref_t<decltype(Bytes)>;
  using element = std::remove_extent_t<array>;

  static constexpr bool is_of_bytes = std::is_bounded_array_v<array> && (std::is_same_v<element, char> || is_unsigned_byte<element>);
  static constexpr bool is_constant = requires { typename std::bool_constant<(Bytes[0] == Bytes[0])>; };
  static constexpr auto ends_with_zero() -> bool {
    if constexpr (is_unsigned_byte<element>) return true;
    return Bytes[sizeof(array) - 1] == element{};
  }

  /// Returns the array whose bytes the program refers to.
  static constexpr auto embedded() -> const auto& requires(sizeof(element) == 1) {
    if constexpr (is_unsigned_byte<element>) {
      return characters_of<Bytes>;
    } else {
      return Bytes;
    }
  }

  /// Returns the bytes of the model.
  static constexpr auto bytes() -> span<const char>
    requires is_of_bytes
  {
    if constexpr (is_unsigned_byte<element>) {
      return characters_of<Bytes>;
    } else {
      return {Bytes, sizeof(array) - 1};
    }
  }
};

/// A reader of an embedded array with one importer, in one constant expression.
template <class Importer, const auto& Bytes>
struct read_embedded : embedded_bytes<Bytes> {
  using model = embedded_bytes<Bytes>;
  static constexpr bool stages_are_valid = true;
  static_assert((static_cast<void>(require_importer<Importer>()), true));  // checked here, so that the include chain of the error is short

  /// Returns the error that is reported if the compiler cannot evaluate the call operator.
  static constexpr auto unevaluated() -> failure { return broken<"costly_model">("a file of ", sizeof(typename model::array), " bytes"); }

  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (!model::is_of_bytes) {
      return broken<"unreadable_bytes">("the model is not an array of char or unsigned char of known size");
    } else if constexpr (!model::is_constant) {
      return broken<"unreadable_bytes">("the model is not a constant");
    } else if constexpr (!model::ends_with_zero()) {
      return broken<"unreadable_bytes">("the last char of the array is not zero");
    } else if constexpr (!importer<Importer>) {
      return exported_program{};
    } else {
      return Importer::read(model::bytes());
    }
  }
};

}  // namespace baton::detail
