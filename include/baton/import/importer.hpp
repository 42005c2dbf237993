// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The importer concept: what turns the bytes of one model format into a program.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/import/shared/rules.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace baton {

namespace archetypes {

/// The smallest importer: of a format whose files are all damaged.
struct importer {
  static constexpr std::string_view format = "nothing";
  static constexpr auto recognizes(span<const char>) -> bool { return false; }
  static constexpr auto read(span<const char>) -> result<exported_program> { return broken<"damaged_model">(); }
};

}  // namespace archetypes

/// An importer reads one model format: bytes that need not be trusted become a program that `verify` holds good, or a failure.
/// - `static constexpr std::string_view format`: the name of the format, for people
/// - `static constexpr auto recognizes(baton::span<const char> bytes) -> bool`: whether the bytes claim to be of this format
/// - `static constexpr auto read(baton::span<const char> bytes) -> baton::result<baton::exported_program>`
/// Laws: what `read` gives verifies, and owned data are views into the bytes, never copies; the same bytes give the same program; bytes
/// that are not recognized are refused; whatever the bytes are, nothing outside them is read, and time and memory stay within a multiple of
/// their size. Models: `tflite::importer`. A model that is built by a program needs no importer: use `program_builder`.
template <class T>
concept importer = requires(span<const char> bytes) {
  std::string_view{T::format};
  bool{T::recognizes(bytes)};
  result<exported_program>{T::read(bytes)};
};
static_assert(importer<archetypes::importer>);

namespace detail {

/// Stops the compiler with a sentence if a type is no importer.
template <class T>
consteval auto require_importer() -> bool {
  constexpr bool it_names_its_format = requires { std::string_view{T::format}; };
  constexpr bool it_recognizes_its_files = requires(span<const char> bytes) { bool{T::recognizes(bytes)}; };
  constexpr bool it_reads_a_program = requires(span<const char> bytes) { result<exported_program>{T::read(bytes)}; };
  static_assert(it_names_its_format,
                "baton not_an_importer: an importer names its format; write: static constexpr std::string_view format = \"...\";");
  static_assert(
      it_recognizes_its_files,
      "baton not_an_importer: an importer recognizes its files; write: static constexpr auto recognizes(baton::span<const char> bytes) "
      "-> bool");
  static_assert(it_reads_a_program,
                "baton not_an_importer: an importer reads a program; write: static constexpr auto read(baton::span<const char> bytes) "
                "-> baton::result<baton::exported_program>");
  return importer<T>;
}

/// The bytes of an array as characters, for what tools write that know only numbers (`xxd -i`, `#embed`): the compiler copies them in one
/// step, whatever their number, and the array itself is then not in the image.
template <const auto& Bytes>
alignas(16) inline constexpr auto characters_of = std::bit_cast<std::array<char, sizeof(Bytes)>>(Bytes);

template <class Element>
inline constexpr bool is_unsigned_byte = std::is_same_v<Element, unsigned char> || std::is_same_v<Element, std::byte>;

}  // namespace detail

/// A callable that reads a model embedded as an array: what a `static_program` is made of. Of characters, the last is the terminating zero
/// of a string literal and no part of the model; of `unsigned char` (`xxd -i keyword.tflite | sed 's/^unsigned/constexpr unsigned/'`) and
/// `std::byte`, all are.
template <class Importer, const auto& Bytes>
struct read_embedded {
  static constexpr bool stages_are_valid = true;
  using array = std::remove_cvref_t<decltype(Bytes)>;
  using element = std::remove_extent_t<array>;
  static_assert((static_cast<void>(detail::require_importer<Importer>()),
                 true));  // a mistake is reported once, and here, where the way to it is short

  /// The array that the bytes of its program lie in.
  static constexpr auto embedded() -> const auto& requires(sizeof(element) == 1) {
    if constexpr (detail::is_unsigned_byte<element>) {
      return detail::characters_of<Bytes>;
    } else {
      return Bytes;
    }
  }

  /// What is said of a model that the compiler could not read.
  static constexpr auto unevaluated() -> failure {
    return broken<"costly_model">("a file of ", sizeof(array), " bytes");
  }

  static constexpr bool is_of_bytes =
      std::is_bounded_array_v<array> && (std::is_same_v<element, char> || detail::is_unsigned_byte<element>);
  static constexpr bool is_constant = requires { typename std::bool_constant<(Bytes[0] == Bytes[0])>; };

  /// The bytes of the model.
  static constexpr auto bytes() -> span<const char>
    requires is_of_bytes
  {
    if constexpr (detail::is_unsigned_byte<element>) {
      return detail::characters_of<Bytes>;
    } else {
      return {Bytes, sizeof(array) - 1};
    }
  }

  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (!is_of_bytes) {
      return broken<"unreadable_bytes">("it is no array of char or unsigned char whose size is known");
    } else if constexpr (!is_constant) {
      return broken<"unreadable_bytes">("it is no constant");
    } else if constexpr (!importer<Importer>) {
      return exported_program{};
    } else {
      return Importer::read(bytes());
    }
  }
};

}  // namespace baton
