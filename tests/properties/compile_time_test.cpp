// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random programs at compile time: they are lowered to the same programs as at run time, and the properties hold.
#include <baton/core/compare.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "properties/properties.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <type_traits>

namespace {

inline constexpr properties::program_limits small{5, 2};

template <std::uint64_t Seed>
struct make_random {
  constexpr auto operator()() const { return properties::with_earlier_tags(properties::make_program(Seed, small)); }
};
template <std::uint64_t Seed>
struct partition_randomly {
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    return properties::random_partitioner{Seed}.partition(program);
  }
};

template <std::uint64_t Seed>
inline constexpr baton::static_program model{make_random<Seed>{}};
template <std::uint64_t Seed>
inline constexpr auto lowered = baton::to_backend(properties::target, model<Seed>, partition_randomly<Seed>{});
template <std::uint64_t Seed>
inline constexpr auto lowered_again = baton::to_backend(properties::target, lowered<Seed>, partition_randomly<Seed + 1>{});

template <std::uint64_t Seed>
constexpr auto is_the_same_at_run_time() -> bool {
  const auto program = make_random<Seed>{}();
  const auto once = baton::to_backend(properties::target, program, partition_randomly<Seed>{});
  const auto twice = baton::to_backend(properties::target, once, partition_randomly<Seed + 1>{});
  return baton::same(model<Seed>.value(), program) && baton::same(lowered<Seed>.value(), once) &&
         baton::same(lowered_again<Seed>.value(), twice);
}

static_assert(properties::wrong_with(model<29>, lowered<29>).empty());
static_assert(properties::wrong_with(model<72>, lowered_again<72>).empty());
static_assert(properties::wrong_with(model<96>, lowered<96>).empty());

}  // namespace

// Seeds whose tags are legal in both lowerings, with branches, loops, mutated buffers, and tags in both lowerings.
TEST_CASE_TEMPLATE("a random program is lowered at compile time as at run time", Seed, std::integral_constant<std::uint64_t, 65>,
                   std::integral_constant<std::uint64_t, 84>, std::integral_constant<std::uint64_t, 105>,
                   std::integral_constant<std::uint64_t, 96>, std::integral_constant<std::uint64_t, 98>) {
  CHECK(is_the_same_at_run_time<Seed::value>());
  CHECK(lowered_again<Seed::value>.value().delegates.size() > lowered<Seed::value>.value().delegates.size());
  CHECK(properties::wrong_with(model<Seed::value>, lowered_again<Seed::value>).empty());
}
