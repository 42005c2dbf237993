// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The reasons why partitioners did not assign nodes to a backend, for reports.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/sort.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/report/text.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace baton::report {

/// A callable that explains to `survey_of` and `partition_table` why a node is not delegated. The reasons come from the verdicts that
/// `verdicts_of` returned before lowering. The callable identifies nodes of a lowered program, including nodes of branches and loop bodies,
/// by their debug handles. A debug handle is a number that identifies a node of the model. Nodes without a debug handle have no reason. The
/// call operator returns an `undelegated_reason` whose `computed_by` is empty; `computed_by_kernels` sets it. Example: `survey_of(lowered,
/// verdict_reasons(verdicts_of(model, my_partitioner{})))`. For several partitioners, pass `in_order(...)` to `verdicts_of`.
template <class Verdict>
class verdict_reasons {
 public:
  constexpr explicit verdict_reasons(vector<Verdict> verdicts) : verdicts_(std::move(verdicts)) {
    for (std::uint32_t i = 0; i < verdicts_.size(); ++i) by_handle_.push_back(i);
    sort(by_handle_.begin(), by_handle_.end(),
         [this](std::uint32_t a, std::uint32_t b) { return handle(a) != handle(b) ? handle(a) < handle(b) : a < b; });
  }

  /// Raises the failure of `verdicts_of` if `verdicts` is a failure.
  constexpr explicit verdict_reasons(result<vector<Verdict>> verdicts) : verdict_reasons(value_or_raise(std::move(verdicts))) {}

  constexpr auto operator()(const program_view&, const node& record) const -> undelegated_reason {
    const auto at = std::lower_bound(by_handle_.begin(), by_handle_.end(), record.debug_handle,
                                     [this](std::uint32_t a, std::int64_t sought) { return handle(a) < sought; });
    undelegated_reason explanation;
    if (record.debug_handle == 0) return explanation;  // 0 means that the node has no debug handle
    if (at != by_handle_.end() && handle(*at) == record.debug_handle) explanation.reason = verdicts_[*at].reason;
    return explanation;
  }

 private:
  constexpr auto handle(std::uint32_t i) const -> std::int64_t { return verdicts_[i].debug_handle; }

  vector<Verdict> verdicts_;
  vector<std::uint32_t> by_handle_;
};

/// Returns `explanation` with `computed_by` set to `by` if the kernels support the node. Otherwise sets `computed_by` to `no kernel`, and
/// appends the kernels' reason. `kernel` is the verdict of the kernels: `choose_kernel(portable_kernels, program, record).support`.
constexpr auto computed_by_kernels(undelegated_reason explanation, const verdict& kernel, std::string_view by = "portable kernels")
    -> undelegated_reason {
  explanation.computed_by = join(kernel ? by : std::string_view{"no kernel"});
  if (!kernel) {
    append(append(append(explanation.reason, explanation.reason.empty() ? "" : "; "), by), ": ");
    append(explanation.reason, view(kernel.reason));
  }
  return explanation;
}

}  // namespace baton::report
