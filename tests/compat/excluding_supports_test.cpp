// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/compat/executorch/excluding_supports.hpp>
#include <baton/compat/executorch/rejections.hpp>
#include <baton/core/tensor.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string_view>

namespace {

using namespace baton;

/// Returns the number of nodes of G-MMADD (mm, add, sub, mm_1, add_1) that a support rejects.
template <operator_support Support>
constexpr auto rejects(std::size_t count, std::string_view reason) -> bool {
  const auto program = conformance::g_mmadd();
  const auto rejected = rejections_of<Support>(program);
  return rejected.size() == count && (count == 0 || view(rejected[0].reason) == reason);
}

constexpr auto reasons_name_the_excluded_nodes() -> bool {
  return rejects<declines_input_dtype<dtype::int8, dtype::float32>>(5, "an operand is float32") &&
         rejects<declines_input_dtype<dtype::int8>>(0, "") && rejects<dont_partition<"aten.mm.default">>(2, "the operator is excluded") &&
         rejects<dont_partition<"aten.mm">>(0, "") && rejects<dont_partition_containing<"aten.mm", "">>(2, "the operator is excluded") &&
         rejects<dont_partition_node<"mm", "sub">>(2, "the node is excluded") &&
         rejects<dont_partition_node_containing<"mm">>(2, "the node is excluded");
}
static_assert(reasons_name_the_excluded_nodes());

}  // namespace

TEST_CASE("the reason of an excluding support names the excluded item") { CHECK(reasons_name_the_excluded_nodes()); }
