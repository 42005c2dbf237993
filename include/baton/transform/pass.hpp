// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass concept: a rewrite of a program that preserves its meaning.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>

#include <string_view>

namespace baton {

namespace archetypes {

/// The smallest pass. Returns the program unchanged.
struct pass {
  static constexpr std::string_view name = "nothing";
  static constexpr auto run(const program_view& program) -> exported_program { return thaw(program); }
};

}  // namespace archetypes

/// A pass rewrites a program without changing its meaning. Passes can be applied before partitioning, between two partitioners, or after
/// lowering.
/// - `static constexpr std::string_view name`: the name of the pass in messages.
/// - `static constexpr auto run(const baton::program_view& program) -> baton::exported_program`: returns the rewritten program. A pass that
///   can fail returns `baton::result<baton::exported_program>`.
///
/// A pass may also have these members, which save compile time for static programs:
/// - `static constexpr auto is_needed(const baton::program_view& program) -> bool`: may return false only if the pass does not change
///   `program`.
/// - `static constexpr bool rarely_grows = true`: states that the pools (the flat arrays of a program) of most rewritten programs are not
///   larger than the pools of `program` (core/shared/pool_sizes.hpp).
///
/// Laws, checked by `tests/laws/pass.hpp`:
/// - The result is well-formed. The result has the user inputs, the outputs and the states of `program`, and computes the same outputs. A
///   state is a buffer that keeps its value from run to run.
/// - The pass is idempotent.
/// - A node that stays keeps its debug handle (the number that identifies a node of the model). A node that replaces another node takes the
///   debug handle of the replaced node. If an output of the program depends on a removed node, `node::folded_handles` of another node keeps
///   the debug handle of the removed node.
///
/// `program` need not outlive the result, but external bytes to which `program` refers must outlive the result. Examples: `fold_constants`,
/// `remove_no_ops`, `fold_padding`, `dead_channels`. Use a `rewriter` to change nodes. To decide only which backend computes a node, write
/// a partitioner instead.
template <class T>
concept pass = requires(const program_view& program) {
  std::string_view{T::name};
  result<exported_program>{T::run(program)};
};
static_assert(pass<archetypes::pass>);

namespace detail {

/// Returns whether `T` is a pass. Reports a compile-time error if `T` is not a pass.
template <class T>
consteval auto require_pass() -> bool {
  constexpr bool has_name = requires { std::string_view{T::name}; };
  constexpr bool accepts_program = requires(const program_view& program) { T::run(program); };
  static_assert(has_name, "baton not_a_pass: the pass type has no name; write: static constexpr std::string_view name = \"...\";");
  static_assert(
      accepts_program,
      "baton not_a_pass: the pass type has no function run; write: static constexpr auto run(const baton::program_view& program) -> "
      "baton::exported_program");
  if constexpr (accepts_program) {
    constexpr bool returns_program = requires(const program_view& program) { result<exported_program>{T::run(program)}; };
    static_assert(returns_program, "baton not_a_pass: run returns neither a baton::exported_program nor a baton::result of one");
  }
  return pass<T>;
}

}  // namespace detail

}  // namespace baton
