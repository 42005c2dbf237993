// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Names: text as a template argument, and names that are compared by hash.
#pragma once

#include <baton/core/span.hpp>

#include <boost/hana/string.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton {

/// Text as a template argument. `N` includes the terminating zero.
template <std::size_t N>
struct fixed_string {
  char characters[N] = {};

  constexpr fixed_string() = default;
  constexpr fixed_string(const char (&text)[N]) {  // NOLINT(google-explicit-constructor): `name<"MyNpu">` converts its argument
    for (std::size_t i = 0; i < N; ++i) characters[i] = text[i];
  }
  constexpr operator std::string_view() const { return {characters, N - 1}; }  // NOLINT(google-explicit-constructor)
};

namespace detail {
template <fixed_string Text, std::size_t... I>
constexpr auto to_hana(std::index_sequence<I...>) {
  return boost::hana::string<Text.characters[I]...>{};
}
}  // namespace detail

/// A name as a type and as an object, for the ids of backends: `static constexpr auto id = baton::name<"MyNpu">;`. The object is a
/// `boost::hana::string`, so the algorithms of Boost.Hana can compare and find names.
template <fixed_string Text>
inline constexpr auto name = detail::to_hana<Text>(std::make_index_sequence<sizeof(Text.characters) - 1>{});

/// Returns the characters of a name.
template <char... C>
constexpr auto to_text(boost::hana::string<C...>) -> std::string_view {
  return {boost::hana::string<C...>::c_str(), sizeof...(C)};
}

/// Returns the hash by which operators and attributes are compared: 64-bit FNV-1a of the name (G. Fowler, L. C. Noll, K.-P. Vo, D.
/// Eastlake: RFC 9923). If `hash` is the hash of a prefix, returns the hash of the prefix followed by `text`.
constexpr auto hash_of(std::string_view text, std::uint64_t hash = 14695981039346656037u) -> std::uint64_t {
  const auto* const end = text.data() + text.size();
  for (const auto* at = text.data(); at != end; ++at) hash = (hash ^ static_cast<unsigned char>(*at)) * 1099511628211u;
  return hash;
}

/// A name that is a literal in the source code, hashed at compile time: `node.is("tfl.conv_2d")`.
struct literal_name {
  std::uint64_t hash;
  std::string_view text;

  // In a constant expression, `__builtin_strlen` takes one evaluation step. The constructor of `std::string_view` would take a step for
  // each character of hundreds of names.
  consteval literal_name(const char* characters)  // NOLINT(google-explicit-constructor): call sites write a literal
      : literal_name(std::string_view{characters, __builtin_strlen(characters)}) {}

 private:
  consteval explicit literal_name(std::string_view name) : hash(hash_of(name)), text(name) {}
};

/// True if `hash` is the hash of one of `names`.
constexpr auto is_among(std::uint64_t hash, span<const literal_name> names) -> bool {
  for (const auto& name : names) {
    if (name.hash == hash) return true;
  }
  return false;
}

}  // namespace baton
