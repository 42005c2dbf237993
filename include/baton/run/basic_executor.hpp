// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The executor: a static program as straight-line code, with an arena whose size is computed at compile time.
#pragma once

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
#include <baton/plan/weight_copies.hpp>
#include <baton/run/delegate_lifecycle.hpp>
#include <baton/run/detail/arena_argument.hpp>
#include <baton/run/detail/bound_addresses.hpp>
#include <baton/run/detail/checked_arguments.hpp>
#include <baton/run/detail/delegate_set.hpp>
#include <baton/run/detail/executor_memory.hpp>
#include <baton/run/detail/graph_runner.hpp>
#include <baton/run/detail/limited_slices.hpp>
#include <baton/run/detail/running_backends.hpp>
#include <baton/run/detail/service_list.hpp>
#include <baton/run/detail/signature.hpp>
#include <baton/run/detail/slice_runner.hpp>
#include <baton/run/detail/tensor_argument.hpp>
#include <baton/run/detail/weight_copier.hpp>
#include <baton/run/run_failure.hpp>
#include <baton/run/run_time_weights.hpp>
#include <baton/run/status.hpp>
#include <baton/run/tensor_info.hpp>
#include <baton/run/with_options.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace baton {

namespace detail {
template <auto Program, auto Kernels, plan_options Options, class... Services>
using checked_execution = execution_of<decltype(checked_program<std::remove_const_t<decltype(Program)>>()),
                                       decltype(kernels_to_run<std::remove_const_t<decltype(Kernels)>>()), Options, Services...>;
}  // namespace detail

/// An executor of a static program. The executor runs the nodes of the root graph in schedule order. For each node, the executor calls a
/// kernel or a delegate, or runs the graphs of a branch or loop. The code is selected at compile time. The executor itself uses no heap, no
/// virtual calls and no table of nodes. Kernels read weights in place, except with `copied_weights`. Example: `baton::executor<lowered>
/// net; net.run(input, output);`. `executor` is an alias of this class with the kernels of the target, `default_kernels`.
///
/// By default, the arena is a member. Every member is zero-initialized, so an executor at namespace scope is in .bss, unless options are
/// passed to its constructor. `init` or the first run copies nonzero initial values of options and mutable buffers from read-only memory.
///
/// `init` returns a `status` if the initialization of a delegate can fail, otherwise `void`. `run` returns a `status` if `can_fail` is
/// true, otherwise `void`. `Services` are types that extend the executor (docs/run.md). Fails at compile time with the errors of `verify`,
/// `plan_execution` and `check_delegates`, and with `backend_without_execute`.
template <auto Program, auto Kernels, plan_options Options = plan_options{}, class... Services>
class basic_executor
    : detail::ending_delegate_set_of<detail::checked_execution<Program, Kernels, Options, Services...>, detail::service_list<Services...>>,
      detail::executor_memory<detail::checked_execution<Program, Kernels, Options, Services...>, detail::service_list<Services...>>,
      detail::bound_addresses<detail::checked_execution<Program, Kernels, Options, Services...>, detail::service_list<Services...>> {
  using execution = detail::checked_execution<Program, Kernels, Options, Services...>;
  using program_type = typename execution::program_type;
  using services = detail::service_list<Services...>;
  static constexpr bool is_method_executor = !std::is_void_v<typename services::context_or_void>;
  static constexpr bool has_weights = services::weights_count != 0;
  using delegate_set = detail::delegate_set_of<execution, services>;
  using memory = detail::executor_memory<execution, services>;
  using buffers = detail::bound_addresses<execution, services>;
  using signature = detail::program_signature<program_type>;
  /// False if the program could not be computed. In this case, the compiler has already reported the error.
  static constexpr bool has_program = std::is_same_v<program_type, std::remove_const_t<decltype(Program)>>;
  static constexpr bool is_valid = has_program && !execution::outcome.why.is_set && detail::require_executable_backends<execution>();

 public:
  constexpr basic_executor() {
    static_cast<void>(program_type::value());
    if constexpr (detail::are_kernels_to_run<std::remove_const_t<decltype(Kernels)>>) require_no_failure<execution::outcome.why>();
    static_cast<void>(detail::require_executable_backends<execution>());
    (check_service<Services>(), ...);
    detail::require_one_service_of_a_kind<services>();
    if constexpr (is_valid) detail::check_memory_of_caller<execution, services>();
    detail::check_bound_positions<services, signature>();
  }

  /// Constructs the executor with options of backends: `net{baton::with_options<my_npu>({.threads = 4})}`.
  template <class... Backends>
    requires(sizeof...(Backends) != 0)
  constexpr explicit basic_executor(const given_options<Backends>&... initial) : basic_executor() {
    static_assert(((detail::times_in<Backends, Backends...> == 1) && ...),
                  "baton executor: options of a backend are given twice; remove one");
    (static_cast<void>(set_options(initial)), ...);
  }

  /// Rejects an arena at compile time, because an executor contains its arena, unlike an interpreter. The message names the alternatives.
  template <class Arena, class... Size>
    requires detail::arena_arguments<Arena, Size...>
  explicit basic_executor(Arena&&, Size&&...) : basic_executor() {
    detail::refuse_arena<Arena>();
  }

  /// True if a delegate's initialization or execution can fail, or if weights or buffers are set at run time. Also true with
  /// `for_one_executor`: only one executor may use the caller's memory, and a run fails if another executor owns it.
  static constexpr bool can_fail = delegate_set::can_fail || has_weights || buffers::count != 0 || memory::is_promised;
  /// The result types of `run` and `init`: `status` if that function can fail, otherwise `void`.
  using run_result = std::conditional_t<can_fail, status, void>;
  using init_result = std::conditional_t<delegate_set::start_can_fail, status, void>;

  /// Initializes the delegates that are not yet initialized, in the order of the program's delegates. Stops at the first failure; the next
  /// call retries the failed delegate. The first call also initializes options, delegate states and mutable buffers. With
  /// `for_one_executor`, the first `run`, `start`, `reset`, `save` or `restore` initializes the buffers. `run` includes the work of `init`.
  auto init() -> init_result {
    const bool has_started = prepare();
    if constexpr (delegate_set::start_can_fail) return has_started ? status::ok : last_failure().code;
  }

  /// Returns the last failure of a delegate. The returned `code` is `ok` if no delegate has failed.
  auto last_failure() const -> run_failure { return delegate_set::last_failure(); }

  /// Returns the options of a backend. They may be changed between runs. Fails to compile if the program uses no options of `Backend`.
  template <class Backend>
  constexpr auto options() -> options_of<Backend>& {
    if constexpr (has_options_of<Backend>()) return delegate_set::template options<Backend>();
  }
  template <class Backend>
  constexpr auto options() const -> const options_of<Backend>& {
    if constexpr (has_options_of<Backend>()) return delegate_set::template options<Backend>();
  }
  /// Calls `f(std::type_identity<Backend>, options)` for the backend with the id `backend_id`, if the program uses this backend and the
  /// backend declares options. Returns true if the program uses the backend, with or without options. Use this function for ids that are
  /// known only at run time.
  template <class F>
  auto with_options_of(std::string_view backend_id, F f) -> bool {
    return delegate_set::with_backend_in_use(as_delegate_set(*this), backend_id, f);
  }
  template <class F>
  auto with_options_of(std::string_view backend_id, F f) const -> bool {
    return delegate_set::with_backend_in_use(as_delegate_set(*this), backend_id, f);
  }

  /// The used size of the arena in bytes. If the arena is split, this size is the sum of the used sizes of both regions.
  static constexpr std::size_t arena_bytes = execution::outcome.arena_bytes;
  /// A lower bound of `arena_bytes`: the bound that the memory policy returns, by default the maximum of simultaneously live bytes.
  static constexpr std::size_t lower_bound = execution::outcome.lower_bound;
  /// The alignment of the arena in bytes.
  static constexpr std::size_t arena_alignment = execution::outcome.alignment;
  /// The size of the mutable buffers in bytes, without padding. Mutable buffers with the same memory are counted once.
  static constexpr std::size_t state_bytes = execution::state_bytes();

  /// Returns the memory plan, for reports. Each call computes the plan again, because the executor stores only the offsets.
  static constexpr auto plan() -> memory_plan { return execution::plan().value.memory; }
  /// Returns the choices of the services `within` and `in_slices::of` for `report::limits_table`; empty without these services.
  static constexpr auto plan_within_limits() -> limited_plan { return detail::limited_choice_of<execution, services::max_operations>(); }
  /// Returns the plan of the service `copied_weights`; empty without this service.
  static constexpr auto weight_copies() -> weight_copy_plan { return detail::weight_copier<execution>::plan(); }
  /// The used size of the buffer of `copied_weights`, in bytes; 0 without this service.
  static constexpr std::size_t copied_weights_bytes = detail::weight_copier<execution>::buffer_bytes;

  static constexpr std::size_t input_count = signature::input_count();
  static constexpr std::size_t output_count = signature::output_count();

  /// Returns the name, type, shape and quantization of user input `I` as constants, in a `static_tensor_info`.
  template <std::size_t I = 0>
  static constexpr auto input_info() {
    return baton::input_info<Program, I>();
  }
  /// Returns the name, type, shape and quantization of user output `I`, like `input_info`.
  template <std::size_t I = 0>
  static constexpr auto output_info() {
    return baton::output_info<Program, I>();
  }
  /// Returns the position of the input with the name `Name`, for example in `net.input<net.input_index<"serving_default_x:0">()>()`.
  /// Fails at compile time with `unknown_tensor` if no input, or more than one, has this name.
  template <fixed_string Name>
  static consteval auto input_index() -> std::size_t {
    return detail::input_index<Program, Name>();
  }
  /// Returns the position of the output with the name `Name`, and fails like `input_index`.
  template <fixed_string Name>
  static consteval auto output_index() -> std::size_t {
    return detail::output_index<Program, Name>();
  }

  /// Returns the bytes of user input `I`. Fill these bytes before every `run()`, because a run may overwrite them.
  template <std::size_t I = 0>
  auto input() {
    if constexpr (has_program && buffers::template require_in_arena<I, false>()) {
      constexpr auto extent = signature::bytes_of(signature::user_input(I));
      return std::span<char, extent>{execution::memory_map::template writable<signature::user_input(I)>(memory::arena()), extent};
    } else {
      return std::span<char>{};
    }
  }
  /// Returns the bytes of user output `I`, which are valid until the next run.
  template <std::size_t I = 0>
  auto output() const {
    if constexpr (has_program && buffers::template require_in_arena<I, true>()) {
      constexpr auto extent = signature::bytes_of(signature::user_output(I));
      return std::span<const char, extent>{execution::memory_map::template output<I>(memory::arena()), extent};
    } else {
      return std::span<const char>{};
    }
  }

  /// Binds user input `I`, which `bound_inputs` must name, to a buffer. The binding applies to all later calls of `run` and `start`.
  /// `buffer` is an array, or a span of fixed or dynamic extent. Its elements have the type of the input, or are raw bytes (`char`,
  /// `std::byte`). Its size is `bound_input_bytes<I>` bytes, rounded up to whole elements. Returns `invalid_argument` and keeps the
  /// previous buffer if `buffer` is null, misaligned (`arena_alignment`), or of a wrong dynamic extent. A wrong type is a compile error.
  template <std::size_t I = 0, class Buffer>
  auto bind_input(Buffer&& buffer) -> status {
    return buffers::template bind<I, false, Buffer>(buffer);
  }
  /// Like `bind_input`, for user output `I`, which `bound_outputs` must name. The size is `bound_output_bytes<I>`.
  template <std::size_t I = 0, class Buffer>
  auto bind_output(Buffer&& buffer) -> status {
    return buffers::template bind<I, true, Buffer>(buffer);
  }
  /// The size of a bound buffer in bytes: the size of the tensor, plus the bytes that a run reads past the end of the tensor (usually 0).
  template <std::size_t I = 0>
  static constexpr std::size_t bound_input_bytes = buffers::template bytes_of_tensor<I, false>();
  template <std::size_t I = 0>
  static constexpr std::size_t bound_output_bytes = buffers::template bytes_of_tensor<I, true>();

  /// Resets every mutable buffer to its initial value. Backend-private state is not reset.
  void reset()
    requires(!is_method_executor)
  {
    memory::end_slices();
    initialize_values();
    memory::reset_states();
  }
  /// Copies the mutable buffers to `to`. `restore` resumes from this copy, even in another executor of the same program with a different
  /// memory plan. Between slices of an inference, mutable buffers may be partly updated.
  void save(std::span<char, state_bytes> to)
    requires(!is_method_executor)
  {
    initialize_values();
    memory::save_states(to.data());
  }
  /// Copies the mutable buffers from `from`, which must have been written by `save`.
  void restore(std::span<const char, state_bytes> from)
    requires(!is_method_executor)
  {
    memory::end_slices();
    initialize_values();
    memory::restore_states(from.data());
  }

  /// Runs one inference on the contents of the inputs. Stops if a delegate fails. Runs nothing and returns `invalid_state` if weights are
  /// missing (`with_weights`), bound buffers are missing or overlap, or another executor owns the memory (`for_one_executor`).
  auto run() -> run_result {
    if constexpr (services::are_in_slices) {
      return detail::run_slices(*this);
    } else {
      return run(detail::no_observer{});
    }
  }

  /// Runs one inference, and calls `after(call)` after each node that succeeds. `call` is a `node_call` with the node's index, record and
  /// memory. If `after` has a member function `before(call)`, this function is called before each node. The calls for nodes inside a branch
  /// or loop come between the two calls for the branch or loop. In a segment (`stream_segment`), only `before` of the first node is called
  /// before the nodes run; all other calls follow the segment.
  template <class Observer>
    requires std::is_invocable_v<Observer, archetype_call>
  auto run(Observer&& after) -> run_result {
    memory::end_slices();
    if constexpr (can_be_unready) {
      if (!make_ready()) return status::invalid_state;
    }
    bool has_succeeded = true;
    if constexpr (is_valid) {
      if constexpr (!view().graphs.empty()) {
        detail::graph_runner<execution, basic_executor, std::remove_reference_t<Observer>> runner(*this, after);
        has_succeeded = prepare() && runner.run(memory::arena());
      }
    }
    if constexpr (can_fail) return has_succeeded ? status::ok : last_failure().code;
  }

  /// Starts an inference in slices (`in_slices`) on the contents of the inputs. Initializes delegates like `run`. Fails with the errors
  /// that `run` can return before its first node. After an error, no inference is in progress. Does not compile without `in_slices`.
  ///
  /// Do not write the inputs, and do not use the arena or the states with another executor, until `step` returns a status other than `ok`.
  /// `start`, `run`, `reset` and `restore` abandon an inference in progress, even one of another method of the same `methods_executor`.
  auto start() -> run_result {
    if constexpr (is_valid && detail::require_slices<services>()) {
      memory::end_slices();
      if constexpr (can_be_unready) {
        if (!make_ready()) return status::invalid_state;
      }
      const bool has_started = prepare();
      if (has_started) memory::begin_slices();
      if constexpr (can_fail) return has_started ? status::ok : last_failure().code;
    } else {
      return run_result();
    }
  }

  /// Runs the next slice of the inference that `start` has started. Returns `ok` if slices remain, and `end_of_method` after the last
  /// slice. If a node fails, ends the inference and returns the status of the failure. If no inference is in progress, runs nothing and
  /// returns `end_of_method`. Fails at compile time without the service `in_slices`.
  auto step() -> status {
    if constexpr (is_valid && detail::require_slices<services>()) {
      if (!memory::is_in_progress()) return status::end_of_method;
      detail::no_observer observer;
      detail::slice_runner<execution, basic_executor, detail::no_observer, services::max_operations> runner(*this, observer);
      if (!runner.run_slice(memory::arena(), memory::position())) return last_failure().code;
      if (memory::is_in_progress()) return status::ok;
    }
    return status::end_of_method;
  }

  /// Copies the inputs from arrays of the caller, runs one inference, and copies the outputs to arrays of the caller. `tensors` are the
  /// inputs in order, then the outputs. Each argument is an array of any rank, or a span of static extent, with as many elements as the
  /// tensor. The element type matches the dtype of the tensor: `float`, `double`, `bool`, or an integer type of equal width and signedness.
  /// 16-bit floats are passed as `std::uint16_t`, 8-bit floats as `std::uint8_t`, raw bytes of any tensor as `std::byte` or `char`.
  template <class... Tensors>
    requires(sizeof...(Tensors) > 1 || (sizeof...(Tensors) == 1 && !(std::is_invocable_v<Tensors, archetype_call> || ...)))
  auto run(Tensors&&... tensors) -> run_result {
    if constexpr (takes_tensors<std::remove_reference_t<Tensors>...>()) {
      const auto all = std::forward_as_tuple(tensors...);
      if (memory::claim()) detail::copy_in<signature>(*this, all, std::make_index_sequence<input_count>{});
      if constexpr (can_fail) {
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
  static constexpr auto as_delegate_set(delegate_set& self) -> delegate_set& { return self; }
  static constexpr auto as_delegate_set(const delegate_set& self) -> const delegate_set& { return self; }
  static constexpr auto view() -> program_view { return program_type::value(); }
  template <class... Tensors>
  static consteval auto takes_tensors() -> bool {
    if constexpr (is_valid) return detail::check_arguments<signature, Tensors...>();
    return false;
  }

  template <class, class, class>
  friend class detail::graph_runner;
  friend memory;

  static constexpr bool can_be_unready = has_weights || buffers::count != 0 || memory::is_promised;
  /// Claims the memory, and writes the addresses of bound buffers to the arena. Returns false if `run` must return `invalid_state`.
  auto make_ready() -> bool { return detail::are_weights_set<services>() && memory::claim() && buffers::write_to(memory::arena(), *this); }
  auto prepare() -> bool {
    if constexpr (is_method_executor) static_cast<typename services::setting::owner&>(*this).initialize_states();
    initialize_values();
    return delegate_set::init_delegates();
  }
  /// Initializes options, delegate states and mutable buffers, but not the buffers of a methods executor or in `for_one_executor` memory.
  void initialize_values() {
    delegate_set::initialize_values([&] {
      if constexpr (!is_method_executor) memory::initialize_states();
    });
  }

  template <class Backend>
  static consteval auto has_options_of() -> bool {
    constexpr bool has_them = delegate_set::template has_options_of<Backend>;
    static_assert(
        has_them,
        "baton executor: options are set or read for a backend that the program does not use, or that declares no options; remove "
        "them or name another backend");
    return has_them;
  }
  template <class Service>
  static constexpr void check_service() {
    detail::require_service<Service>();
    if constexpr (detail::is_initial_options<Service>) {
      static_cast<void>(has_options_of<typename Service::backend>());
      static_assert((std::size_t{0} + ... + (detail::is_initial_options_of<typename Service::backend, Services> ? 1 : 0)) == 1,
                    "baton executor: options of a backend are given twice; remove one");
    }
  }
  template <class Backend>
  constexpr void set_options([[maybe_unused]] const given_options<Backend>& initial) {
    if constexpr (detail::backend_with_options<Backend>) {  // otherwise `with_options` has reported the error
      if constexpr (has_options_of<Backend>()) delegate_set::template options<Backend>() = initial.options;
    }
  }
};

}  // namespace baton
