// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The ways to lower a model that the tools in this folder offer by name. One more is one more file in choices/, included here, and its name
// in the list. A file whose choice needs what is not everywhere says so in comment lines that the scripts read (`need_choice` in
// build.sh), and where that is not there, it makes the choice an `absent` one.
#pragma once

#include "absent_choice.hpp"
#include "choices/cmsis_nn.hpp"
#include "choices/cmsis_nn_by_cost.hpp"
#include "choices/ethos_u.hpp"
#include "choices/none.hpp"
#include "choices/npu.hpp"
#include "choices/xnnpack.hpp"

#include <baton/baton.hpp>
#include <baton/kernels/signal_kernels.hpp>

namespace choices {

/// Every kernel that there is: the tools do not know what a model needs, as its author does.
inline constexpr auto kernels = baton::portable_kernels + baton::signal_kernels;

template <class... Choices>
struct list {};
using all = list<none, npu, xnnpack, cmsis_nn, cmsis_nn_by_cost, ethos_u>;

/// What a report says of a node that stays: whether a portable kernel computes it, and what the choice's partitioner said of it.
template <class Choice>
class explanation {
 public:
  explicit explanation(const baton::exported_program& given) : reasons_(Choice::verdicts(given)) {}

  auto operator()(const baton::program_view& program, const baton::node& record) const -> baton::report::stay {
    return baton::report::computed_by_kernels(reasons_(program, record), baton::choose_kernel(kernels, program, record).found);
  }

 private:
  baton::report::verdict_reasons<baton::node_verdict> reasons_;
};

}  // namespace choices
