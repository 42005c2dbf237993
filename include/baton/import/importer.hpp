// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The concept of an importer, which converts the bytes of one model format to a program.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/shared/rules.hpp>

#include <string_view>

namespace baton {

namespace archetypes {

/// The smallest importer. It recognizes no file, and its `read` always fails.
struct importer {
  static constexpr std::string_view format = "nothing";
  static constexpr auto recognizes(span<const char>) -> bool { return false; }
  static constexpr auto read(span<const char>) -> result<exported_program> { return broken<"damaged_model">(); }
};

}  // namespace archetypes

/// A named entry point of a model file. The name is a view of the file's bytes.
struct entry_point {
  std::string_view name;
  bool is_default = false;  ///< true if an empty name selects the graph of this entry point; several entry points may have the same graph
};

/// An importer of one model format. It converts untrusted bytes to a program that passes `verify`, or returns a failure.
/// - `static constexpr std::string_view format`: the name of the format, for messages
/// - `static constexpr auto recognizes(baton::span<const char> bytes) -> bool`: whether the bytes claim to have this format
/// - `static constexpr auto read(baton::span<const char> bytes) -> baton::result<baton::exported_program>`: reads a model
///
/// Optional members:
/// - `static constexpr auto read(baton::span<const char> bytes, std::string_view entry) -> baton::result<baton::exported_program>`: reads
///   the entry point with the name `entry`, for formats whose files can have several entry points. An empty name selects the default entry
///   point. Without this overload, every name that is not empty is an error (`unknown_name`).
/// - `static constexpr auto entry_points(baton::span<const char> bytes) -> baton::vector<baton::entry_point>`: lists the entry points in
///   file order. Returns an empty list if the bytes are damaged.
/// - `template <const auto& Bytes, baton::fixed_string Entry> using embedded_reader`: a stateless callable for `static_program` that reads
///   the entry point `Entry` of the embedded array `Bytes`. With this member, an importer can split the work into several constant
///   expressions. Without this member, `read` is evaluated in one constant expression.
///
/// Laws: a program that `read` returns passes `verify`. Data that needs no conversion is a view of the file's bytes, never a copy. The same
/// bytes yield the same program. `read` fails for bytes that `recognizes` does not accept. The importer accesses no memory outside the
/// bytes, even if they are damaged. Time and memory are at most proportional to the number of bytes. Example: `tflite::importer`. Code that
/// builds a model itself needs a `program_builder` instead of an importer.
template <class T>
concept importer = requires(span<const char> bytes) {
  std::string_view{T::format};
  bool{T::recognizes(bytes)};
  result<exported_program>{T::read(bytes)};
};
static_assert(importer<archetypes::importer>);

namespace detail {

/// Reports an error at compile time if a type is not an importer. Returns true if the type is an importer.
template <class T>
consteval auto require_importer() -> bool {
  constexpr bool has_format = requires { std::string_view{T::format}; };
  constexpr bool has_recognizes = requires(span<const char> bytes) { bool{T::recognizes(bytes)}; };
  constexpr bool has_read = requires(span<const char> bytes) { result<exported_program>{T::read(bytes)}; };
  static_assert(has_format,
                "baton not_an_importer: the importer type has no format; write: static constexpr std::string_view format = \"...\";");
  static_assert(
      has_recognizes,
      "baton not_an_importer: the importer type has no function recognizes; write: static constexpr auto recognizes(baton::span<const "
      "char> bytes) -> bool");
  static_assert(
      has_read,
      "baton not_an_importer: the importer type has no function read; write: static constexpr auto read(baton::span<const char> bytes) "
      "-> baton::result<baton::exported_program>");
  return importer<T>;
}

}  // namespace detail

}  // namespace baton
