// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Partitions a program of NODES nodes in a constant with PARTITIONER. Without PARTITIONER, only builds the program. See partitioning.sh.
#include "partitioning.hpp"

#include <baton/core/static_program.hpp>

namespace {

constexpr auto model = baton::static_program{[] { return budget::residual_program(NODES); }};
#ifdef PARTITIONER
constexpr auto parts = baton::result<baton::partition_result>(budget::PARTITIONER{}.partition(model)).value.partition_tags.size();
static_assert(parts > 1);
#else
static_assert(model.value().nodes.size() == NODES);
#endif

}  // namespace
