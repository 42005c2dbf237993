// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Programs of the compiler one after the other: what a step makes of them is one again, and takes their backends along.
#pragma once

#include <baton/core/detail/carried_backends.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/embeds_model.hpp>
#include <baton/core/shared/static_failure.hpp>
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

/// What a step makes of a program of the compiler: `constexpr auto named = baton::then(lowered, [](const baton::program_view& program) {
/// ... });`. It returns an `exported_program` or a `result` of one. The backends of the program go along, which a lambda around it would
/// lose: `baton::static_program{[] { ... baton::thaw(lowered.value()) ... }}` has delegates that no executor finds backends for.
template <class Make, class Step>
constexpr auto then(static_program<Make>, Step) {
  static_assert(std::is_empty_v<Step>, "baton then: a step has no state; pass a lambda without captures");
  if constexpr (std::is_empty_v<Step>) {
    return static_program<stage<Step, static_program<Make>>>{};
  } else {
    return static_program<Make>{};
  }
}

}  // namespace baton
