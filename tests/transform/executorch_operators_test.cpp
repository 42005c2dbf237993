// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The table of operators in docs/pte.md is current, and the dialect defines each operator that has a rule.
#include <baton/operators/executorch.hpp>
#include <baton/transform/detail/executorch_rows.hpp>
#include <baton/transform/detail/legalization_row.hpp>

#include "transform/operator_page.hpp"

#include <doctest/doctest.h>

#include <string_view>

TEST_CASE("pte: the page lists all operators of ExecuTorch that the library knows") {
  // In the order of `executorch_rows`.
  constexpr std::string_view families[] = {
      "CMSIS-NN (`cortex_m`)",
      "arithmetic, comparisons, activations",
      "other functions, conversions",
      "image sizes",
      "layers and reductions",
      "shapes and copies",
      "slices and joins",
      "positions and searches",
      "quantization",
  };
  using namespace baton::detail;
  CHECK(operator_page::difference("pte.md", operator_page::table_of(baton::executorch::dialect, executorch_rows, families,
                                                                    executorch_rows_by_hash, "out")) == "");
  executorch_rows_by_hash.for_each([](const legalization_row& row) { CHECK(baton::executorch::dialect.find(row.name.hash) != nullptr); });
}
