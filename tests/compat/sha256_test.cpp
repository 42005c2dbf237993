// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/compat/executorch/sha256.hpp>
#include <baton/core/error.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace {

using namespace baton;

struct example {
  std::string_view text;
  std::string_view digest;
};

/// NIST's examples for FIPS 180-4 (none, one and two blocks), and texts whose padding fits exactly, or is one byte too long.
constexpr example examples[] = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
     "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
    {"inline", "995cf20a9c45daaf0a2cc31e85c290032ced97aadbac6c9d625595f5ce0ed427"},
};

constexpr auto every_digest_is_right() -> bool {
  for (const auto& [text, digest] : examples) {
    if (view(sha256_text(text)) != digest) return false;
  }
  return true;
}
static_assert(every_digest_is_right());

}  // namespace

TEST_CASE("digests are those of the standard's examples, at compile time and at run time") {
  for (const auto& [text, digest] : examples) {
    INFO(std::string(text));
    CHECK(std::string(view(sha256_text(text))) == std::string(digest));
  }
}

TEST_CASE("the digest of a million letters is that of the standard's long example") {
  CHECK(std::string(view(sha256_text(std::string(1'000'000, 'a')))) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}
