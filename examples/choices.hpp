// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The ways to lower a model that the tools in this folder offer by name. One more is one more struct, and its name in the list at the end.
#pragma once

#include "npu/npu.hpp"
#include "usual_passes.hpp"

#include <baton/baton.hpp>
#include <baton/kernels/signal_kernels.hpp>

#include <string_view>

namespace choices {

/// Every kernel that there is: the tools do not know what a model needs, as its author does.
inline constexpr auto kernels = baton::portable_kernels + baton::signal_kernels;

/// No backend: everything stays with the portable kernels, less what need not be computed.
struct none {
  static constexpr std::string_view name = "none";
  template <class Program>
  static constexpr auto lower(const Program& program) {
    return baton::transform(program, usual_passes);
  }
  static auto verdicts(const baton::exported_program&) -> baton::vector<baton::node_verdict> { return {}; }
};

/// The example backend, by its own partitioner.
struct npu {
  static constexpr std::string_view name = "npu";
  template <class Program>
  static constexpr auto lower(const Program& program) {
    return baton::to_backend(baton::backends<npu_example::npu>, program, npu_example::npu_partitioner{});
  }
  static auto verdicts(const baton::exported_program& given) -> baton::vector<baton::node_verdict> {
    return baton::value_or_raise(baton::verdicts_of(given, npu_example::npu_partitioner{}));
  }
};

template <class... Choices>
struct list {};
using all = list<none, npu>;

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
