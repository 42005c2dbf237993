// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/shared/pools.hpp>

#include <baton/core/program.hpp>

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;

/// Each text is a copy of the previous one, which is in the same pool.
constexpr auto text_of_the_pool_is_copied() -> bool {
  exported_program program;
  auto last = own_bytes(program, "some text");
  for (int i = 0; i < 20; ++i) {
    const auto first = program.bytes.size();
    const auto copy = own_bytes(program, program_view(program).text(last));
    if (copy.first != first || copy.size != 9 || program_view(program).text(copy) != "some text") return false;
    last = copy;
  }
  const auto all = program_view(program).text(byte_ref{nullptr, 0, 21 * 9});
  const auto twice = own_bytes(program, all);
  return program_view(program).text(twice) == program_view(program).text(byte_ref{nullptr, 0, 21 * 9}) && twice.size == 21 * 9 &&
         own_bytes(program, {}).size == 0 && program.bytes.size() == 2 * 21 * 9;
}
static_assert(text_of_the_pool_is_copied());

}  // namespace

TEST_CASE("text of a program's pool can be appended to the same pool") { CHECK(text_of_the_pool_is_copied()); }
