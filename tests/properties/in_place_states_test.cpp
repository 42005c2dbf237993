// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// States that nodes write in place: read before and after, through views, returned, in parts, in branches, written twice. Lowering keeps
// the order of reads and writes, and no partitioner of the library produces a part that depends on itself. BATON_PROPERTY_SEEDS is the
// number of programs at run time, 1000 by default. `in_place_constants.sh` evaluates 1000 programs at compile time.
// alone: its constants take half a minute
#include <baton/core/print.hpp>

#include "properties/environment.hpp"
#include "properties/in_place_states.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

namespace {

using namespace baton;
using namespace properties;
using namespace properties::in_place;

static_assert(first_wrong_constant<0, 160> == 160);

}  // namespace

TEST_CASE("lowering keeps the order of reads and writes in random programs that write states in place") {
  const auto seeds = number_from_environment("BATON_PROPERTY_SEEDS", 1000);
  counts count;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto program = random_in_place(seed);
    const auto wrong = wrong_with_program(program, seed, count);
    if (!wrong.empty()) {
      const auto text = print(program);
      FAIL_CHECK("seed " << seed << ": " << std::string(wrong) << "\n" << std::string(text.begin(), text.end()));
      break;
    }
  }
  MESSAGE((5 * seeds) << " partitions, " << count.lowered << " lowered, " << count.with_delegates << " with delegates, " << count.rejected
                      << " refused");
  CHECK(count.with_delegates > 3 * seeds);
}
