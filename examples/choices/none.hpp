// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A choice of the tools: no backend.
#pragma once

#include <baton/baton.hpp>

#include <string_view>

namespace choices {

/// The portable kernels compute all nodes that the default passes do not remove.
struct none {
  static constexpr std::string_view name = "none";
  template <class Program>
  static constexpr auto lower(const Program& program) {
    return baton::transform(program, baton::default_passes);
  }
  static auto verdicts(const baton::exported_program&) -> baton::vector<baton::node_verdict> { return {}; }
};

}  // namespace choices
