// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An executor that runs several methods of a model, one at a time, in one arena. The methods may share states.
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
#include <baton/run/detail/checked_arguments.hpp>
#include <baton/run/detail/method_context.hpp>
#include <baton/run/detail/slice_position.hpp>
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
  bool are_initialized = false;  ///< true if the states with initial data are initialized
};
template <>
struct states_record<false> {};

template <class States, class Kernels, plan_options Options, class Services, class Indices>
class methods_runner;

/// The executors of several methods, and the arena that they share. `States` is a `static_method_states`.
template <class States, class Kernels, plan_options Options, class... Services, std::size_t... M>
class methods_runner<States, Kernels, Options, services_of_methods<Services...>, std::index_sequence<M...>>
    : basic_executor<
          typename States::template program<M>{}, Kernels{}, Options,
          method_context<methods_runner<States, Kernels, Options, services_of_methods<Services...>, std::index_sequence<M...>>, States, M>,
          Services...>... {
  template <auto, auto, plan_options, class...>
  friend class baton::basic_executor;
  template <class, class>
  friend class executor_memory;

 public:
  template <std::size_t I>
  using executor =
      basic_executor<typename States::template program<I>{}, Kernels{}, Options, method_context<methods_runner, States, I>, Services...>;

  constexpr methods_runner() { require_no_failure<States::all.why>(); }

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

  /// Initializes the states before their first use, and returns their address. The states are at the start of the arena, and no other value
  /// overlaps them.
  auto states() -> char* {
    initialize_states();
    return arena_;
  }
  void reset() {
    end_slices();
    std::memset(states(), 0, state_bytes);
    if constexpr (States::all.has_data) write_states(std::make_index_sequence<States::all.size>{});
  }

  /// Ends an inference in slices (see `in_slices`), even if it belongs to another method.
  void end_slices() {
    if constexpr (are_in_slices) position_.next = 0;
  }

 private:
  static constexpr bool are_in_slices = service_list<Services...>::are_in_slices;
  template <std::size_t I>
  static constexpr auto counted_nodes() -> std::size_t {
    return max_counted_nodes<checked_execution<typename States::template program<I>{}, Kernels{}, Options,
                                               method_context<methods_runner, States, I>, Services...>,
                             service_list<Services...>::max_operations>();
  }

  auto arena() -> char* { return arena_; }
  auto arena() const -> const char* { return arena_; }
  auto position() -> auto& { return position_; }

  /// Initializes the states before the first run of any method. A state that several methods share is initialized with the data of the
  /// first of these methods.
  void initialize_states() {
    if constexpr (States::all.has_data) {
      if (std::exchange(states_.are_initialized, true)) return;
      write_states(std::make_index_sequence<States::all.size>{});
    }
  }
  template <std::size_t... I>
  void write_states(std::index_sequence<I...>) {
    (write_state<I>(), ...);
  }
  template <std::size_t I>
  void write_state() {
    constexpr auto state = States::all.states[I];
    if constexpr (state.is_first) {
      state_data<typename States::template program<state.method>, state.buffer, typename States::programs>::write(arena_ + state.offset);
    }
  }

  alignas(Options.alignment) char arena_[arena_bytes == 0 ? 1 : arena_bytes] = {};
  [[no_unique_address]] states_record<States::all.has_data> states_;
  [[no_unique_address]] std::conditional_t<are_in_slices, slice_position<std::max({counted_nodes<M>()...})>, no_slice_position> position_;
};

/// Returns plan options with an alignment that is sufficient for the backends of the program. For an invalid program, returns `options`
/// unchanged.
template <class Program>
constexpr auto aligned_for(plan_options options) -> plan_options {
  if constexpr (Program::is_valid) {
    using backend_types = typename Program::backend_types;
    options.alignment = needs_of_backends(backend_types{}, Program::value()).max_alignment(options.alignment);
  }
  return options;
}

/// Returns plan options with an alignment that is sufficient for the backends of all methods.
template <class... Names, class... Stages>
constexpr auto aligned_for_methods(static_methods<static_method<Names, Stages>...>, plan_options options) -> plan_options {
  ((options = aligned_for<static_program<Stages>>(options)), ...);
  return options;
}

}  // namespace detail

/// An executor of the methods of a model: `net.run<"prefill">(tokens, logits)`. Methods run one at a time, in one arena. The arena contains
/// the mutable buffers of all methods, and as many other bytes as the largest method needs. The executor itself uses no heap and no virtual
/// call. `methods_executor` is an alias of this class with the kernels of the target, `default_kernels`.
///
/// The inputs and outputs of a method are valid until another method runs; mutable buffers keep their values. With
/// `state_sharing::by_name`, mutable buffers with equal fully qualified names share memory, so `decode` reads the cache that `prefill`
/// filled (ExecuTorch's `share_mutable_buffers`). With `state_sharing::none`, each method has its own buffers, as with separate executors.
/// Buffers that a backend owns are never shared. Fails at compile time with the errors of the methods' executors, and with
/// `conflicting_state` or `unknown_method`.
template <auto Methods, auto Kernels, state_sharing Sharing = state_sharing::none, plan_options Options = plan_options{}, class... Services>
class basic_methods_executor {
  // Reports kernels whose header is not included. This happens before the executors of the methods are instantiated, so that the message
  // has a short include chain.
  using defined_kernels = decltype(detail::kernels_to_run<std::remove_const_t<decltype(Kernels)>>());

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
      require_no_failure<why>();
    }
    return position;
  }

 public:
  basic_methods_executor() = default;

  /// Rejects an arena at compile time, because an executor, unlike an interpreter, contains its arena. The message names the alternatives.
  template <class Arena, class... Size>
    requires detail::arena_arguments<Arena, Size...>
  explicit basic_methods_executor(Arena&&, Size&&...) {
    detail::refuse_arena<Arena>();
  }

  /// The size of the arena in bytes, including the states.
  static constexpr std::size_t arena_bytes = runner::arena_bytes;
  /// The size of the states in bytes. The size of each state is rounded up to the alignment of the arena.
  static constexpr std::size_t state_bytes = runner::state_bytes;

  /// Returns the executor of a method, which provides the method's inputs, outputs, options and failures.
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

  /// Resets every state to its initial value. Backend-private state is not reset.
  void reset() { runner_.reset(); }
  /// Copies all states to `to`. `restore` resumes from this copy.
  void save(std::span<char, state_bytes> to) {
    if constexpr (state_bytes != 0) std::memcpy(to.data(), runner_.states(), state_bytes);
  }
  /// Copies all states from `from`, which must have been written by `save` of an executor with the same methods, sharing and options.
  void restore(std::span<const char, state_bytes> from) {
    runner_.end_slices();
    if constexpr (state_bytes != 0) std::memcpy(runner_.states(), from.data(), state_bytes);
  }

  /// Calls `run` of the method's executor with `arguments`: none, an observer, or the tensors of the caller.
  template <fixed_string Name, class... Given>
  auto run(Given&&... arguments) {
    constexpr auto position = position_of<Name>();
    if constexpr (position < methods::size()) return runner_.template of<position>().run(std::forward<Given>(arguments)...);
  }

 private:
  runner runner_;
};

}  // namespace baton
