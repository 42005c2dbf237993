// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The ways to lower a model that the tools in this folder offer by name. One more is one more struct, and its name in the list at the end.
#pragma once

#include "npu/npu.hpp"

#include <baton/baton.hpp>

#include <string_view>
#include <utility>

namespace choices {

/// No backend: everything stays with the portable kernels.
struct none {
  static constexpr std::string_view name = "none";
  template <class Program>
  static constexpr auto lower(const Program& program) {
    return program;
  }
  static auto why_not(const baton::program_view&, const baton::node&) -> baton::text_buffer { return {}; }
};

/// The example backend, by its own partitioner.
struct npu {
  static constexpr std::string_view name = "npu";
  template <class Program>
  static constexpr auto lower(const Program& program) {
    return baton::to_backend(baton::backends<npu_example::npu>, program, npu_example::npu_partitioner{});
  }
  static auto why_not(const baton::program_view& program, const baton::node& record) -> baton::text_buffer {
    auto answer = npu_example::npu_support::supports(program, record);
    if (answer) return npu_example::npu_partitioner::why_left(program, baton::none<baton::node_id>);
    return std::move(answer.reason);
  }
};

template <class... Choices>
struct list {};
using all = list<none, npu>;

/// What a report says of a node that stays: whether a portable kernel computes it, and what the choice says of it.
template <class Choice>
auto explain(const baton::program_view& program, const baton::node& record) -> baton::report::stay {
  const auto kernel = baton::choose_kernel(baton::portable_kernels, program, record).found;
  auto why_not = Choice::why_not(program, record);
  if (kernel) return {baton::join("portable kernels"), std::move(why_not)};
  if (!why_not.empty()) baton::append(why_not, "; ");
  return {baton::join("nobody"), baton::append(baton::append(why_not, "portable kernels: "), baton::view(kernel.reason))};
}

}  // namespace choices
