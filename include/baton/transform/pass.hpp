// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The pass concept: what makes a program of a program that means the same.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>

#include <string_view>

namespace baton {

namespace archetypes {

/// The smallest pass: it changes nothing.
struct pass {
  static constexpr std::string_view name = "nothing";
  static constexpr auto run(const program_view& program) -> exported_program { return thaw(program); }
};

}  // namespace archetypes

/// A pass rewrites a program: before it is partitioned, between two partitioners, or when it has been lowered.
/// - `static constexpr std::string_view name`: its name, for people
/// - `static constexpr auto run(const baton::program_view& program) -> baton::exported_program` (a `result` of one from a pass that may
///   fail)
/// Laws: what it makes is well-formed, and has the placeholders for users, the outputs and the states of what it was given; it gives the
/// same outputs; done twice it does no more than once; a node that stays, or takes another's place, keeps the debug handle; the handle of a
/// node on which an output depends, and that goes, stands on another (`node::folded_handles`). The program it
/// was given need not outlive what it makes; bytes outside must. `tests/laws/pass.hpp` holds the laws.
/// Models: `fold_constants`, `remove_no_ops`, `fold_padding`, `dead_channels`. A pass that changes nodes is written with a `rewriter`. What
/// only decides who computes a node is no pass but a partitioner.
template <class T>
concept pass = requires(const program_view& program) {
  std::string_view{T::name};
  result<exported_program>{T::run(program)};
};
static_assert(pass<archetypes::pass>);

namespace detail {

/// Stops the compiler with a sentence if a type is no pass.
template <class T>
consteval auto require_pass() -> bool {
  constexpr bool it_has_a_name = requires { std::string_view{T::name}; };
  constexpr bool it_takes_a_program = requires(const program_view& program) { T::run(program); };
  static_assert(it_has_a_name, "baton not_a_pass: a pass has no name; write: static constexpr std::string_view name = \"...\";");
  static_assert(it_takes_a_program,
                "baton not_a_pass: a pass has no run; write: static constexpr auto run(const baton::program_view& program) -> "
                "baton::exported_program");
  if constexpr (it_takes_a_program) {
    constexpr bool it_makes_a_program = requires(const program_view& program) { result<exported_program>{T::run(program)}; };
    static_assert(it_makes_a_program, "baton not_a_pass: run returns neither a baton::exported_program nor a baton::result of one");
  }
  return pass<T>;
}

}  // namespace detail

}  // namespace baton
