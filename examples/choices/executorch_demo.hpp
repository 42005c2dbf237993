// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A choice of the tools: the demo backends of ExecuTorch, for programs that ExecuTorch has lowered to them.
#pragma once

#include "../executorch_demo/demo_backends.hpp"

#include <baton/baton.hpp>

#include <string_view>

namespace choices {

/// Delegates nothing. The delegates of the file are executed by the backends with their ids.
struct executorch_demo {
  static constexpr std::string_view name = "executorch_demo";
  using nothing = baton::by_support<::executorch_demo::compiler_demo, baton::no_support>;
  template <class Program>
  static constexpr auto lower(const Program& program) {
    return baton::to_backend(::executorch_demo::all, baton::transform(program, baton::default_passes), nothing{});
  }
  static auto verdicts(const baton::exported_program& program) -> baton::vector<baton::node_verdict> {
    return baton::value_or_raise(baton::verdicts_of(program, nothing{}));
  }
};

}  // namespace choices
