// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The table of operators in docs/pte.md is current.
#include <baton/operators/executorch.hpp>
#include <baton/transform/detail/executorch_rows.hpp>

#include "transform/operator_page.hpp"

#include <doctest/doctest.h>

TEST_CASE("pte: the page lists all operators of ExecuTorch that the library knows") {
  CHECK(operator_page::difference("pte.md", operator_page::table_of(baton::executorch::dialect, baton::detail::executorch_rows_by_hash)) ==
        "");
}
