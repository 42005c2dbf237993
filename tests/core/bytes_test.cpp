// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/shared/bytes.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <string_view>

namespace {

using namespace baton;
using text = std::string_view;

constexpr char memory[] = {'a', 'b', 'c'};
constexpr const char* literal = "abc";

constexpr auto addresses_are_compared() -> bool {
  const baton::vector<char> heap(3, 'a');
  return is_same_address(memory + 1, memory + 1) && !is_same_address(memory, memory + 1) && is_same_address(literal, literal) &&
         !is_same_address(literal, memory) && !is_same_address(heap.data(), memory) && is_same_address(heap.data(), heap.data());
}
static_assert(addresses_are_compared());
static_assert(!is_same_address(literal, "abd"), "different literals, in Clang too");

constexpr auto bytes_are_ordered() -> bool {
  return compare_bytes(text{"b"}, text{"aa"}) < 0 && compare_bytes(text{"ab"}, text{"b"}) > 0 &&
         compare_bytes(text{"ab"}, text{"ac"}) < 0 && compare_bytes(text{"\x80"}, text{"\x7f"}) > 0 &&
         compare_bytes(text{literal}, text{memory, 3}) == 0 && compare_bytes(text{}, text{"a"}) < 0 &&
         same_bytes(text{}, text{literal, 0}) && !same_bytes(text{"abd"}, text{memory, 3});
}
static_assert(bytes_are_ordered());

constexpr auto many_bytes_are_compared(std::size_t count) -> bool {
  const baton::vector<char> a(count, 'a');
  baton::vector<char> b(count, 'a');
  const bool was_same = same_bytes(a, b);
  b.back() = 'b';
  return was_same && compare_bytes(a, b) < 0 && compare_bytes(b, a) > 0 && !same_bytes(a, b);
}
static_assert(many_bytes_are_compared(10'000));

// Constants, whose comparison GCC evaluates without a loop.
constexpr auto constants = [] {
  std::array<char, 3'000> bytes{};
  bytes[1'999] = '\x80';
  bytes[2'999] = '\x7f';
  return bytes;
}();
constexpr auto zeros = std::array<char, 1'000>{};
constexpr auto constants_are_compared() -> bool {
  const baton::span<const char> all = constants;
  const auto first = all.first(1'000), second = all.subspan(1'000, 1'000), third = all.subspan(2'000, 1'000);
  return same_bytes(first, zeros) && compare_bytes(first, second) < 0 && compare_bytes(second, third) > 0 &&
         compare_bytes(third, first) > 0 && !same_bytes(second, third) && same_bytes(second, all.subspan(1'000, 1'000));
}
static_assert(constants_are_compared());

constexpr auto zero_bytes_are_found() -> bool {
  const baton::span<const char> all = constants;
  baton::vector<char> heap(100, '\0');
  const bool was_zero = are_zero(heap);
  heap.front() = 1;
  const bool is_zero = are_zero(heap);
  return was_zero && !is_zero && are_zero(baton::span{heap}.subspan(1, 99)) && are_zero({}) && are_zero(zeros) && are_zero(all.first(1)) &&
         are_zero(all.first(1'999)) && !are_zero(all.first(2'000)) && !are_zero(all.subspan(1'999, 1)) && !are_zero(text{"aa"}) &&
         are_zero(all.subspan(2'000, 999)) && !are_zero(all.subspan(2'000, 1'000));
}
static_assert(zero_bytes_are_found());

constexpr auto bytes_are_copied() -> bool {
  baton::vector<char> copy(5'000, 'x');
  const baton::vector<char> source(4'999, 'y');
  copy_bytes(source, copy.data());
  return same_bytes(baton::span{copy}.first(4'999), source) && copy.back() == 'x';
}
static_assert(bytes_are_copied());

}  // namespace

TEST_CASE("addresses are compared, and any number of bytes is compared and copied") {
  CHECK(addresses_are_compared());
  CHECK(bytes_are_ordered());
  CHECK(many_bytes_are_compared(1'000'000));
  CHECK(bytes_are_copied());
  CHECK(constants_are_compared());
  CHECK(zero_bytes_are_found());
}
