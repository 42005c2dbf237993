// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random programs on the executor, seeds 0 to 19. Few programs per translation unit, to limit the load on compilers.
#include "properties/executed.hpp"

#include <doctest/doctest.h>

TEST_CASE("the programs of seeds 0 to 19 match the reference over several runs") {
  CHECK(properties::first_wrong<0>() == properties::no_seed);
}
