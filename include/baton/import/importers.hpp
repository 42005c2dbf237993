// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A static list of importers: the first importer that recognizes a file reads it.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/detail/read_embedded.hpp>
#include <baton/import/importer.hpp>
#include <baton/import/shared/rules.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace baton {

namespace detail {

/// Returns the formats of importers, separated by commas.
template <class... Importers>
constexpr auto join_formats() -> text_buffer {
  text_buffer text;
  static_cast<void>((..., append(append(text, text.empty() ? "" : ", "), std::string_view{Importers::format})));
  return text;
}
// This function is separate from `joined_formats`, because Clang 16 does not destroy the temporaries of an expression in a template
// argument.
template <class... Importers>
constexpr auto size_of_formats() -> std::size_t {
  return join_formats<Importers...>().size();
}
template <class... Importers>
inline constexpr auto joined_formats = [] {
  const auto text = join_formats<Importers...>();
  std::array<char, size_of_formats<Importers...>() + 1> characters{};
  copy_bytes({text.data(), text.size()}, characters.data());
  return characters;
}();

template <class Importer>
concept reads_entry_points = requires(span<const char> bytes, std::string_view entry) {
  { Importer::read(bytes, entry) } -> std::convertible_to<result<exported_program>>;
};

/// Reads the entry point `entry` with one importer. Fails with the errors of the importer. Also fails with `unknown_name` if `entry` is not
/// empty and the importer does not support names.
template <class Importer>
constexpr auto read_entry_point(span<const char> bytes, std::string_view entry) -> result<exported_program> {
  if constexpr (reads_entry_points<Importer>) {
    return Importer::read(bytes, entry);
  } else if (entry.empty()) {
    return Importer::read(bytes);
  } else {
    return broken<"unknown_name">("there is no entry point ", entry, "; a file in the format ", std::string_view{Importer::format},
                                  " has a single, unnamed entry point");
  }
}

template <class Importer>
constexpr auto entry_points_of([[maybe_unused]] span<const char> bytes) -> vector<entry_point> {
  if constexpr (requires { Importer::entry_points(bytes); }) {
    return Importer::entry_points(bytes);
  } else {
    return {};
  }
}

/// An importer that always reads the entry point `Entry`.
template <class Importer, fixed_string Entry>
struct entry_importer {
  static constexpr std::string_view format = Importer::format;
  static constexpr auto recognizes(span<const char> bytes) -> bool { return Importer::recognizes(bytes); }
  static constexpr auto read(span<const char> bytes) -> result<exported_program> { return read_entry_point<Importer>(bytes, Entry); }
};

/// Returns `std::type_identity` of the callable that reads the entry point `Entry` of the embedded array `Bytes` with `Importer`.
template <class Importer, const auto& Bytes, fixed_string Entry>
consteval auto reader_by() {
  if constexpr (requires { typename Importer::template embedded_reader<Bytes, Entry>; }) {
    return std::type_identity<typename Importer::template embedded_reader<Bytes, Entry>>{};
  } else if constexpr (std::string_view{Entry}.empty() || !importer<Importer>) {
    return std::type_identity<read_embedded<Importer, Bytes>>{};
  } else {
    return std::type_identity<read_embedded<entry_importer<Importer, Entry>, Bytes>>{};
  }
}

/// Returns the result of `reader_by` for the first importer that recognizes the bytes. If no importer recognizes them, returns the reader
/// of the whole list, which reports the error.
template <class List, const auto& Bytes, fixed_string Entry, class First, class... Rest>
consteval auto reader_by_first() {
  if constexpr (First::recognizes(embedded_bytes<Bytes>::bytes())) {
    return reader_by<First, Bytes, Entry>();
  } else if constexpr (sizeof...(Rest) != 0) {
    return reader_by_first<List, Bytes, Entry, Rest...>();
  } else {
    return std::type_identity<read_embedded<List, Bytes>>{};
  }
}
template <class List, const auto& Bytes, fixed_string Entry, class... Importers>
consteval auto reader_in_list() {
  if constexpr (List::is_valid && sizeof...(Importers) != 0 && embedded_bytes<Bytes>::is_of_bytes && embedded_bytes<Bytes>::is_constant) {
    return reader_by_first<List, Bytes, Entry, Importers...>();
  } else {
    return std::type_identity<read_embedded<List, Bytes>>{};
  }
}

}  // namespace detail

/// A list of importers: the first importer that recognizes a file reads it. A list is an importer, so it can be an item of another list.
/// `is_valid` is false if an item is not an importer; this error has then been reported.
template <class... Importers>
struct importer_list {
  static constexpr bool is_valid = (detail::require_importer<Importers>() && ...);
  static_assert(is_valid || true);  // checks the list immediately; this assertion itself never fails

  /// The formats of all importers, separated by commas.
  static constexpr std::string_view format = [] {
    if constexpr (is_valid) return std::string_view{detail::joined_formats<Importers...>.data()};
    return std::string_view{};
  }();

  /// True if one of the importers recognizes the bytes.
  static constexpr auto recognizes([[maybe_unused]] span<const char> bytes) -> bool {
    if constexpr (is_valid) return (... || Importers::recognizes(bytes));
    return false;
  }

  /// Reads the entry point with this name; an empty name selects the default entry point. Fails with `unknown_format` if no importer
  /// recognizes the bytes, and with `unknown_name` if the file has no entry point with this name. Also fails with the errors of the
  /// importer that recognizes the bytes.
  static constexpr auto read([[maybe_unused]] span<const char> bytes, [[maybe_unused]] std::string_view entry = {})
      -> result<exported_program> {
    result<exported_program> program;
    if constexpr (is_valid) {
      const bool is_recognized =
          (... || (Importers::recognizes(bytes) && (program = detail::read_entry_point<Importers>(bytes, entry), true)));
      if (!is_recognized) {
        program.error = broken<"unknown_format">(sizeof...(Importers) == 0 ? "the list is empty" : "the formats are: ", format);
      }
    }
    return program;
  }

  /// Returns the named entry points of a file, in file order. The list is empty if the file has no named entry points, or if no importer
  /// recognizes the file.
  static constexpr auto entry_points([[maybe_unused]] span<const char> bytes) -> vector<entry_point> {
    vector<entry_point> names;
    if constexpr (is_valid) {
      static_cast<void>((... || (Importers::recognizes(bytes) && (names = detail::entry_points_of<Importers>(bytes), true))));
    }
    return names;
  }

  /// The callable that reads the embedded array `Bytes` with the first importer that recognizes it.
  template <const auto& Bytes, fixed_string Entry>
  using embedded_reader = typename decltype(detail::reader_in_list<importer_list, Bytes, Entry, Importers...>())::type;
};

/// A list of importers as an object: `baton::importers<baton::tflite::importer, my_importer>`. The operator `+` joins lists.
template <class... Importers>
inline constexpr importer_list<Importers...> importers{};

template <class... Left, class... Right>
constexpr auto operator+(importer_list<Left...>, importer_list<Right...>) -> importer_list<Left..., Right...> {
  return {};
}

}  // namespace baton
