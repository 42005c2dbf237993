// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Tells a report why nodes stay: what their partitioners say.
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

/// What `survey_of` and `partition_table` ask of a node that stays, answered from what `verdicts_of` said before lowering; who computes it
/// is not known here. Nodes of a lowered program are known again by their debug handles, in branches too. Use:
/// `survey_of(lowered, verdict_reasons(verdicts_of(model, my_partitioner{})))`, or `in_order(...)` for the partitioner.
template <class Verdict>
class verdict_reasons {
 public:
  constexpr explicit verdict_reasons(vector<Verdict> verdicts) : verdicts_(std::move(verdicts)) {
    for (std::uint32_t i = 0; i < verdicts_.size(); ++i) by_handle_.push_back(i);
    sort(by_handle_.begin(), by_handle_.end(),
         [this](std::uint32_t a, std::uint32_t b) { return handle(a) != handle(b) ? handle(a) < handle(b) : a < b; });
  }

  /// Raises the failure, if there is one.
  constexpr explicit verdict_reasons(result<vector<Verdict>> verdicts) : verdict_reasons(value_or_raise(std::move(verdicts))) {}

  constexpr auto operator()(const program_view&, const node& record) const -> stay {
    const auto at = std::lower_bound(by_handle_.begin(), by_handle_.end(), record.debug_handle,
                                     [this](std::uint32_t a, std::int64_t sought) { return handle(a) < sought; });
    stay made;
    if (at != by_handle_.end() && handle(*at) == record.debug_handle) made.reason = verdicts_[*at].reason;
    return made;
  }

 private:
  constexpr auto handle(std::uint32_t i) const -> std::int64_t { return verdicts_[i].debug_handle; }

  vector<Verdict> verdicts_;
  vector<std::uint32_t> by_handle_;
};

/// Sets `computed_by` to `by` if the kernels support the node, else to `nobody`, and appends the kernels' reason. `kernel` is what the
/// kernels say of it: `choose_kernel(portable_kernels, program, record).support`.
constexpr auto computed_by_kernels(stay made, const verdict& kernel, std::string_view by = "portable kernels") -> stay {
  made.computed_by = join(kernel ? by : std::string_view{"nobody"});
  if (!kernel) {
    append(append(append(made.reason, made.reason.empty() ? "" : "; "), by), ": ");
    append(made.reason, view(kernel.reason));
  }
  return made;
}

}  // namespace baton::report
