// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_partitioner: the partitioner has no function partition; write: constexpr auto partition(const
// baton::exported_program& program) const -> baton::partition_result
#include <baton/core/program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

using demo = conformance::backend_with_compiler_demo;
using products = baton::by_support<demo, baton::operator_names<"aten.mm.default">>;
using sums = baton::by_support<demo, baton::operator_names<"aten.add.Tensor">>;

auto lower_at_run_time(const baton::exported_program& model) -> baton::exported_program {
#if defined(FIXED)
  return baton::to_backend(baton::backends<demo>, model, baton::in_order(products{}, sums{}));
#else
  return baton::to_backend(baton::backends<demo>, model, baton::in_order(baton::in_order(products{}, sums{}), sums{}));
#endif
}
