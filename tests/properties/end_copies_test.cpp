// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The copies at the ends of the graphs of random programs full of state, played through: whatever they are read from, every place is left
// with what its source held when the last node had run, and nothing is set aside but where places change round.
// BATON_PROPERTY_SEEDS is the number of programs, 5000 by default.
#include <baton/plan/shared/end_copies.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/shared/locations.hpp>

#include "properties/environment.hpp"
#include "properties/random_program.hpp"
#include "reference/kernels.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

namespace {

using namespace baton;

/// What lies where while the copies of one call are made: a place holds what a place held at the start.
class played_copies {
 public:
  played_copies(const program_view& program, const memory_plan& plan)
      : program_(program),
        plan_(plan),
        held_(program.values.size(), none<value_id>),
        aside_(plan.needs.copies.size(), none<value_id>) {
    for (std::uint32_t v = 0; v < held_.size(); ++v) held_[v] = value_id{v};
  }

  /// Whether a value's place no longer holds what it did, so that this must have been set aside.
  auto is_written(value_id id) const -> bool { return held_[index(place_of(id))] != place_of(id); }

  /// Makes a copy; whether its source still held what it did at the start.
  auto make(std::size_t i) -> bool {
    const auto& copy = plan_.needs.copies[i];
    const auto source = place_of(copy.from);
    auto content = source == none<value_id> ? none<value_id> : held_[index(source)];
    if (copy.set_aside != npos) content = content_of(copy.set_aside);
    if (copy.to == none<value_id>) aside_[i] = content;
    if (copy.to != none<value_id> && !copy.is_slice) held_[index(place_of(copy.to))] = content;
    return content == source;
  }

 private:
  auto place_of(value_id id) const -> value_id { return memory_of(program_, plan_.storage, id); }
  auto content_of(std::size_t i) const -> value_id {
    const auto& copy = plan_.needs.copies[i];
    return copy.to == none<value_id> ? aside_[i] : held_[index(place_of(copy.to))];
  }

  program_view program_;
  const memory_plan& plan_;
  baton::vector<value_id> held_;
  baton::vector<value_id> aside_;
};

struct counts {
  std::uint64_t copies = 0;
  std::uint64_t exchanges = 0;
  std::uint64_t spared = 0;  ///< read from what was copied anyway
};

/// Whether the copies of a program do what they are for.
auto copies_are_right(const program_view& program, counts& count) -> bool {
  const auto planned = plan_execution(reference::aten_with_views, program);
  if (!planned) return false;
  const auto& copies = planned.value.memory.needs.copies;
  for (std::size_t first = 0; first < copies.size();) {
    played_copies played(program, planned.value.memory);
    std::uint64_t set_aside = 0;
    auto last = first;
    for (; last < copies.size() && copies[last].graph == copies[first].graph && copies[last].call == copies[first].call; ++last) {
      const bool reads_aside = copies[last].set_aside != npos;
      if (reads_aside && !played.is_written(copies[last].from)) return false;
      if (!played.make(last)) return false;
      set_aside += copies[last].reason == copy_reason::exchange ? 1 : 0;
      count.spared += reads_aside && copies[copies[last].set_aside].reason != copy_reason::exchange ? 1 : 0;
    }
    count.copies += last - first;
    count.exchanges += set_aside;
    first = last;
  }
  return true;
}

}  // namespace

TEST_CASE("random programs full of state: no place is written before it is read") {
  const auto seeds = properties::number_from_environment("BATON_PROPERTY_SEEDS", 5000);
  counts count;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto program = reference::with_data(properties::make_program(seed, {6, 3, properties::amount_of_state::much}));
    REQUIRE_MESSAGE(copies_are_right(program, count), "seed ", seed);
  }
  MESSAGE(seeds, " programs, ", count.copies, " copies, ", count.exchanges, " set aside, ", count.spared, " not");
  CHECK(50 * count.exchanges > seeds);
  CHECK(50 * count.spared > seeds);
}
