// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random programs whose nodes write states in place, on the executor, seeds 0 to 19.
#include "properties/executed.hpp"

#include <doctest/doctest.h>

TEST_CASE("states written in place: the programs of seeds 0 to 19 match the reference over several runs") {
  CHECK(properties::first_wrong<0, properties::memory::one_arena, properties::amount_of_state::in_place>() == properties::no_seed);
}
