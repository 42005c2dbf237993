// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What is made from programs of the compiler, as a constant of its own.
#pragma once

#include <baton/core/detail/carried_backends.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/embeds_model.hpp>
#include <baton/core/static_program.hpp>

#include <type_traits>

namespace baton {

namespace detail {

template <class First, class...>
struct first_type {
  using type = First;
};
template <class... Models>
concept first_is_embedded = embeds_model<typename first_type<Models...>::type::make>;

}  // namespace detail

/// What a step makes of static programs, as a constant of its own. `Step` is called with their views, and has no state; its members are
/// members of the stage. If one of the programs could not be made, neither is this, and nothing more is said.
template <class Step, class... Models>
struct stage : Step {
  using backend_types = typename decltype((detail::carried<typename Models::backend_types>{} + ... +
                                           detail::carried<typename detail::backends_of<Step>::type>{}))::type;
  static constexpr bool stages_are_valid = (Models::is_valid && ...);

  /// The array that the first of the programs was read from (`read_embedded`), of which data is a view.
  static constexpr auto embedded() -> const
      auto& requires(detail::first_is_embedded<Models...>) { return detail::first_type<Models...>::type::make::embedded(); }

  constexpr auto operator()() const -> result<exported_program> {
    if constexpr (stages_are_valid) {
      return Step{}(program_view(Models::value())...);
    } else {
      return exported_program{};
    }
  }
};

}  // namespace baton
