// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Checks baton::vector against std::vector: after the same operations, both have the same items.
#include <baton/core/vector.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

static_assert(std::is_nothrow_move_constructible_v<baton::vector<int>> && std::is_nothrow_move_assignable_v<baton::vector<int>>);

template <class T>
constexpr auto same(const baton::vector<T>& one, const std::vector<T>& other) -> bool {
  return std::equal(one.begin(), one.end(), other.begin(), other.end()) && one.empty() == other.empty() && one.capacity() >= one.size();
}

/// A pseudorandom generator that is good enough for tests: D. Knuth, TAOCP 2, 3.3.4, line 26.
struct numbers {
  std::uint64_t state;
  constexpr auto below(std::size_t limit) -> std::size_t {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return limit == 0 ? 0 : static_cast<std::size_t>(state >> 33) % limit;
  }
};

/// Applies the same random operations to both vectors and compares them after each. `item` converts a number to an item. Some operations
/// push or insert an item of the vector itself.
template <class T, class Item>
constexpr auto behaves_the_same(std::uint64_t seed, int steps, Item item) -> bool {
  numbers random{seed};
  baton::vector<T> one;
  std::vector<T> other;
  for (int step = 0; step < steps; ++step) {
    const auto at = random.below(other.size() + 1);
    const auto count = random.below(5);
    const auto place = static_cast<std::ptrdiff_t>(at);
    const T fresh = item(random.below(100));
    switch (random.below(17)) {
      case 0:
        one.push_back(fresh);
        other.push_back(fresh);
        break;
      case 1:
        one.emplace_back(fresh);
        other.emplace_back(fresh);
        break;
      case 2:
        if (other.empty()) break;
        one.push_back(one[at % one.size()]);
        other.push_back(T(other[at % other.size()]));
        break;
      case 3:
        if (other.empty()) break;
        one.push_back(std::move(one[at % one.size()]));
        other.push_back(T(std::move(other[at % other.size()])));
        one[at % (one.size() - 1)] = fresh;
        other[at % (other.size() - 1)] = fresh;
        break;
      case 4:
        if (other.empty()) break;
        one.pop_back();
        other.pop_back();
        break;
      case 5:
        one.insert(one.begin() + at, count, fresh);
        other.insert(other.begin() + place, count, fresh);
        break;
      case 6:
        one.insert(one.begin() + at, fresh);
        other.insert(other.begin() + place, fresh);
        break;
      case 7: {
        const std::vector<T> more(count, fresh);
        if (one.insert(one.begin() + at, more.begin(), more.end()) != one.begin() + at) return false;
        other.insert(other.begin() + place, more.begin(), more.end());
        break;
      }
      case 8: {
        const auto last = at + random.below(other.size() - at + 1);
        if (one.erase(one.begin() + at, one.begin() + last) != one.begin() + at) return false;
        other.erase(other.begin() + place, other.begin() + static_cast<std::ptrdiff_t>(last));
        break;
      }
      case 9:
        if (at == other.size()) break;
        one.erase(one.begin() + at);
        other.erase(other.begin() + place);
        break;
      case 10:
        if (erase_if(one, [&](const T& each) { return each == fresh; }) !=
            std::erase_if(other, [&](const T& each) { return each == fresh; }))
          return false;
        break;
      case 11:
        one.resize(at + count);
        other.resize(at + count, T{});
        break;
      case 12:
        if (other.empty()) break;
        one.resize(at + count, one.front());
        other.resize(at + count, T(other.front()));
        break;
      case 13:
        if (other.empty()) break;
        one.assign(count, one.back());
        other.assign(count, T(other.back()));
        break;
      case 14: {
        baton::vector<T> copy = one;
        copy.push_back(fresh);
        if (copy == one) return false;
        copy.pop_back();
        if (!(copy == one)) return false;
        one = std::move(copy);
        one = static_cast<const baton::vector<T>&>(one);
        break;
      }
      case 15: {
        const auto first = other.empty() ? 0 : at % other.size();
        const auto more = std::min(count, other.size() - first);
        const std::vector<T> copy(other.begin() + static_cast<std::ptrdiff_t>(first),
                                  other.begin() + static_cast<std::ptrdiff_t>(first + more));
        if (one.append(one.data() + first, more) != other.size()) return false;
        other.insert(other.end(), copy.begin(), copy.end());
        break;
      }
      default:
        if (random.below(8) != 0) break;
        one.clear();
        other.clear();
    }
    if (!same(one, other)) return false;
    if (!other.empty() && (!(one.front() == other.front()) || !(one.back() == other.back()) || one.data() != one.begin())) return false;
  }
  return true;
}

constexpr auto numbered(std::size_t number) -> std::uint16_t { return static_cast<std::uint16_t>(number); }
constexpr auto nested(std::size_t number) -> baton::vector<int> { return baton::vector<int>(number % 7, static_cast<int>(number)); }
/// A pair is not trivially copyable, although its destructor is trivial.
constexpr auto paired(std::size_t number) -> std::pair<int, std::size_t> { return {static_cast<int>(number) + 1, number}; }
auto long_text(std::size_t number) -> std::string { return std::string(number, 'x'); }

static_assert(behaves_the_same<std::uint16_t>(1, 100, numbered));
static_assert(behaves_the_same<baton::vector<int>>(2, 20, nested));
static_assert(behaves_the_same<std::pair<int, std::size_t>>(3, 20, paired));

constexpr auto constructs() -> bool {
  const std::string_view text = "text";
  const baton::vector<char> from_range(text.begin(), text.end());
  const baton::vector<char> from_items{'t', 'e', 'x', 't'};
  const baton::vector<char> from_count(3, 'a');
  const baton::vector<int> zeros(2);
  baton::vector<char> moved = baton::vector<char>(from_items);
  moved.reserve(100);
  const auto* kept = moved.data();
  moved.resize(100, 'b');
  return from_range == from_items && from_count == baton::vector<char>{'a', 'a', 'a'} && zeros == baton::vector<int>{0, 0} &&
         !(zeros == baton::vector<int>{0, 1}) && moved.data() == kept && baton::vector<char>{}.empty();
}
static_assert(constructs());

/// A pair has a trivial destructor, but is not trivially copyable.
constexpr auto shrinks() -> bool {
  baton::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < 9; ++i) pairs.emplace_back(i, -i);
  pairs.erase(pairs.begin());
  pairs.pop_back();
  return pairs.size() == 7 && pairs.front() == std::pair{1, -1} && pairs.back() == std::pair{7, -7};
}
static_assert(shrinks());

constexpr auto items_do_not_move_in_their_room() -> bool {
  baton::vector<int> numbers{1, 2};
  numbers.make_room(3);
  const auto* const first = numbers.data();
  if (!numbers.has_room(3) || numbers.has_room(numbers.capacity() - 1)) return false;
  for (const int number : {3, 4, 5}) numbers.push_back(number);
  return numbers.data() == first && numbers == baton::vector<int>{1, 2, 3, 4, 5};
}
static_assert(items_do_not_move_in_their_room());

enum class position : std::uint32_t {};
constexpr auto ids_are_positions() -> bool {
  baton::vector<int> items{4, 5, 6};
  items[position{1}] = 7;
  const auto& unchanged = items;
  return items == baton::vector<int>{4, 7, 6} && unchanged[position{2}] == 6 && &unchanged[position{0}] == items.data();
}
static_assert(ids_are_positions());

}  // namespace

TEST_CASE("a vector is constructed from a range, from items and from a count") { CHECK(constructs()); }
TEST_CASE("erase and pop_back remove items of a vector of pairs") { CHECK(shrinks()); }

TEST_CASE("an id is the position of an item") { CHECK(ids_are_positions()); }
TEST_CASE("items do not move if there is room for more") { CHECK(items_do_not_move_in_their_room()); }

TEST_CASE("random operations leave the same items as in std::vector") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    CHECK(behaves_the_same<std::uint16_t>(seed, 300, numbered));
    CHECK(behaves_the_same<std::string>(seed, 300, long_text));
    CHECK(behaves_the_same<baton::vector<int>>(seed, 300, nested));
  }
}
