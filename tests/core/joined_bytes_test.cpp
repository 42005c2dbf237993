// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/shared/joined_bytes.hpp>
#include <baton/core/shared/bytes.hpp>
#include <baton/core/span.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>

namespace {

using namespace baton;

/// Byte `i` is `i` modulo 256.
struct counting {
  static constexpr void copy(std::size_t first, baton::span<char> to) {
    char* at = to.data();
    for (auto place = first; place < first + to.size(); place += 1024) {
      const auto end = place + 1024 < first + to.size() ? place + 1024 : first + to.size();
      for (auto i = place; i < end; ++i) *at++ = static_cast<char>(i);
    }
  }
};

/// Writes only the first and the last byte of each call, so that the result shows the range of each call.
struct marking {
  static constexpr void copy(std::size_t first, baton::span<char> to) {
    to.front() = static_cast<char>(1 + first / bytes_per_constant);
    to.back() = static_cast<char>(101 + first / bytes_per_constant);
  }
};

constexpr auto none = joined_bytes<counting, 0>();
static_assert(none.empty());
constexpr auto few = joined_bytes<counting, 3>();
static_assert(few == std::array<char, 3>{0, 1, 2});

constexpr auto one = joined_bytes<marking, bytes_per_constant>();
static_assert(one.front() == 1 && one.back() == 101);

constexpr auto byte_more = joined_bytes<marking, bytes_per_constant + 1>();
static_assert(byte_more.size() == bytes_per_constant + 1);
static_assert(byte_more[0] == 1 && byte_more[bytes_per_constant - 1] == 101 && byte_more[bytes_per_constant] == 102);

constexpr auto two = joined_bytes<marking, 2 * bytes_per_constant>();
static_assert(two[bytes_per_constant - 1] == 101 && two[bytes_per_constant] == 2 && two.back() == 102);

constexpr auto three = joined_bytes<counting, 2 * bytes_per_constant + 1000>();

// Copies of existing bytes: none, less than a block, several blocks, and more than one constant.
constexpr auto letters = [] {
  std::array<char, bytes_per_constant + 1000> result{};
  counting::copy(0, result);
  return result;
}();
template <std::size_t Size>
struct first_letters {
  static constexpr auto bytes() -> baton::span<const char> { return {letters.data() + 3, Size}; }
};
template <std::size_t Size>
constexpr auto copy_of = baton::joined_copy<first_letters<Size>, Size>();
template <std::size_t Size>
constexpr bool is_copied = copy_of<Size>.size() == Size && same_bytes(copy_of<Size>, first_letters<Size>::bytes());
static_assert(is_copied<0> && is_copied<1> && is_copied<255> && is_copied<256> && is_copied<257> && is_copied<1000>);

// More bytes than any compiler copies in one constant. Few of them are nonzero, so that the array needs few steps.
constexpr auto sparse = [] {
  std::array<char, 600'000> result{};
  for (std::size_t at = 1; at < result.size(); at += 16'383) result.data()[at] = static_cast<char>(1 + at / 16'383);
  return result;
}();
struct sparse_source {
  static constexpr auto bytes() -> baton::span<const char> { return sparse; }
};
constexpr auto copy_of_sparse = baton::joined_copy<sparse_source, sparse.size()>();

}  // namespace

TEST_CASE("joined_copy copies more bytes than any compiler copies in one constant") { CHECK(copy_of_sparse == sparse); }

TEST_CASE("joined_copy copies as many bytes as one constant holds, and more") {
  CHECK(same_bytes(copy_of<bytes_per_constant>, first_letters<bytes_per_constant>::bytes()));
  CHECK(same_bytes(copy_of<bytes_per_constant + 300>, first_letters<bytes_per_constant + 300>::bytes()));
}

TEST_CASE("joined_bytes concatenates the bytes of several constants") {
  std::size_t matches = 0;
  for (std::size_t i = 0; i < three.size(); ++i) matches += three[i] == static_cast<char>(i) ? 1 : 0;
  CHECK(matches == three.size());
  std::size_t zeros = 0;
  for (const char byte : two) zeros += byte == 0 ? 1 : 0;
  CHECK(zeros == two.size() - 4);
}
