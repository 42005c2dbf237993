// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A static program that is computed from other static programs.
#pragma once

#include <baton/core/detail/carried_backends.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/embeds_model.hpp>
#include <baton/core/shared/pool_sizes.hpp>
#include <baton/core/static_program.hpp>

#include <cstdint>
#include <type_traits>

namespace baton {

namespace detail {

template <class First, class...>
struct first_type {
  using type = First;
};
template <class... Models>
concept first_is_embedded = embeds_model<typename first_type<Models...>::type::stage_type>;

/// Adds room for the records of a step that replaces each of `nodes` nodes by several nodes. Unused records cost the compiler less time
/// than a second evaluation of the step (see `room_for`).
constexpr void add_room_of_growth(pool_sizes& sizes, std::uint32_t nodes) {
  sizes[position_of(&program_view::nodes)] += 4 * nodes;
  sizes[position_of(&program_view::values)] += sizes[position_of(&program_view::values)] + 2 * nodes;
  sizes[position_of(&program_view::operands)] += 8 * nodes;
  sizes[position_of(&program_view::attributes)] += 8 * nodes;
  sizes[position_of(&program_view::integers)] += 3 * sizes[position_of(&program_view::integers)] + 8 * nodes;
}

}  // namespace detail

/// The stage of a static program (the callable that computes it), if the program is computed from other static programs. `Step` is a
/// stateless callable, which receives views of these programs. The stage inherits the members of `Step`. If any of the programs is invalid,
/// the stage is also invalid, but causes no further diagnostics.
template <class Step, class... Models>
struct stage : Step {
  using backend_types = typename decltype((detail::list_constant<typename Models::backend_types>{} + ... +
                                           detail::list_constant<typename detail::backends_of<Step>::type>{}))::type;
  static constexpr bool stages_are_valid = (Models::is_valid && ...);

  /// Returns the array from which the first program was read (`read_embedded`). The data of the first program are views of this array. If
  /// the stage keeps these data, the data of its program are also views of the array.
  static constexpr auto embedded() -> const
      auto& requires(detail::first_is_embedded<Models...>) { return detail::first_type<Models...>::type::stage_type::embedded(); }

  /// Returns the pool sizes of the first program, with one more integer for each node. The additional integers are for folded handles (the
  /// debug handles of nodes that passes merged into another node, see `node::folded_handles`). `Step::rarely_grows` states whether the
  /// program of the step rarely exceeds these sizes (see `room_for`). If `Step::rarely_grows` is false, the sizes have room for a step that
  /// replaces each node by several nodes (`add_room_of_growth`).
  static constexpr auto expected_sizes() -> pool_sizes
    requires requires { Step::rarely_grows; }
  {
    pool_sizes sizes{};
    if constexpr (stages_are_valid) {
      sizes = sizes_of(detail::first_type<Models...>::type::value());
      const auto nodes = sizes[detail::position_of(&program_view::nodes)];
      sizes[detail::position_of(&program_view::integers)] += nodes;
      if (!Step::rarely_grows) detail::add_room_of_growth(sizes, nodes);
    }
    return sizes;
  }

  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (stages_are_valid) {
      return Step{}(program_view(Models::value())...);
    } else {
      return exported_program{};
    }
  }
};

}  // namespace baton
