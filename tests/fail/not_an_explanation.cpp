// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_an_explanation: explain_undelegated does not return a function of a node; write: constexpr auto explain_undelegated(const baton::program_view& tagged) const { return [tagged](baton::node_id id) -> baton::text_buffer { ... }; }
#include <baton/lower/verdicts.hpp>

#include "conformance/graphs.hpp"

struct takes_nothing : baton::archetypes::partitioner {
#if defined(FIXED)
  static constexpr auto explain_undelegated(const baton::program_view& tagged) {
    return [tagged](baton::node_id id) { return baton::join(tagged.text(tagged[id].name), " is not for me"); };
  }
#else
  static constexpr auto explain_undelegated(const baton::program_view&, baton::node_id) -> baton::text_buffer {
    return baton::join("not for me");
  }
#endif
};

const auto verdicts = baton::verdicts_of(conformance::g_mmadd(), takes_nothing{});
