// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random programs with random tags: lowering returns an equivalent program, or fails with a message. BATON_PROPERTY_SEEDS is the number of
// programs, 20000 by default, BATON_PROPERTY_FIRST_SEED the first seed. The same seed produces the same program and tags on every machine.
#include <baton/core/print.hpp>

#include "properties/properties.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

auto number_from_environment(const char* name, std::uint64_t absent) -> std::uint64_t {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : absent;
}

/// Every 50th program is large, every tenth has much state.
auto limits_of(std::uint64_t seed) -> properties::program_limits {
  if (seed % 50 == 0) return {60, 4};
  return {.state = seed % 10 == 1 ? properties::amount_of_state::much : properties::amount_of_state::some};
}

auto text_of(const baton::text_buffer& text) -> std::string { return {text.begin(), text.end()}; }

auto printed(const baton::exported_program& program, std::uint64_t seed) -> std::string {
  const auto tagged = baton::tag_program(program, properties::random_partitioner{seed});
  return text_of(baton::print(tagged ? tagged.value : program));
}

}  // namespace

TEST_CASE("random programs with random tags are lowered to equivalent programs, or rejected with a message") {
  const auto first = number_from_environment("BATON_PROPERTY_FIRST_SEED", 0);
  const auto seeds = number_from_environment("BATON_PROPERTY_SEEDS", 20000);
  std::uint64_t lowered = 0;
  std::uint64_t with_delegates = 0;
  std::uint64_t twice = 0;
  for (auto seed = first; seed < first + seeds; ++seed) {
    const auto program = properties::with_earlier_tags(properties::make_program(seed, limits_of(seed)));
    const auto outcome = properties::check_lowering(program, seed);
    lowered += outcome.was_lowered ? 1 : 0;
    with_delegates += outcome.has_delegates ? 1 : 0;
    twice += outcome.was_lowered_again ? 1 : 0;
    if (!outcome.wrong.empty()) {
      FAIL_CHECK("seed " << seed << ": " << std::string(outcome.wrong) << "\n" << printed(program, seed));
      break;
    }
  }
  MESSAGE(seeds << " programs, " << lowered << " lowered, " << with_delegates << " with delegates, " << twice << " lowered again");
  CHECK(2 * with_delegates > seeds);
  CHECK(4 * twice > seeds);
}
