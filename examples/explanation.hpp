// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Why a node stays, as the reports of the tools say it.
#pragma once

#include "all_kernels.hpp"

#include <baton/baton.hpp>
#include <baton/kernel.hpp>
#include <baton/report.hpp>

namespace choices {

/// What a report says of a node that stays: whether a portable kernel computes it, and what the choice's partitioner said of it.
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
