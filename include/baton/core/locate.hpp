// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Adds the index, name and operator of a node to a failure.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>

namespace baton {

/// Returns `why` with the index, name and operator of the node `at`, so that a person can find the node.
constexpr auto locate(failure why, const program_view& program, node_id at) -> failure {
  why.node = index(at);
  why.node_name = join(program.text(program[at].name));
  why.op = join(program.text(program[at].target));
  return why;
}

/// Returns a failure of the rule `Rule` at the node `at`. The reason is the concatenation of the arguments `reason`: texts and integers.
template <fixed_string Rule, class... Parts>
constexpr auto broken_at(const program_view& program, node_id at, Parts... reason) -> failure {
  return locate(broken<Rule>(reason...), program, at);
}

}  // namespace baton
