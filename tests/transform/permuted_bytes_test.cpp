// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/detail/permuted_bytes.hpp>
#include <baton/core/error.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using namespace baton;
using detail::permutation;

/// Computes the bytes in pieces of at most `piece` bytes.
constexpr auto permuted(span<const char> bytes, const permutation& axes, std::size_t width, std::size_t piece = 1000) -> text_buffer {
  const auto recipe = detail::permuted_bytes(axes, width);
  text_buffer result;
  result.resize(recipe.size());
  for (std::size_t at = 0; at < result.size(); at += piece)
    recipe.compute(bytes.data(), at, {result.data() + at, std::min(piece, result.size() - at)});
  return result;
}

constexpr auto weights_of_a_convolution() -> bool {
  const permutation by{tensor(dtype::int8, 1, 2, 2, 2), {0, 2, 3, 1}};
  const char bytes[] = {0, 1, 2, 3, 10, 11, 12, 13};
  const auto moved = permuted(bytes, by, 1);
  const char expected[] = {0, 10, 1, 11, 2, 12, 3, 13};
  const auto result = by.result();
  return by.moves() && std::ranges::equal(moved, expected) && result.sizes[1] == 2 && result.sizes[3] == 2;
}
static_assert(weights_of_a_convolution());

constexpr auto only_the_shape_changes() -> bool {
  const permutation one_pixel{tensor(dtype::float32, 5, 3, 1, 1), {0, 2, 3, 1}},
      one_channel{tensor(dtype::float32, 5, 1, 3, 3), {0, 2, 3, 1}};
  return !one_pixel.moves() && !one_channel.moves() && one_pixel.result().sizes[3] == 3;
}
static_assert(only_the_shape_changes());

/// Lists of files may have any numbers.
constexpr auto orders_have_each_dimension_once() -> bool {
  constexpr std::int64_t order[] = {2, 0, 1}, twice[] = {2, 2, 0}, high[] = {0, 1, 3}, negative[] = {0, -1, 1};
  constexpr std::int64_t many[40] = {39};
  return permutation::is_order(order, 3) && permutation::is_order({}, 0) && !permutation::is_order(order, 2) &&
         !permutation::is_order(order, 4) && !permutation::is_order(twice, 3) && !permutation::is_order(high, 3) &&
         !permutation::is_order(negative, 3) && !permutation::is_order(many, 40);
}
static_assert(orders_have_each_dimension_once());

/// Permutes twice, in one recipe and in two.
auto two_permutations_are_one(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& then) -> bool {
  permutation first{tensor(dtype::int8, sizes[0], sizes[1], sizes[2], sizes[3]), {0, 1, 2, 3}};
  text_buffer bytes;
  for (std::int64_t i = 0; i < element_count(first.type.shape()) * 2; ++i) bytes.push_back(static_cast<char>(i));
  do {
    const auto moved = permuted(bytes, first, 2);
    const auto middle = then.empty() ? first.result() : tensor(dtype::int8, then[0], then[1], then[2], then[3]);
    permutation second{middle, {0, 1, 2, 3}};
    do {
      const auto both = detail::permuted_bytes(second, 2).after(detail::permuted_bytes(first, 2));
      if (both.width == 0 && !then.empty()) continue;
      text_buffer result(bytes.size(), '\0');
      if (both.size() != bytes.size()) return false;
      both.compute(bytes.data(), 0, {result.data(), result.size()});
      if (!std::ranges::equal(result, permuted(moved, second, 2))) return false;
    } while (std::next_permutation(second.order, second.order + 4));
  } while (std::next_permutation(first.order, first.order + 4));
  return true;
}

/// Compares all permutations of a tensor of rank 4 with the definition.
auto all_permutations_are_right(const std::vector<std::int64_t>& sizes, std::size_t width) -> bool {
  permutation by{tensor(dtype::int8, sizes[0], sizes[1], sizes[2], sizes[3]), {0, 1, 2, 3}};
  text_buffer bytes;
  for (std::size_t i = 0; i < static_cast<std::size_t>(element_count(by.type.shape())) * width; ++i) bytes.push_back(static_cast<char>(i));
  do {
    const auto moved = permuted(bytes, by, width);
    const auto to = by.result();
    for (const std::size_t elements : {1u, 3u, 7u}) {
      if (!std::ranges::equal(permuted(bytes, by, width, elements * width), moved)) return false;
    }
    bool keeps_order = true;
    for (std::size_t i = 0; i < moved.size() / width; ++i) {
      std::int64_t position[4]{}, quotient = static_cast<std::int64_t>(i), from = 0;
      for (std::size_t d = 4; d-- > 0; quotient /= to.sizes[d]) position[by.order[d]] = quotient % to.sizes[d];
      for (std::size_t d = 0; d < 4; ++d) from = from * sizes[d] + position[d];
      keeps_order = keeps_order && from == static_cast<std::int64_t>(i);
      for (std::size_t b = 0; b < width; ++b) {
        if (moved[i * width + b] != bytes[static_cast<std::size_t>(from) * width + b]) return false;
      }
    }
    if (moved.size() != bytes.size() || keeps_order == by.moves()) return false;
  } while (std::next_permutation(by.order, by.order + 4));
  return true;
}

}  // namespace

TEST_CASE("weights of a convolution are permuted") { CHECK(weights_of_a_convolution()); }
TEST_CASE("a permutation that moves no element only changes the shape") { CHECK(only_the_shape_changes()); }
TEST_CASE("an order has each dimension once") { CHECK(orders_have_each_dimension_once()); }
TEST_CASE("all permutations move each element to its place") {
  for (const std::size_t width : {1u, 2u, 4u, 8u}) {
    CHECK(all_permutations_are_right({2, 3, 4, 5}, width));
    CHECK(all_permutations_are_right({1, 3, 1, 2}, width));
    CHECK(all_permutations_are_right({1, 1, 1, 1}, width));
    CHECK(all_permutations_are_right({3, 1, 2, 3}, width));
  }
}
TEST_CASE("two permutations are one recipe, also of a reshaped tensor") {
  CHECK(two_permutations_are_one({2, 3, 4, 5}, {}));
  CHECK(two_permutations_are_one({4, 1, 6, 2}, {}));
  CHECK(two_permutations_are_one({4, 3, 4, 5}, {2, 6, 2, 10}));
  CHECK(two_permutations_are_one({4, 6, 1, 1}, {3, 2, 4, 1}));
  CHECK(two_permutations_are_one({6, 4, 5, 2}, {8, 3, 2, 5}));
}
