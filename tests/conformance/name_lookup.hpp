// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Lookup of nodes and values of a program by name. The first one with a name is returned.
#pragma once

#include <baton/core/program.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace conformance {

constexpr auto node_named(const baton::program_view& program, std::string_view name) -> baton::node_id {
  for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
    if (program.text(program.nodes[n].name) == name) return static_cast<baton::node_id>(n);
  }
  return baton::none<baton::node_id>;
}
constexpr auto value_named(const baton::program_view& program, std::string_view name) -> baton::value_id {
  for (std::uint32_t v = 0; v < program.values.size(); ++v) {
    if (program.text(program.values[v].name) == name) return static_cast<baton::value_id>(v);
  }
  return baton::none<baton::value_id>;
}

}  // namespace conformance
