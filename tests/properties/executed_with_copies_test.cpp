// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random programs on the executor, with constants that are copied to a small buffer before a kernel reads them.
#include "properties/executed.hpp"

#include <doctest/doctest.h>

TEST_CASE("with copied constants, the programs of seeds 0 to 3 match the reference over several runs") {
  CHECK(properties::first_wrong<0, properties::memory::one_arena_and_copies, properties::amount_of_state::some, 4>() ==
        properties::no_seed);
  CHECK(properties::plans_with_copies >= 2);
}
