// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The executor: a static program as straight-line code, with an arena sized by the compiler.
#pragma once

// Before those that include it, so that the way to its messages is short.

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/static_failure.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/shared/archetype_call.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/plan/memory_plan.hpp>
#include <baton/plan/memory_policy.hpp>
#include <baton/plan/shared/chosen_schedule.hpp>
#include <baton/plan/shared/static_execution.hpp>
#include <baton/run/backend_life.hpp>
#include <baton/run/caller_arena.hpp>
#include <baton/run/detail/arena_argument.hpp>
#include <baton/run/detail/delegate_life.hpp>
#include <baton/run/detail/graph_runner.hpp>
#include <baton/run/detail/program_to_run.hpp>
#include <baton/run/detail/running_backends.hpp>
#include <baton/run/detail/service_list.hpp>
#include <baton/run/detail/signature.hpp>
#include <baton/run/detail/state_data.hpp>
#include <baton/run/detail/tensor_argument.hpp>
#include <baton/run/run_failure.hpp>
#include <baton/run/status.hpp>
#include <baton/run/tensor_info.hpp>
#include <baton/run/with_options.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton {

namespace detail {
template <class Program, class Kernels, plan_options Options, class... Services>
using execution_of = static_execution<Program, Kernels, Options, typename service_list<Services...>::setting,
                                      typename service_list<Services...>::policy, typename service_list<Services...>::order>;
}  // namespace detail

/// Runs a static program: the nodes of its root graph one after the other, each a kernel, a delegate call, or a branch or loop over other
/// graphs, all chosen by the compiler. No heap, no virtual call, no table walk, no work before the first inference; weights are read where
/// the model lies. The arena is a member, and nothing of an executor begins with other bytes than zero: at namespace scope it lies in .bss,
/// unless its constructor is given options. What has other defaults (options, mutable buffers) gets them from read-only memory at the first
/// run. Where a backend can fail, `init` and `run` return a `status`, and `failed` tells of what; where none can, they return nothing.
/// Services are types: a loader of blobs, a source of named data, a tracer of events, options to begin with (`initial_options`), memory
/// of the caller's (`in_arena`, `in_regions`), a policy that plans the memory (`planned_by`), one that puts nodes
/// in order (`scheduled_by`). Errors, in the compiler: those of `verify`,
/// `plan_execution` and `check_delegates`, `backend_without_execute`. Example: `baton::executor<lowered> net; net.run(input, output);`
/// (`executor` is this with the kernels of the target, `default_kernels`).
template <auto Program, auto Kernels, plan_options Options = plan_options{}, class... Services>
class basic_executor
    : detail::ending_life_of<
          detail::execution_of<decltype(detail::program_to_run<std::remove_const_t<decltype(Program)>>()),
                               decltype(detail::kernels_to_run<std::remove_const_t<decltype(Kernels)>>()), Options, Services...>,
          detail::service_list<Services...>> {
  using program_type = decltype(detail::program_to_run<std::remove_const_t<decltype(Program)>>());
  using execution =
      detail::execution_of<program_type, decltype(detail::kernels_to_run<std::remove_const_t<decltype(Kernels)>>()), Options, Services...>;
  using services = detail::service_list<Services...>;
  using caller_arena = typename services::caller_arena;
  using region_arena = typename services::region_arena;
  static constexpr bool runs_among_methods = !std::is_void_v<typename services::context_or_void>;
  static constexpr bool runs_in_caller_arena = !std::is_void_v<caller_arena>;
  static constexpr bool runs_in_regions = !std::is_void_v<region_arena>;
  using life = detail::delegate_life_of<execution, services>;
  using signature = detail::program_signature<program_type>;
  /// Whether there is a program; else the compiler has been stopped, and nothing more is said.
  static constexpr bool is_made = std::is_same_v<program_type, std::remove_const_t<decltype(Program)>>;
  static constexpr bool is_sound = is_made && !execution::outcome.why.broken && detail::require_running_backends<execution>();

 public:
  constexpr basic_executor() {
    static_cast<void>(program_type::value());
    require_unbroken<execution::outcome.why>();
    static_cast<void>(detail::require_running_backends<execution>());
    (check_service<Services>(), ...);
    static_assert(services::memories <= 1,
                  "baton executor: memory is given twice, or to a method, which has it already; remove one in_arena or in_regions");
    static_assert(services::policies <= 1, "baton executor: memory policies are given twice; remove one planned_by");
    static_assert(services::orders <= 1, "baton executor: schedule policies are given twice; remove one scheduled_by");
    if constexpr (is_sound && runs_in_caller_arena) {
      detail::check_caller_arena<caller_arena, arena_bytes, execution::outcome.alignment, execution::outcome.has_states>();
    } else if constexpr (is_sound && runs_in_regions) {
      detail::check_region_arena<region_arena, execution::outcome.alignment, execution::outcome.has_states>();
    }
  }

  /// The same with options for backends: `net{baton::with_options<my_npu>({.threads = 4})}`.
  template <class... Backends>
    requires(sizeof...(Backends) != 0)
  constexpr explicit basic_executor(const given_options<Backends>&... given) : basic_executor() {
    static_assert(((detail::times_in<Backends, Backends...> == 1) && ...),
                  "baton executor: options of a backend are given twice; remove one");
    (static_cast<void>(set_options(given)), ...);
  }

  /// Rejects an arena as constructor argument, as an interpreter takes one, with a message that names the alternatives.
  template <class Arena, class... Size>
    requires detail::arena_arguments<Arena, Size...>
  explicit basic_executor(Arena&&, Size&&...) : basic_executor() {
    detail::refuse_arena<Arena>();
  }

  /// Whether a backend of the program can fail.
  static constexpr bool can_fail = life::can_fail;
  /// What `run` returns: a `status` where a backend can fail, else nothing; and `init`, where taking up can.
  using run_result = std::conditional_t<life::can_fail, status, void>;
  using init_result = std::conditional_t<life::start_can_fail, status, void>;

  /// Takes up what has not been taken up of the delegates, in the order of their records, and stops at the first that fails; doing so again
  /// tries that one again. `run` does so where it has not been done. Programs whose backends have no `init` have nothing to do.
  auto init() -> init_result {
    const bool began = start();
    if constexpr (life::start_can_fail) return began ? status::ok : failed().code;
  }

  /// The last failure; of a program that cannot fail there is none.
  auto failed() const -> run_failure { return life::failed(); }

  /// The options of a backend, which may be changed between runs.
  template <class Backend>
  constexpr auto options() -> options_of<Backend>& {
    if constexpr (has_options_of<Backend>()) return life::template options<Backend>();
  }
  template <class Backend>
  constexpr auto options() const -> const options_of<Backend>& {
    if constexpr (has_options_of<Backend>()) return life::template options<Backend>();
  }
  /// Calls `f(std::type_identity<Backend>, options)` for the backend of that id, if it takes options; whether a delegate of the program has
  /// that backend. For ids that only a run tells.
  template <class F>
  auto with_options_of(std::string_view backend_id, F f) -> bool {
    return life::with_backend_in_use(as_life(*this), backend_id, f);
  }
  template <class F>
  auto with_options_of(std::string_view backend_id, F f) const -> bool {
    return life::with_backend_in_use(as_life(*this), backend_id, f);
  }

  /// Bytes of the arena that are used, in both regions where it is split, and the most bytes that live at once.
  static constexpr std::size_t arena_bytes = execution::outcome.arena_bytes;
  static constexpr std::size_t lower_bound = execution::outcome.lower_bound;
  static constexpr std::size_t arena_alignment = execution::outcome.alignment;
  /// Bytes of what stays from run to run: the mutable buffers, one after the other, those that are one state once.
  static constexpr std::size_t state_bytes = execution::state_bytes();

  /// The memory plan of which the arena is a part, for reports; made again when it is called, where the executor itself has only its
  /// offsets.
  static constexpr auto plan() -> memory_plan { return execution::plan().value.memory; }

  static constexpr std::size_t input_count = signature::input_count();
  static constexpr std::size_t output_count = signature::output_count();

  /// The facts of a user input and of a user output, as constants: a `static_tensor_info`.
  template <std::size_t I = 0>
  static constexpr auto input_info() {
    return baton::input_info<Program, I>();
  }
  template <std::size_t I = 0>
  static constexpr auto output_info() {
    return baton::output_info<Program, I>();
  }
  /// The number of the input or output of that name: `net.input<net.input_index<"serving_default_x:0">()>()`. Errors: `unknown_tensor`.
  template <fixed_string Name>
  static consteval auto input_index() -> std::size_t {
    return detail::input_index<Program, Name>();
  }
  template <fixed_string Name>
  static consteval auto output_index() -> std::size_t {
    return detail::output_index<Program, Name>();
  }

  /// The bytes of a user input, to be filled before `run()`; a run may overwrite them.
  template <std::size_t I = 0>
  auto input() {
    if constexpr (is_made) {
      constexpr auto extent = signature::bytes_of(signature::user_input(I));
      return std::span<char, extent>{execution::memory_map::template writable<signature::user_input(I)>(arena()), extent};
    } else {
      return std::span<char>{};
    }
  }
  /// The bytes of a user output, valid until the next run.
  template <std::size_t I = 0>
  auto output() const {
    if constexpr (is_made) {
      constexpr auto extent = signature::bytes_of(signature::user_output(I));
      return std::span<const char, extent>{execution::memory_map::template output<I>(arena()), extent};
    } else {
      return std::span<const char>{};
    }
  }

  /// Gives the mutable buffers what they began with, as if nothing had been run. What a backend keeps is its own, and stays.
  void reset()
    requires(!runs_among_methods)
  {
    begin();
    for_states([](char* at, std::size_t bytes, auto data) {
      std::memset(at, 0, bytes);
      data.write(at);
    });
  }
  /// Copies the mutable buffers to the caller's memory: where a stream is, to go on with it later, or in another executor of the program,
  /// whatever its plan.
  void save(std::span<char, state_bytes> to)
    requires(!runs_among_methods)
  {
    begin();
    auto* next = to.data();
    for_states([&next](const char* at, std::size_t bytes, auto) {
      std::memcpy(next, at, bytes);
      next += bytes;
    });
  }
  /// Goes on from where `save` was called.
  void restore(std::span<const char, state_bytes> from)
    requires(!runs_among_methods)
  {
    begin();
    const auto* next = from.data();
    for_states([&next](char* at, std::size_t bytes, auto) {
      std::memcpy(at, next, bytes);
      next += bytes;
    });
  }

  /// One inference on what the inputs hold. The first failure ends it.
  auto run() -> run_result {
    return run([](auto) {});
  }

  /// One inference; `after(call)` is called for every node when it has run: a `node_call`, with its index, record and memory; an observer
  /// that has `before(call)`, too, is called before it does. Nodes of branches and loops are reported between the two of the node they lie
  /// in.
  template <class Observer>
    requires std::is_invocable_v<Observer, archetype_call>
  auto run(Observer&& after) -> run_result {
    bool went_on = true;
    if constexpr (is_sound) {
      if constexpr (!view().graphs.empty()) {
        detail::graph_runner<execution, basic_executor, std::remove_reference_t<Observer>> runner(*this, after);
        went_on = start() && runner.run(arena());
      }
    }
    if constexpr (life::can_fail) return went_on ? status::ok : failed().code;
  }

  /// One inference from the user's memory to the user's memory: the inputs in order, then the outputs in order. Each is an array, of
  /// several dimensions if you like, or a span of fixed extent, that has as many elements as the tensor, of the tensor's type: `float`,
  /// `double`, integers of the dtype's width and sign, `bool`; the bits of 16-bit and 8-bit floats as `std::uint16_t` and `std::uint8_t`.
  /// `std::byte` and `char` stand for raw bytes of any dtype: as many as the tensor has.
  template <class... Tensors>
    requires(sizeof...(Tensors) > 1 || (sizeof...(Tensors) == 1 && !(std::is_invocable_v<Tensors, archetype_call> || ...)))
  auto run(Tensors&&... tensors) -> run_result {
    if constexpr (takes_tensors<std::remove_reference_t<Tensors>...>()) {
      const auto all = std::forward_as_tuple(tensors...);
      detail::copy_in<signature>(*this, all, std::make_index_sequence<input_count>{});
      if constexpr (life::can_fail) {
        if (const auto code = run(); code != status::ok) return code;
        detail::copy_out<signature>(*this, all, std::make_index_sequence<output_count>{});
        return status::ok;
      } else {
        run();
        detail::copy_out<signature>(*this, all, std::make_index_sequence<output_count>{});
      }
    } else {
      return run_result();
    }
  }

 private:
  static constexpr auto as_life(life& self) -> life& { return self; }
  static constexpr auto as_life(const life& self) -> const life& { return self; }
  static constexpr auto view() -> program_view { return program_type::value(); }
  template <class... Tensors>
  static consteval auto takes_tensors() -> bool {
    if constexpr (is_sound) return detail::check_arguments<signature, Tensors...>();
    return false;
  }

  template <class, class, class>
  friend class detail::graph_runner;

  auto start() -> bool {
    if constexpr (runs_among_methods) static_cast<typename services::setting::owner&>(*this).begin();
    begin();
    return life::start();
  }
  /// Mutable buffers begin with the data that the program has for them; those of methods, when the first of these runs.
  void begin() {
    life::begin([&] {
      if constexpr (!runs_among_methods) for_states([](char* at, std::size_t, auto data) { data.write(at); });
    });
  }
  /// Calls `f(where it lies, its bytes, its first data)` for each state.
  template <class F>
  void for_states(F f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (for_state<I>(f), ...); }(std::make_index_sequence<execution::outcome.states>{});
  }
  template <std::size_t I, class F>
  void for_state(F& f) {
    constexpr auto state = execution::tables.states[I];
    if constexpr (execution::is_first_of_state(I)) {
      f(arena() + state.offset, std::integral_constant<std::size_t, signature::bytes_of(state.buffer)>::value,
        detail::state_data<program_type, state.buffer, typename execution::constant_programs>{});
    }
  }

  template <class Backend>
  static consteval auto has_options_of() -> bool {
    constexpr bool has_them = life::template has_options_of<Backend>;
    static_assert(
        has_them,
        "baton executor: options are given for a backend that the program does not use or that declares none; correct the backend");
    return has_them;
  }
  template <class Service>
  static constexpr void check_service() {
    detail::require_service<Service>();
    if constexpr (detail::is_planned_by<Service>) {
      [[maybe_unused]] constexpr bool is_policy = require_memory_policy<typename Service::policy>();
    }
    if constexpr (detail::is_scheduled_by<Service>) {
      [[maybe_unused]] constexpr bool is_policy = require_schedule_policy<typename Service::schedule>();
    }
    if constexpr (detail::is_initial_options<Service>) {
      static_cast<void>(has_options_of<typename Service::backend>());
      static_assert((std::size_t{0} + ... + (detail::is_initial_options_of<typename Service::backend, Services> ? 1 : 0)) == 1,
                    "baton executor: options of a backend are given twice; remove one");
    }
  }
  template <class Backend>
  constexpr void set_options([[maybe_unused]] const given_options<Backend>& given) {
    if constexpr (detail::backend_with_options<Backend>) {  // of one that declares none, `with_options` has said so
      if constexpr (has_options_of<Backend>()) life::template options<Backend>() = given.options;
    }
  }

  /// Where the memory of the root graph begins: here, with the owner of the methods among which this one runs, or with the caller.
  auto arena() -> char* { return arena_of(*this); }
  auto arena() const -> const char* { return arena_of(*this); }
  template <class Self>
  static auto arena_of(Self& self) {
    if constexpr (runs_among_methods) {
      using owner = typename services::setting::owner;
      return static_cast<std::conditional_t<std::is_const_v<Self>, const owner, owner>&>(self).arena();
    } else if constexpr (runs_in_caller_arena) {
      return caller_arena::begin();
    } else if constexpr (runs_in_regions) {
      return region_arena::template begin_of<memory_base::fast_region>();
    } else {
      return +self.memory_.bytes;
    }
  }

  struct memory {
    alignas(execution::outcome.alignment) char bytes[arena_bytes == 0 ? 1 : arena_bytes] = {};
  };
  struct no_memory {};
  [[no_unique_address]] std::conditional_t<services::memories != 0, no_memory, memory> memory_{};
};

}  // namespace baton
