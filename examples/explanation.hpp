// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The reasons why nodes are not delegated, for the reports of the tools.
#pragma once

#include "all_kernels.hpp"

#include <baton/baton.hpp>
#include <baton/kernel.hpp>
#include <baton/report.hpp>

#include <algorithm>

namespace choices {

/// True if a value of a program has a quantization.
inline auto is_quantized(const baton::program_view& program) -> bool {
  return std::any_of(program.values.begin(), program.values.end(), [](const auto& each) { return each.quant.channels != 0; });
}

/// For each node that is not delegated, states whether a portable kernel computes it, and the reason of the choice's partitioner. For a
/// node of a quantized model that computes in float32, also states why, if the model has the operators of another file format.
template <class Choice>
class explanation {
 public:
  explicit explanation(const baton::exported_program& imported)
      : reasons_(Choice::verdicts(imported)),
        is_legalized_(baton::legalize::is_needed(imported)) {}

  auto operator()(const baton::program_view& program, const baton::node& record) const -> baton::report::undelegated_reason {
    auto result = baton::report::computed_by_kernels(reasons_(program, record), baton::choose_kernel(kernels, program, record).support);
    if (is_legalized_ && is_quantized(program))
      result.float_reason = baton::join(baton::float_reason(program, static_cast<baton::node_id>(&record - program.nodes.data())));
    return result;
  }

 private:
  baton::report::verdict_reasons<baton::node_verdict> reasons_;
  bool is_legalized_;
};

}  // namespace choices
