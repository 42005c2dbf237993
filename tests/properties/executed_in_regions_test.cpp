// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random programs without state on the executor, with memory in two regions.
#include "properties/executed.hpp"

#include <doctest/doctest.h>

TEST_CASE("in two regions, the programs of seeds 0 to 19 match the reference over several runs") {
  CHECK(properties::first_wrong<0, properties::memory::two_regions, properties::amount_of_state::none>() == properties::no_seed);
  CHECK(properties::plans_in_both_regions > 10);
}
