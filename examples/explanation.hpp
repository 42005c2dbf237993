// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The reasons why nodes are not delegated, for the reports of the tools.
#pragma once

#include "all_kernels.hpp"

#include <baton/baton.hpp>
#include <baton/kernel.hpp>
#include <baton/report.hpp>

namespace choices {

/// For each node that is not delegated, states whether a portable kernel computes it, and the reason of the choice's partitioner.
template <class Choice>
class explanation {
 public:
  explicit explanation(const baton::exported_program& given) : reasons_(Choice::verdicts(given)) {}

  auto operator()(const baton::program_view& program, const baton::node& record) const -> baton::report::undelegated_reason {
    return baton::report::computed_by_kernels(reasons_(program, record), baton::choose_kernel(kernels, program, record).support);
  }

 private:
  baton::report::verdict_reasons<baton::node_verdict> reasons_;
};

}  // namespace choices
