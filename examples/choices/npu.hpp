// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A choice of the tools: the example backend.
#pragma once

#include "../npu/npu.hpp"

#include <baton/baton.hpp>

#include <string_view>

namespace choices {

/// Uses the partitioner of the backend.
struct npu {
  static constexpr std::string_view name = "npu";
  template <class Program>
  static constexpr auto lower(const Program& program) {
    return baton::to_backend(baton::backends<npu_example::npu>, program, npu_example::npu_partitioner{});
  }
  static auto verdicts(const baton::exported_program& program) -> baton::vector<baton::node_verdict> {
    return baton::value_or_raise(baton::verdicts_of(program, npu_example::npu_partitioner{}));
  }
};

}  // namespace choices
