// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random programs whose nodes write states in place, on executors whose memory is planned in place, seeds 40 to 49.
#include "properties/executed.hpp"

#include <doctest/doctest.h>

TEST_CASE("states written in place, planned in place: the programs of seeds 40 to 49 match the reference over several runs") {
  using namespace properties;
  CHECK(first_wrong<40, memory::planned_in_place, amount_of_state::in_place, 10>() == no_seed);
}
