// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/name.hpp>

#include <doctest/doctest.h>

#include <string_view>
#include <type_traits>

namespace {

constexpr auto a_name_has_a_type_and_a_text() -> bool {
  constexpr auto id = baton::name<"MyNpu">;
  constexpr auto other = baton::name<"MyNpv">;
  return baton::to_text(id) == "MyNpu" && !std::is_same_v<decltype(id), decltype(other)> &&
         std::is_same_v<decltype(id), decltype(baton::name<"MyNpu">)> && baton::to_text(baton::name<"">).empty();
}
static_assert(a_name_has_a_type_and_a_text());

// The published test vectors of 64-bit FNV-1a for the empty text, "a" and "foobar".
constexpr auto hashes_are_fnv_1a() -> bool {
  return baton::hash_of("") == 0xcbf29ce484222325u && baton::hash_of("a") == 0xaf63dc4c8601ec8cu &&
         baton::hash_of("foobar") == 0x85944171f73967e8u && baton::hash_of("\xff") == (0xcbf29ce484222325u ^ 0xffu) * 0x100000001b3u;
}
static_assert(hashes_are_fnv_1a());

constexpr auto a_literal_name_has_a_hash_and_a_text() -> bool {
  constexpr baton::literal_name literal{"tfl.add"};
  constexpr baton::fixed_string text{"tfl.add"};
  return literal.hash == baton::hash_of("tfl.add") && literal.text == "tfl.add" && std::string_view{text} == "tfl.add";
}
static_assert(a_literal_name_has_a_hash_and_a_text());

constexpr auto a_name_is_found_among_others() -> bool {
  constexpr baton::literal_name names[] = {"tfl.add", "tfl.mul"};
  return baton::is_among(baton::hash_of("tfl.mul"), names) && !baton::is_among(baton::hash_of("tfl.sub"), names) &&
         !baton::is_among(baton::hash_of("tfl.mul"), {});
}
static_assert(a_name_is_found_among_others());

}  // namespace

TEST_CASE("names are compared as types, texts and hashes") {
  CHECK(a_name_has_a_type_and_a_text());
  CHECK(hashes_are_fnv_1a());
  CHECK(a_literal_name_has_a_hash_and_a_text());
  CHECK(a_name_is_found_among_others());
}
