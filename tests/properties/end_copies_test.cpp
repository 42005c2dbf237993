// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Simulates the copies at the ends of the graphs of random programs with much state. Every place must receive the value that its source
// held after the last node. Values are set aside only if places exchange their values. BATON_PROPERTY_SEEDS is the number of programs, 5000
// by default.
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

/// Simulates the copies of one call: for each place, the place whose initial contents it holds.
class copy_simulation {
 public:
  copy_simulation(const program_view& program, const memory_plan& plan)
      : program_(program),
        plan_(plan),
        held_(program.values.size(), none<value_id>),
        aside_(plan.needs.copies.size(), none<value_id>) {
    for (std::uint32_t v = 0; v < held_.size(); ++v) held_[v] = value_id{v};
  }

  /// True if a value's place no longer holds its initial contents, so that these must have been set aside.
  auto is_written(value_id id) const -> bool { return held_[index(place_of(id))] != place_of(id); }

  /// Performs a copy. True if it read the initial contents of its source.
  auto make(std::size_t i) -> bool {
    const auto& copy = plan_.needs.copies[i];
    const auto source = place_of(copy.from);
    auto content = source == none<value_id> ? none<value_id> : held_[index(source)];
    if (copy.saved_by != npos) content = content_of(copy.saved_by);
    if (copy.to == none<value_id>) aside_[i] = content;
    if (copy.to != none<value_id> && !copy.is_iteration_part) held_[index(place_of(copy.to))] = content;
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
  std::uint64_t spared = 0;  ///< read from an existing copy
};

/// True if the copies of a program are correct.
auto copies_are_right(const program_view& program, counts& count) -> bool {
  const auto planned = plan_execution(reference::aten_with_views, program);
  if (!planned) return false;
  const auto& copies = planned.value.memory.needs.copies;
  for (std::size_t first = 0; first < copies.size();) {
    copy_simulation simulation(program, planned.value.memory);
    std::uint64_t exchanges = 0;
    auto last = first;
    for (; last < copies.size() && copies[last].graph == copies[first].graph && copies[last].call == copies[first].call; ++last) {
      const bool reads_aside = copies[last].saved_by != npos;
      if (reads_aside && !simulation.is_written(copies[last].from)) return false;
      if (!simulation.make(last)) return false;
      exchanges += copies[last].reason == copy_reason::exchange ? 1 : 0;
      count.spared += reads_aside && copies[copies[last].saved_by].reason != copy_reason::exchange ? 1 : 0;
    }
    count.copies += last - first;
    count.exchanges += exchanges;
    first = last;
  }
  return true;
}

}  // namespace

TEST_CASE("random programs with many states: no memory is overwritten before it is read") {
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
