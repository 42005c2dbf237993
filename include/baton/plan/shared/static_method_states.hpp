// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The locations of the states of methods, as constants.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/methods.hpp>
#include <baton/plan/shared/backend_needs.hpp>
#include <baton/plan/shared/method_states.hpp>
#include <baton/plan/shared/pinned_states.hpp>
#include <baton/plan/shared/static_execution.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>

namespace baton {

namespace detail {

/// The name and the program of a method, as types.
template <class Name, class Program>
struct named_program {
  using name = Name;
  using program = Program;
};

}  // namespace detail

/// The states of several static methods, computed as constants.
template <state_sharing Sharing, std::uint32_t Alignment, class... Methods>
struct static_method_states {
  static constexpr std::size_t count = sizeof...(Methods);
  using programs = std::tuple<typename Methods::program...>;
  template <std::size_t M>
  using program = typename std::tuple_element_t<M, std::tuple<Methods...>>::program;

  struct table {
    static_failure why{};
    std::uint64_t bytes = 0;
    bool has_data = false;  ///< whether a program has initial data for a state
    std::size_t size = 0;   ///< the number of used elements of `states`
    std::array<method_state, (std::size_t{0} + ... + detail::execution_limits(Methods::program::value()).states)> states{};
  };
  static consteval auto make_table() -> table {
    table result;
    if constexpr ((Methods::program::is_valid && ...)) {
      const std::array<method_with_states, count> described{describe<Methods>()...};
      const auto placed = plan_states(described, Sharing, Alignment);
      result.why = static_failure{placed.error};
      result.bytes = placed.value.bytes;
      for (const auto& state : placed.value.states) {
        result.has_data = result.has_data || described[state.method].program[state.buffer].data.size != 0;
        result.states[result.size++] = state;
      }
    }
    return result;
  }
  template <class Method>
  static constexpr auto describe() -> method_with_states {
    const program_view view = Method::program::value();
    using backends = typename Method::program::backend_types;
    return {to_text(typename Method::name{}), view, needs_of_backends(backends{}, view).runs_original};
  }
  static constexpr table all = make_table();

  /// The states of the method with index `M`, with their offsets in the arena (`pinned_state`), for the plan of the method.
  template <std::size_t M>
  static constexpr auto pinned_of = [] {
    constexpr auto size = [] {
      std::size_t matches = 0;
      for (std::size_t i = 0; i < all.size; ++i) matches += all.states[i].method == M ? 1U : 0U;
      return matches;
    }();
    std::array<pinned_state, size> states{};
    std::size_t at = 0;
    for (std::size_t i = 0; i < all.size; ++i) {
      if (all.states[i].method == M) states[at++] = {all.states[i].buffer, all.states[i].offset};
    }
    return states;
  }();
};

/// The type `static_method_states` for a list of static methods.
template <class Methods, state_sharing Sharing, std::uint32_t Alignment>
struct states_of_methods;
template <class... Names, class... Stages, state_sharing Sharing, std::uint32_t Alignment>
struct states_of_methods<static_methods<static_method<Names, Stages>...>, Sharing, Alignment> {
  static constexpr static_methods<static_method<Names, Stages>...> methods{};
  using type = static_method_states<Sharing, Alignment, detail::named_program<Names, decltype(methods[Names{}])>...>;
};

}  // namespace baton
