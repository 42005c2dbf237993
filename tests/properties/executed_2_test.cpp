// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random programs on the executor, seeds 20 to 39. Few programs per translation unit, to limit the load on compilers.
#include "properties/executed.hpp"

#include <doctest/doctest.h>

TEST_CASE("the programs of seeds 20 to 39 match the reference over several runs") {
  CHECK(properties::first_wrong<20>() == properties::no_seed);
}
