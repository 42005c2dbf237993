// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_support: the operator support has no function supports; write: static constexpr auto supports(const
// baton::program_view&, const baton::node&) -> baton::verdict
#include <baton/partition/by_support.hpp>

struct npu {
  static constexpr auto id = baton::name<"Npu">;
};
struct two_operands {
#if defined(FIXED)
  static constexpr auto supports(const baton::program_view&, const baton::node& candidate) -> baton::verdict {
    if (candidate.inputs.size == 2) return baton::accept();
    return baton::refuse("it has not two operands");
  }
#else
  static constexpr auto supports(const baton::program_view&, const baton::node& candidate) -> bool { return candidate.inputs.size == 2; }
#endif
};

using partitioner = baton::by_support<npu, baton::any_of<baton::operator_names<"aten.mm.default">, two_operands>>;
