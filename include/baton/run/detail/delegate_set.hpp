// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The delegates of an executor: their state, and the calls of their lifecycle functions.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/delegate_lifecycle.hpp>
#include <baton/run/detail/delegate_constants.hpp>
#include <baton/run/detail/delegate_record.hpp>
#include <baton/run/detail/service_list.hpp>
#include <baton/run/detail/signature.hpp>
#include <baton/run/events.hpp>
#include <baton/run/processed_bytes.hpp>
#include <baton/run/run_failure.hpp>
#include <baton/run/shared/lifecycle_functions.hpp>
#include <baton/run/status.hpp>
#include <baton/run/with_options.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// The facts of delegate `I` of `running_delegates`: its backend, its constants, and the lifecycle functions that it needs.
template <class Execution, class Services, std::size_t I>
struct delegate_traits {
  static constexpr auto running = running_delegates<Execution>::all[I];
  using constants = delegate_constants<Execution, running.id>;
  using backend = typename constants::backend;
  using loader = typename Services::loader;

  static constexpr auto loads() -> bool {
    if constexpr (std::is_void_v<loader>) {
      return false;
    } else if constexpr (requires(const processed_bytes::request& request) { loader::loads(request); }) {
      return loader::loads(constants::request());
    } else {
      return true;
    }
  }
  static constexpr bool is_loaded = loads();
  static constexpr bool has_init = backend_with_init<backend>;
  static constexpr bool has_availability_check = backend_asked_at_run_time<backend>;
  static constexpr bool has_external_named_data = has_init && !std::is_void_v<typename Services::source>;
  static constexpr bool keeps_processed_bytes = is_loaded || has_init;
  static constexpr bool has_start = keeps_processed_bytes || has_availability_check;
  static constexpr bool has_end = is_loaded || backend_with_destroy<backend>;
  static constexpr bool start_can_fail = is_loaded || has_availability_check || init_can_fail<backend> || has_external_named_data;
  static constexpr bool can_fail = start_can_fail || execute_can_fail<backend>;
};

inline constexpr no_options empty_options{};

/// Whether the executor initializes values before the first run: options, delegate states (`lazy_value::is_late`), or mutable buffers.
template <class Execution, class Services, class List, class Indices>
inline constexpr bool has_late_values = false;
template <class Execution, class Services, class... Backends, std::size_t... I>
inline constexpr bool has_late_values<Execution, Services, backend_list<Backends...>, std::index_sequence<I...>> =
    Execution::has_state_data() || (is_late_state<state_of<typename delegate_traits<Execution, Services, I>::backend>> || ...) ||
    ((running_delegates<Execution>::uses_backend(to_text(Backends::id)) &&
      lazy_value<options_of<Backends>, typename Services::template initial_options_of<Backends>>::is_late) ||
     ...);

template <class Execution, class Services, class List, class Indices>
class delegate_set;

/// The delegates of an executor. The class is empty if the delegates need no storage.
template <class Execution, class Services, class... Backends, std::size_t... I>
class delegate_set<Execution, Services, backend_list<Backends...>, std::index_sequence<I...>>
    : delegate_slot<delegate_traits<Execution, Services, I>, I>...,
      options_part<(backend_with_options<Backends> && running_delegates<Execution>::uses_backend(to_text(Backends::id))), Backends,
                   Services>...,
      start_record<(delegate_traits<Execution, Services, I>::has_start || ...)>,
      failure_record<(delegate_traits<Execution, Services, I>::can_fail || ...)>,
      initialization_record<has_late_values<Execution, Services, backend_list<Backends...>, std::index_sequence<I...>>> {
  template <std::size_t N>
  using traits = delegate_traits<Execution, Services, N>;
  template <class Backend>
  using slot_of_options = options_slot<Backend, typename Services::template initial_options_of<Backend>>;

 public:
  static constexpr bool has_start = (traits<I>::has_start || ...);
  static constexpr bool has_end = (traits<I>::has_end || ...);
  static constexpr bool can_fail = (traits<I>::can_fail || ...);
  static constexpr bool start_can_fail = (traits<I>::start_can_fail || ...);

  static constexpr bool is_late = has_late_values<Execution, Services, backend_list<Backends...>, std::index_sequence<I...>>;

  template <class Backend>
  static constexpr bool has_options_of = (std::is_same_v<Backend, Backends> || ...) && backend_with_options<Backend> &&
                                         running_delegates<Execution>::uses_backend(to_text(Backend::id));

  template <class Backend>
  constexpr auto options() -> options_of<Backend>& {
    auto& slot = static_cast<slot_of_options<Backend>&>(*this);
    slot.options.initialize();
    return slot.options.get();
  }
  template <class Backend>
  constexpr auto options() const -> const options_of<Backend>& {
    return static_cast<const slot_of_options<Backend>&>(*this).options.read();
  }
  /// Calls `f(std::type_identity<Backend>, options)` for the backend with the id `id`, if the program uses this backend and the backend
  /// declares options. Returns true if the program uses the backend.
  template <class Self, class F>
  static constexpr auto with_backend_in_use(Self& self, std::string_view id, F f) -> bool {
    return (with_one<Backends>(self, id, f) || ...);
  }

  /// Initializes options and delegate states before the first run. Also calls `initialize_buffers()`, which must initialize the mutable
  /// buffers.
  template <class F>
  void initialize_values([[maybe_unused]] F initialize_buffers) {
    if constexpr (is_late) {
      if (this->is_initialized) return;
      initialize_buffers();
      initialize_members();
    }
  }
  /// Initializes the delegates that are not yet initialized, in the order of the program's list of delegates. Stops at the first failure.
  /// Returns true if all delegates are initialized.
  auto init_delegates() -> bool {
    if constexpr (has_start) return (init_next<I>() && ...);
    return true;
  }
  /// Destroys the initialized delegates, in the order of the program's list of delegates.
  void destroy_delegates() {
    if constexpr (has_end) {
      if constexpr (is_late) initialize_members();
      (destroy_one<I>(), ...);
      if constexpr (has_start) this->initialized_count = 0;
    }
  }
  /// Executes a delegate call. Returns false if the call fails.
  template <std::uint32_t N, class Call>
  auto run_delegate(const Call& call, span<char> scratch) -> bool {
    constexpr auto at = running_delegates<Execution>::position(Call::record().delegate);
    return execute_on<at>(call, static_cast<node_id>(N), scratch, std::make_index_sequence<Call::record().inputs.size>{},
                          std::make_index_sequence<Call::record().outputs.size>{});
  }

  constexpr auto last_failure() const -> run_failure {
    if constexpr (can_fail) {
      return static_cast<const failure_record<true>&>(*this).failed.read();
    } else {
      return {};
    }
  }

 private:
  template <class Backend, class Self, class F>
  static constexpr auto with_one(Self& self, std::string_view id, F& f) -> bool {
    if (to_text(Backend::id) != id || !running_delegates<Execution>::uses_backend(id)) return false;
    if constexpr (has_options_of<Backend>) f(std::type_identity<Backend>{}, self.template options<Backend>());
    return true;
  }
  template <std::size_t N>
  auto processed_bytes_of() -> processed_bytes& {
    return static_cast<processed_bytes_slot<N, true>&>(*this).bytes;
  }
  template <std::size_t N, class F>
  auto with_state(F f) {
    using state = state_of<typename traits<N>::backend>;
    if constexpr (std::is_same_v<state, no_state>) {
      no_state none;
      return f(none);
    } else {
      return f(static_cast<state_slot<N, state>&>(*this).kept.get());
    }
  }
  template <class Backend>
  auto options_or_none() const -> const options_of<Backend>& {
    if constexpr (has_options_of<Backend>) {
      return static_cast<const slot_of_options<Backend>&>(*this).options.get();
    } else {
      return empty_options;
    }
  }

  void initialize_members() {
    this->is_initialized = true;
    (initialize_state<I>(), ...);
    (initialize_options<Backends>(), ...);
  }
  template <std::size_t N>
  void initialize_state() {
    using state = state_of<typename traits<N>::backend>;
    if constexpr (!std::is_same_v<state, no_state>) static_cast<state_slot<N, state>&>(*this).kept.initialize();
  }
  template <class Backend>
  void initialize_options() {
    if constexpr (has_options_of<Backend>) static_cast<slot_of_options<Backend>&>(*this).options.initialize();
  }

  /// Stores the failure if `code` is not `ok`. Returns true if `code` is `ok`.
  auto note(status code, run_failure::lifecycle_step step, node_id node, delegate_id delegate) -> bool {
    if (code == status::ok) return true;
    static_cast<failure_record<true>&>(*this).failed.set({code, step, node, delegate});
    return false;
  }
  template <std::size_t N>
  auto note(status code, run_failure::lifecycle_step step) -> bool {
    return note(code, step, traits<N>::running.node, traits<N>::running.id);
  }

  /// Sets the operation of the last failure to `operation`, which the backend has reported.
  void note_operation(std::int64_t operation) { static_cast<failure_record<true>&>(*this).failed.get().operation = operation; }

  /// Stores the failure that a key of named data is both in the executable image and in the external source. `entry` is the position of the
  /// key in the program's named data. Returns false.
  template <std::size_t N>
  auto note_duplicate_key(std::uint32_t entry) -> bool {
    static_cast<void>(note<N>(status::invalid_argument, run_failure::lifecycle_step::named_data));
    static_cast<failure_record<true>&>(*this).failed.get().named_data = entry;
    return false;
  }

  template <std::size_t At, class Call, std::size_t... In, std::size_t... Out>
  auto execute_on(const Call& call, node_id node, span<char> scratch, std::index_sequence<In...>, std::index_sequence<Out...>) -> bool {
    using signature = program_signature<typename Execution::program_type>;
    const std::array<span<const char>, sizeof...(In)> inputs{span<const char>{
        call.template input<In>(), std::integral_constant<std::size_t, signature::bytes_of(Call::input_id(In))>::value}...};
    const std::array<span<char>, sizeof...(Out)> outputs{
        span<char>{call.template output<Out>(), std::integral_constant<std::size_t, signature::bytes_of(Call::output_id(Out))>::value}...};
    return execute<At>(delegate_call{{}, inputs, outputs, scratch}, node);
  }
  template <std::size_t N>
  auto execute(delegate_call call, [[maybe_unused]] node_id at) -> bool {
    using backend = typename traits<N>::backend;
    if constexpr (traits<N>::keeps_processed_bytes) {
      call.processed_bytes = processed_bytes_of<N>().bytes();
    } else {
      call.processed_bytes = traits<N>::constants::processed_bytes();
    }
    if constexpr (executes_plain_call<backend>) {
      return execute_in<N>(call, at);
    } else {
      using context = execution_context_for<typename Services::tracer, backend>;
      const context context_of_call{{call, method_constants<Execution>::name(), options_or_none<backend>()}, at, traits<N>::running.id};
      if constexpr (executes_part_call<backend>) {
        return execute_in<N>(part_call<typename traits<N>::constants::part, context>{context_of_call}, at);
      } else {
        return execute_in<N>(context_of_call, at);
      }
    }
  }

  template <std::size_t N, class Context>
  auto execute_in(const Context& context, [[maybe_unused]] node_id at) -> bool {
    using backend = typename traits<N>::backend;
    return with_state<N>([&](auto& state) {
      if constexpr (execute_can_fail<backend>) {
        if (note(call_execute<backend>(context, state), run_failure::lifecycle_step::execution, at, traits<N>::running.id)) return true;
        if constexpr (!executes_plain_call<backend>) note_operation(context.failed_operation);
        return false;
      } else {
        call_execute<backend>(context, state);
        return true;
      }
    });
  }

  template <std::size_t N>
  auto init_next() -> bool {
    if (this->initialized_count > N) return true;
    if (!start_one<N>()) return false;
    this->initialized_count = N + 1;
    return true;
  }
  template <std::size_t N>
  auto start_one() -> bool {
    using backend = typename traits<N>::backend;
    if constexpr (traits<N>::has_availability_check) {
      if (!backend::is_available()) return note<N>(status::not_found, run_failure::lifecycle_step::availability);
    }
    if constexpr (traits<N>::is_loaded) {
      if (!load<N>()) return false;
    } else if constexpr (traits<N>::keeps_processed_bytes) {
      processed_bytes_of<N>().hold({traits<N>::constants::processed_bytes()});
    }
    if constexpr (traits<N>::has_init) {
      if (init<N>()) return true;
      processed_bytes_of<N>().release();
      return false;
    }
    return true;
  }
  template <std::size_t N>
  auto load() -> bool {
    constexpr auto request = traits<N>::constants::request();
    const status_or<processed_bytes::loaded> loaded = traits<N>::loader::load(request);
    if (!loaded) return note<N>(loaded.code, run_failure::lifecycle_step::loading);
    processed_bytes_of<N>().hold(loaded.value);
    const auto address = reinterpret_cast<std::uintptr_t>(loaded.value.bytes.data());
    if (loaded.value.bytes.size() >= request.size && address % request.alignment == 0) return true;
    processed_bytes_of<N>().release();
    return note<N>(status::access_failed, run_failure::lifecycle_step::loading);
  }
  template <std::size_t N>
  auto init() -> bool {
    using backend = typename traits<N>::backend;
    using constants = typename traits<N>::constants;
    named_data_map::external_source external = nullptr;
    if constexpr (traits<N>::has_external_named_data) {
      external = +[](std::string_view key) -> status_or<span<const char>> { return Services::source::find_named_data(key); };
      for (std::size_t i = 0; i < constants::named.size(); ++i) {
        if (external(constants::named[i].key)) return note_duplicate_key<N>(constants::positions_of_named[i]);
      }
    }
    using context_type = init_context_for<typename Services::tracer, backend>;
    context_type context{{processed_bytes_of<N>(),
                          constants::specs,
                          method_constants<Execution>::name(),
                          {constants::named, external},
                          options_or_none<backend>()},
                         traits<N>::running.node,
                         traits<N>::running.id};
    return with_state<N>([&](auto& state) {
      if constexpr (init_can_fail<backend>) {
        if (note<N>(call_init<backend>(context, state), run_failure::lifecycle_step::init)) return true;
        note_operation(context.failed_operation);
        return false;
      } else {
        call_init<backend>(context, state);
        return true;
      }
    });
  }
  template <std::size_t N>
  void destroy_one() {
    using backend = typename traits<N>::backend;
    if constexpr (has_start) {
      if (this->initialized_count <= N) return;
    }
    if constexpr (lifecycle_functions<backend>::has_destroy)
      with_state<N>([](auto& state) { lifecycle_functions<backend>::destroy(state); });
    if constexpr (traits<N>::is_loaded) processed_bytes_of<N>().release();
  }
};

/// A delegate set. If `HasEnd` is true, the destructor destroys the delegates.
template <class Set, bool HasEnd>
struct delegate_set_with_end : Set {};
template <class Set>
struct delegate_set_with_end<Set, true> : Set {
  constexpr delegate_set_with_end() = default;
  delegate_set_with_end(const delegate_set_with_end&) = delete;
  auto operator=(const delegate_set_with_end&) -> delegate_set_with_end& = delete;
  ~delegate_set_with_end() { this->destroy_delegates(); }
};

template <class Execution, class Services>
using delegate_set_of =
    delegate_set<Execution, Services, typename Execution::backend_types, std::make_index_sequence<running_delegates<Execution>::count>>;

template <class Execution, class Services>
using ending_delegate_set_of = delegate_set_with_end<delegate_set_of<Execution, Services>, delegate_set_of<Execution, Services>::has_end>;

}  // namespace baton::detail
