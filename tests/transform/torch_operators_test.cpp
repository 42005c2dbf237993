// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The table of operators in docs/pt2.md is current, and the dialect defines each operator that has a rule.
#include <baton/operators/torch.hpp>
#include <baton/transform/detail/legalization_row.hpp>
#include <baton/transform/detail/torch_rows.hpp>

#include "transform/operator_page.hpp"

#include <doctest/doctest.h>

#include <string_view>

TEST_CASE("pt2: the page lists all operators of torch.export that the library knows") {
  // In the order of `torch_rows`.
  constexpr std::string_view families[] = {
      "attention",
      "arithmetic and comparisons",
      "functions and conversions",
      "image sizes",
      "layers",
      "new tensors",
      "shapes and copies",
      "normalizations",
      "slices and joins",
      "quantization",
      "recurrent layers",
      "reductions and searches",
  };
  using namespace baton::detail;
  CHECK(operator_page::difference(
            "pt2.md", operator_page::table_of(baton::torch::dialect, torch_rows, families, torch_rows_by_hash, "default")) == "");
  torch_rows_by_hash.for_each([](const legalization_row& row) { CHECK(baton::torch::dialect.find(row.name.hash) != nullptr); });
}
