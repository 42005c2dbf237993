// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random programs on the executor, seeds 80 to 99: a few a translation unit, which is what compilers take well.
#include "properties/executed.hpp"

#include <doctest/doctest.h>

TEST_CASE("the executor runs the programs of seeds 80 to 99 as the reference does, several times") {
  CHECK(properties::first_wrong<80>() == properties::nobody);
}
