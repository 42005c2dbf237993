// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Passes for tests: lawful ones, one that fails, ones that leave a broken program.
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

/// Puts a letter behind the name of every node, so that one sees who was there, and in which order.
template <char Letter>
struct signs {
  static constexpr std::string_view name = "signs";
  static constexpr auto run(const baton::program_view& program) -> baton::exported_program {
    auto made = baton::thaw(program);
    for (auto& record : made.nodes)
      record.name = baton::own_bytes(made, baton::view(baton::join(program.text(record.name), std::string_view{&letter, 1})));
    return made;
  }
  static constexpr char letter = Letter;
};

/// Fails at the first node of an operator.
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

/// Leaves out the last node, whose output is then used, but made by nobody.
struct loses_a_node {
  static constexpr std::string_view name = "loses_a_node";
  static constexpr auto run(const baton::program_view& program) -> baton::exported_program {
    auto made = baton::thaw(program);
    made.nodes.pop_back();
    made.graphs[0].nodes.size -= 1;
    return made;
  }
};

/// The names of a program's nodes, one after the other.
constexpr auto names_in(const baton::program_view& program) -> baton::text_buffer {
  baton::text_buffer names;
  for (const auto& record : program.nodes) baton::append(baton::append(names, program.text(record.name)), " ");
  return names;
}

}  // namespace transform_tests
