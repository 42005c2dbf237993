// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/config.hpp>

#include <doctest/doctest.h>

namespace {

#if BATON_VERSION < 100 || BATON_VERSION_MAJOR > 99
#error "the version can be compared in the preprocessor"
#endif

constexpr auto the_macro_and_the_constants_state_one_version() -> bool {
  return BATON_VERSION == baton::version_major * 10000 + baton::version_minor * 100 + baton::version_patch;
}
static_assert(the_macro_and_the_constants_state_one_version());
// Two digits each, so that a later version is a larger number.
static_assert(baton::version_minor < 100 && baton::version_patch < 100);

}  // namespace

TEST_CASE("the version in the preprocessor is the version in the code") { CHECK(the_macro_and_the_constants_state_one_version()); }
