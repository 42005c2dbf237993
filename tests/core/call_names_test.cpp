// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The generated names of calls, which are numbered per graph and operator.
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

/// Adds calls to two graphs alternately, some with explicit names, and compares each generated name with the expected number.
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
    const auto call = b.call(operators[op], {}, type);
    auto expected = join(names[op]);
    if (number != 0) append(append(expected, "_"), number);
    if (b.draft().text(b.at(call).name) != view(expected)) return false;
  }
  return true;
}
static_assert(are_numbered(60));

TEST_CASE("calls without an explicit name are numbered per graph and operator, also 100,000 of them") {
  CHECK(are_numbered(60));
  CHECK(are_numbered(100'000));
}

}  // namespace
