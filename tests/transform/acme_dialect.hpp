// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A user-defined pass that rejects models by a user-defined rule.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/static_program.hpp>

#include <cstdint>
#include <string_view>

template <>
struct baton::rule<"acme no_tangents"> {
  static constexpr std::string_view sentence = "acme no_tangents: a model for Acme must have no tangents; this one has; train it without";
  template <class Facts>
  static consteval void report() {
    static_assert(baton::always_false<Facts>, "acme no_tangents: a model for Acme must have no tangents; this one has; train it without");
  }
};

namespace acme {

/// A pass that fails if the program contains `Operator`.
template <baton::fixed_string Operator>
struct dialect {
  static constexpr std::string_view name = "acme_dialect";
  static constexpr auto run(const baton::program_view& program) -> baton::result<baton::exported_program> {
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      if (program.text(program.nodes[n].target) == std::string_view(Operator)) {
        return baton::broken_at<"acme no_tangents">(program, static_cast<baton::node_id>(n), "use sine");
      }
    }
    return baton::thaw(program);
  }
};

}  // namespace acme
