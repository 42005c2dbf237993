// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The methods of a model, run one at a time in one arena, with states that they may share.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rule.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/shared/unknown_method.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/shared/static_method_states.hpp>
#include <baton/plan/state_sharing.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/detail/arena_argument.hpp>
#include <baton/run/detail/method_context.hpp>
#include <baton/run/detail/state_data.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton {

namespace detail {

template <class... Services>
struct services_of_methods {};

template <bool IsThere>
struct states_record {
  bool have_begun = false;  ///< whether the states that begin with other bytes than zero have their values
};
template <>
struct states_record<false> {};

template <class States, class Kernels, plan_options Options, class Services, class Indices>
class methods_runner;

/// The executors of methods, and the arena in which they run; `States` are a `static_method_states`.
template <class States, class Kernels, plan_options Options, class... Services, std::size_t... M>
class methods_runner<States, Kernels, Options, services_of_methods<Services...>, std::index_sequence<M...>>
    : basic_executor<
          typename States::template program<M>{}, Kernels{}, Options,
          method_context<methods_runner<States, Kernels, Options, services_of_methods<Services...>, std::index_sequence<M...>>, States, M>,
          Services...>... {
  template <auto, auto, plan_options, class...>
  friend class baton::basic_executor;

 public:
  template <std::size_t I>
  using executor =
      basic_executor<typename States::template program<I>{}, Kernels{}, Options, method_context<methods_runner, States, I>, Services...>;

  constexpr methods_runner() { require_unbroken<States::all.why>(); }

  template <std::size_t I>
  constexpr auto of() -> executor<I>& {
    return *this;
  }
  template <std::size_t I>
  constexpr auto of() const -> const executor<I>& {
    return *this;
  }

  static constexpr std::size_t arena_bytes = std::max({executor<M>::arena_bytes...});
  static constexpr std::size_t state_bytes = States::all.bytes;

  /// The states, which have the first bytes of the arena to themselves.
  auto states() -> char* {
    begin();
    return arena_;
  }
  void reset() {
    std::memset(states(), 0, state_bytes);
    if constexpr (States::all.has_data) begin_states(std::make_index_sequence<States::all.size>{});
  }

 private:
  auto arena() -> char* { return arena_; }
  auto arena() const -> const char* { return arena_; }

  /// Before the first run of any method: states get the data that the first program has for them that knows them.
  void begin() {
    if constexpr (States::all.has_data) {
      if (std::exchange(states_.have_begun, true)) return;
      begin_states(std::make_index_sequence<States::all.size>{});
    }
  }
  template <std::size_t... I>
  void begin_states(std::index_sequence<I...>) {
    (begin_state<I>(), ...);
  }
  template <std::size_t I>
  void begin_state() {
    constexpr auto state = States::all.states[I];
    if constexpr (state.is_first) {
      state_data<typename States::template program<state.method>, state.buffer, typename States::programs>::write(arena_ + state.offset);
    }
  }

  alignas(Options.alignment) char arena_[arena_bytes == 0 ? 1 : arena_bytes] = {};
  [[no_unique_address]] states_record<States::all.has_data> states_;
};

/// The options of a plan of a static program, aligned for its backends, too. A program that could not be made needs nothing.
template <class Program>
constexpr auto aligned_for(plan_options options) -> plan_options {
  if constexpr (Program::is_valid) {
    using backend_types = typename Program::backend_types;
    options.alignment = needs_of_backends(backend_types{}, Program::value()).most_alignment(options.alignment);
  }
  return options;
}

/// The options of plans of methods that share an arena, aligned for the backends of all.
template <class... Names, class... Makes>
constexpr auto aligned_for_methods(static_methods<static_method<Names, Makes>...>, plan_options options) -> plan_options {
  ((options = aligned_for<static_program<Makes>>(options)), ...);
  return options;
}

}  // namespace detail

/// Runs the methods of a model, one at a time, in one arena that is as large as the largest of them needs: `net.run<"prefill">(tokens,
/// logits)`. What one method leaves in its inputs and outputs lasts until another runs; mutable buffers last. With
/// `state_sharing::by_name`, those of one fully qualified name are one memory, so that `decode` sees the cache that `prefill` filled
/// (ExecuTorch's `share_mutable_buffers`); else each method has its own, as methods with an `executor` each have. What a backend keeps of
/// buffers that its part owns stays its own. No heap, no virtual call. Errors, in the compiler: those of the methods' executors,
/// `conflicting_state`, `unknown_method`. `methods_executor` is this with the kernels of the target.
template <auto Methods, auto Kernels, state_sharing Sharing = state_sharing::apart, plan_options Options = plan_options{},
          class... Services>
class basic_methods_executor {
  using methods = std::remove_const_t<decltype(Methods)>;
  static constexpr plan_options options = detail::aligned_for_methods(methods{}, Options);
  using states = typename states_of_methods<methods, Sharing, options.alignment>::type;
  using runner = detail::methods_runner<states, std::remove_const_t<decltype(Kernels)>, options, detail::services_of_methods<Services...>,
                                        std::make_index_sequence<methods::size()>>;

  template <fixed_string Name>
  static consteval auto position_of() -> std::size_t {
    constexpr auto position =
        static_cast<std::size_t>(std::find(methods::names.begin(), methods::names.end(), std::string_view{Name}) - methods::names.begin());
    if constexpr (position == methods::size()) {
      constexpr static_failure why{unknown_method(Name, methods::names)};
      require_unbroken<why>();
    }
    return position;
  }

 public:
  basic_methods_executor() = default;

  /// Rejects an arena as constructor argument, as an interpreter takes one, with a message that names the alternatives.
  template <class Arena, class... Size>
    requires detail::arena_arguments<Arena, Size...>
  explicit basic_methods_executor(Arena&&, Size&&...) {
    detail::refuse_arena<Arena>();
  }

  /// Bytes of the one arena, and of the states in it.
  static constexpr std::size_t arena_bytes = runner::arena_bytes;
  static constexpr std::size_t state_bytes = runner::state_bytes;

  /// The executor of a method, for its inputs, outputs, options and failures.
  template <fixed_string Name>
  constexpr auto method() -> auto& {
    constexpr auto position = position_of<Name>();
    if constexpr (position < methods::size()) {
      return runner_.template of<position>();
    } else {
      return runner_;
    }
  }
  template <fixed_string Name>
  constexpr auto method() const -> const auto& {
    constexpr auto position = position_of<Name>();
    if constexpr (position < methods::size()) {
      return runner_.template of<position>();
    } else {
      return runner_;
    }
  }

  /// Gives all states what they began with, as if nothing had been run. What a backend keeps is its own, and stays.
  void reset() { runner_.reset(); }
  /// Copies all states to the caller's memory, to go on from there later.
  void save(std::span<char, state_bytes> to) {
    if constexpr (state_bytes != 0) std::memcpy(to.data(), runner_.states(), state_bytes);
  }
  /// Goes on from where `save` was called, on an executor of the same methods and options.
  void restore(std::span<const char, state_bytes> from) {
    if constexpr (state_bytes != 0) std::memcpy(runner_.states(), from.data(), state_bytes);
  }

  /// Runs a method, as its executor's `run` does: on what its inputs hold, with an observer, or from the user's memory to the user's.
  template <fixed_string Name, class... Given>
  auto run(Given&&... given) {
    constexpr auto position = position_of<Name>();
    if constexpr (position < methods::size()) return runner_.template of<position>().run(std::forward<Given>(given)...);
  }

 private:
  runner runner_;
};

}  // namespace baton
