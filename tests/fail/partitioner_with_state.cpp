// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton to_backend: the partitioner of a static program has state; pass a lambda without captures that returns the partitioner
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"

struct takes_up_to {
  int nodes;
  constexpr auto partition(const baton::exported_program& program) const -> baton::partition_result {
    baton::partition_result tagged(program);
    const auto tag = tagged.add_tag("tag0", baton::delegation_spec{"archetype"});
    for (int n = 0; n < nodes; ++n) tagged.tag_node(static_cast<baton::node_id>(n), tag);
    return tagged;
  }
};

constexpr auto target = baton::backends<baton::archetypes::backend>;
constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
#if defined(FIXED)
constexpr auto lowered = baton::to_backend(target, model, [] { return takes_up_to{1}; });
#else
constexpr auto lowered = baton::to_backend(target, model, takes_up_to{1});
#endif
