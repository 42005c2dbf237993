// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The memory of an executor: its arena with the states, and the position of an inference that runs in slices (calls of `step`, see
// `in_slices`).
#pragma once

#include <baton/plan/shared/memory_locations.hpp>
#include <baton/run/caller_arena.hpp>
#include <baton/run/detail/address_range.hpp>
#include <baton/run/detail/signature.hpp>
#include <baton/run/detail/slice_position.hpp>
#include <baton/run/detail/state_data.hpp>
#include <baton/run/detail/weight_copier.hpp>
#include <baton/run/run_time_weights.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// The memory of an executor. The arena is in this object, in the `basic_methods_executor` whose method the executor runs, or in memory of
/// the caller. The position of an inference in slices is in this object or in the `basic_methods_executor`. `Services` is a `service_list`.
template <class Execution, class Services>
class executor_memory {
  static constexpr bool is_of_method = !std::is_void_v<typename Services::context_or_void>;

 public:
  auto arena() -> char* { return arena_of(*this); }
  auto arena() const -> const char* { return arena_of(*this); }
  /// Returns the memory of `executor`, as a list of address ranges: the object itself, or the `basic_methods_executor` that contains it.
  /// The list also contains the used bytes of memory of the caller, and of the buffer of `copied_weights`. A bound buffer must not overlap
  /// these ranges.
  template <class Executor>
  static auto ranges_of(const Executor& executor) {
    constexpr auto& outcome = Execution::outcome;
    const auto with_copied_weights = [](auto... ranges) {
      using copier = weight_copier<Execution>;
      if constexpr (copier::has_copies) {
        return std::array{ranges..., range_at(copier::service::begin(), copier::buffer_bytes)};
      } else {
        return std::array{ranges...};
      }
    };
    if constexpr (is_of_method) {
      const auto& owner = owner_of(executor);
      return with_copied_weights(range_at(&owner, sizeof owner));
    } else if constexpr (!std::is_void_v<typename Services::caller_arena>) {
      return with_copied_weights(range_at(&executor, sizeof executor), range_at(Services::caller_arena::begin(), outcome.arena_bytes));
    } else if constexpr (!std::is_void_v<typename Services::region_arena>) {
      using regions = typename Services::region_arena;
      return with_copied_weights(range_at(&executor, sizeof executor),
                                 range_at(regions::template begin_of<memory_base::fast_region>(), outcome.used.fast),
                                 range_at(regions::template begin_of<memory_base::slow_region>(), outcome.used.slow));
    } else {
      return with_copied_weights(range_at(&executor, sizeof executor));
    }
  }

  /// True if the memory is promised to one executor (`for_one_executor`).
  static constexpr bool is_promised = [] {
    if constexpr (Services::memory_count == 1 && !is_of_method) return Services::caller_memory::is_promised;
    return false;
  }();
  /// If the memory is promised to one executor and has no owner, makes this executor the owner and writes the initial states. Returns false
  /// if another executor owns the memory.
  auto claim() -> bool {
    if constexpr (is_promised) {
      return Services::caller_memory::claim(this, [this] { write_initial_states(); });
    } else {
      return true;
    }
  }
  /// Writes the initial data of the states. Does nothing if the memory is promised to one executor, because `claim` then writes the states.
  void initialize_states() {
    if constexpr (!is_promised) for_states([](char* at, std::size_t, auto data) { data.write(at); });
  }
  // `reset_states`, `save_states` and `restore_states` do nothing if another executor owns the memory.

  /// Writes the initial values of all states.
  void reset_states() {
    if (claim()) write_initial_states();
  }
  /// Copies the states to `to`. `restore_states` copies them back.
  void save_states(char* to) {
    if (!claim()) return;
    for_states([&to](const char* at, std::size_t bytes, auto) {
      std::memcpy(to, at, bytes);
      to += bytes;
    });
  }
  void restore_states(const char* from) {
    if (!claim()) return;
    for_states([&from](char* at, std::size_t bytes, auto) {
      std::memcpy(at, from, bytes);
      from += bytes;
    });
  }

  /// Returns the position of an inference in slices (see `slice_position`).
  auto position() -> auto& {
    if constexpr (is_of_method) {
      return owner_of(*this).position();
    } else {
      return position_;
    }
  }
  /// True if an inference in slices of this executor is in progress.
  auto is_in_progress() -> bool { return position().next != 0 && position().method == method; }
  void begin_slices() { position() = {1, method}; }
  /// Ends an inference in slices, even if it belongs to another method.
  void end_slices() {
    if constexpr (Services::are_in_slices) position().next = 0;
  }

 private:
  static constexpr std::uint16_t method = [] {
    if constexpr (is_of_method) return Services::context_or_void::method;
    return std::uint16_t{0};
  }();

  void write_initial_states() {
    for_states([](char* at, std::size_t bytes, auto data) {
      std::memset(at, 0, bytes);
      data.write(at);
    });
  }
  /// Calls `f(address, bytes, data)` for each state. If several states have the same memory, calls `f` only for the first of them. `data`
  /// is a `state_data`, which writes the initial data.
  template <class F>
  void for_states(F f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (for_state<I>(f), ...); }(std::make_index_sequence<Execution::outcome.states>{});
  }
  template <std::size_t I, class F>
  void for_state(F& f) {
    constexpr auto state = Execution::tables.states[I];
    if constexpr (Execution::is_first_of_state(I)) {
      using program_type = typename Execution::program_type;
      f(Execution::memory_map::template memory<state.location>(arena()),
        std::integral_constant<std::size_t, program_signature<program_type>::bytes_of(state.buffer)>::value,
        state_data<program_type, state.buffer, typename Execution::constant_programs>{});
    }
  }

  template <class Self>
  static auto owner_of(Self& self) -> auto& {
    using owner = typename Services::setting::owner;
    return static_cast<std::conditional_t<std::is_const_v<Self>, const owner, owner>&>(self);
  }
  template <class Self>
  static auto arena_of(Self& self) {
    if constexpr (is_of_method) {
      return owner_of(self).arena();
    } else if constexpr (!std::is_void_v<typename Services::caller_arena>) {
      return Services::caller_arena::begin();
    } else if constexpr (!std::is_void_v<typename Services::region_arena>) {
      return Services::region_arena::template begin_of<memory_base::fast_region>();
    } else {
      return +self.memory_.bytes;
    }
  }

  struct memory {
    alignas(Execution::outcome.alignment) char bytes[Execution::outcome.arena_bytes == 0 ? 1 : Execution::outcome.arena_bytes] = {};
  };
  struct no_memory {};
  [[no_unique_address]] std::conditional_t<Services::memory_count != 0, no_memory, memory> memory_{};
  [[no_unique_address]] std::conditional_t<Services::are_in_slices && !is_of_method,
                                           slice_position<max_counted_nodes<Execution, Services::max_operations>()>, no_slice_position>
      position_{};
};

/// Fails at compile time if weights or memory of the caller do not fit the program or its plan. The memory is an arena, regions, or the
/// buffer of `copied_weights`. Also fails if memory of the caller cannot keep the states of the program (`check_promise`).
template <class Execution, class Services>
consteval void check_memory_of_caller() {
  check_weights<typename Services::weights, typename Execution::program_type, !std::is_void_v<typename Services::context_or_void>>();
  constexpr auto& outcome = Execution::outcome;
  if constexpr (!std::is_void_v<typename Services::caller_arena>) {
    constexpr bool fits = check_caller_arena<typename Services::caller_arena, outcome.arena_bytes, outcome.alignment>();
    if constexpr (fits) check_promise<typename Services::caller_memory, outcome.has_states, outcome.has_variables>();
  } else if constexpr (!std::is_void_v<typename Services::region_arena>) {
    constexpr bool fits = check_region_arena<typename Services::region_arena, outcome.alignment>();
    if constexpr (fits) check_promise<typename Services::caller_memory, outcome.has_states, outcome.has_variables>();
  }
  check_copied_weights<Execution>();
}

}  // namespace baton::detail
