// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/backend/words.hpp>
#include <baton/core/error.hpp>
#include <baton/core/span.hpp>

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;

constexpr auto words_read_back() -> bool {
  text_buffer bytes{'x'};
  append_word(bytes, 0x81020304u);
  append_word(bytes, 0xfffffffeu);
  const span<const char> all{bytes.data(), bytes.size()};
  return bytes.size() == 9 && bytes[1] == '\x04' && bytes[2] == '\x03' && bytes[4] == '\x81' && word_at(all, 1) == 0x81020304u &&
         word_at(all, 5) == 0xfffffffeu && word_at(all, 3) == 0xfffe8102u;
}
static_assert(words_read_back());

/// Test vectors of RFC 9923.
constexpr auto sums_are_fnv1a() -> bool {
  const auto sum = [](std::string_view text) { return fnv1a({text.data(), text.size()}); };
  return sum("") == 0x811c9dc5u && sum("a") == 0xe40c292cu && sum("foobar") == 0xbf9cf968u && sum("\xff") != sum("\x7f");
}
static_assert(sums_are_fnv1a());

}  // namespace

TEST_CASE("words of processed bytes read back, and damage changes the checksum") {
  CHECK(words_read_back());
  CHECK(sums_are_fnv1a());
}
