// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Says where in a program a rule was broken.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>

namespace baton {

/// The failure with the node's place, name and operator filled in; index, name and operator are what a person looks for.
constexpr auto locate(failure why, const program_view& program, node_id at) -> failure {
  why.node = index(at);
  why.node_name = join(program.text(program[at].name));
  why.op = join(program.text(program[at].target));
  return why;
}

/// A failure of a rule at a node, with a reason made of text and numbers.
template <fixed_string Rule, class... Parts>
constexpr auto broken_at(const program_view& program, node_id at, Parts... reason) -> failure {
  return locate(broken<Rule>(reason...), program, at);
}

}  // namespace baton
