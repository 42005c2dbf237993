// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The names of calls that are given none: numbered by graph and operator, however many there are.
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

constexpr std::string_view operators[] = {"aten.relu", "tfl.ADD", "aten.neg"};
constexpr std::string_view names[] = {"aten_relu", "tfl_add", "aten_neg"};

/// Calls in two graphs by turns, some with names of their own; every number is counted here again.
constexpr auto are_numbered(std::size_t calls) -> bool {
  constexpr auto type = tensor(dtype::int8, 1);
  program_builder b;
  const graph_id graphs[] = {b.current(), b.add_graph("branch")};
  std::int64_t counts[2][3] = {};
  for (std::size_t n = 0; n < calls; ++n) {
    const auto g = n / 3 % 2;
    const auto op = n * n % 7 % 3;
    b.enter(graphs[g]);
    const auto number = counts[g][op]++;
    if (n % 5 == 4) {
      b.call("own", operators[op], {}, type);
      continue;
    }
    const auto made = b.call(operators[op], {}, type);
    auto expected = join(names[op]);
    if (number != 0) append(append(expected, "_"), number);
    if (b.draft().text(b.at(made).name) != view(expected)) return false;
  }
  return true;
}
static_assert(are_numbered(60));

TEST_CASE("calls without names of their own: numbered by graph and operator, 100,000 in an instant") {
  CHECK(are_numbered(60));
  CHECK(are_numbered(100'000));
}

}  // namespace
