// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Passes for tests: one that keeps the laws, one that fails, and one that returns an invalid program.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/static_program.hpp>
#include <baton/operators/verify.hpp>

#include <cstddef>
#include <string_view>

namespace transform_tests {

/// Appends a letter to the name of every node, so that a test sees which passes have run and in which order.
template <char Letter>
struct signs {
  static constexpr std::string_view name = "signs";
  static constexpr auto run(const baton::program_view& program) -> baton::exported_program {
    auto result = baton::thaw(program);
    for (auto& record : result.nodes)
      record.name = baton::own_bytes(result, baton::view(baton::join(program.text(record.name), std::string_view{&letter, 1})));
    return result;
  }
  static constexpr char letter = Letter;
};

/// Fails at the first `aten.tan.default`.
struct refuses_tan {
  static constexpr std::string_view name = "refuses_tan";
  static constexpr auto run(const baton::program_view& program) -> baton::result<baton::exported_program> {
    for (std::size_t n = 0; n < program.nodes.size(); ++n) {
      if (program.nodes[n].is("aten.tan.default")) {
        return baton::broken_at<"malformed_operator">(program, static_cast<baton::node_id>(n), "no tangents");
      }
    }
    return baton::thaw(program);
  }
};

/// Removes the last node, so that its output is used but has no producer.
struct loses_a_node {
  static constexpr std::string_view name = "loses_a_node";
  static constexpr auto run(const baton::program_view& program) -> baton::exported_program {
    auto result = baton::thaw(program);
    result.nodes.pop_back();
    result.graphs[0].nodes.size -= 1;
    return result;
  }
};

/// Returns the names of a program's nodes, each followed by a space.
constexpr auto names_in(const baton::program_view& program) -> baton::text_buffer {
  baton::text_buffer names;
  for (const auto& record : program.nodes) baton::append(baton::append(names, program.text(record.name)), " ");
  return names;
}

}  // namespace transform_tests
