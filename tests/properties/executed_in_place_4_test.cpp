// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random programs whose nodes write states in place, on executors whose memory is planned by rows, seeds 50 to 59.
#include "properties/executed.hpp"

#include <doctest/doctest.h>

TEST_CASE("states written in place, planned by rows: the programs of seeds 50 to 59 match the reference over several runs") {
  using namespace properties;
  CHECK(first_wrong<50, memory::planned_by_rows, amount_of_state::in_place, 10>() == no_seed);
}
