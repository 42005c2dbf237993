// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The executor: a static program as straight-line code, with an arena sized by the compiler.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/locate.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/backends.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/plan/arena.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/graph_runner.hpp>
#include <baton/run/kernel.hpp>
#include <baton/run/signature.hpp>
#include <baton/run/static_execution.hpp>
#include <baton/run/stored_blob.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace baton {

/// Runs a static program: the nodes of its root graph one after the other, each a kernel, a delegate call, or a branch or loop over other
/// graphs, all chosen by the compiler. No heap, no virtual call, no table walk, no work before the first inference; weights are read where
/// the model lies. The arena is a member: an executor at namespace scope lies in .bss, in .data where mutable buffers begin with data.
/// Errors, in the compiler: those of `verify` and `plan_execution`, `backend_without_execute`. Example: `baton::executor<lowered> net;
/// net.run(input, output);` (`executor` is this with the portable kernels).
template <auto Program, auto Kernels, plan_options Options = plan_options{}>
class basic_executor {
  using program_type = std::remove_const_t<decltype(Program)>;
  using execution = detail::static_execution<program_type, std::remove_const_t<decltype(Kernels)>, Options>;
  using signature = detail::program_signature<program_type>;
  static constexpr bool is_sound = program_type::is_whole && !execution::outcome.why.broken;

 public:
  constexpr basic_executor() {
    static_cast<void>(program_type::value());
    require_unbroken<execution::outcome.why>();
    if constexpr (is_sound) begin_states(std::make_index_sequence<execution::outcome.states>{});
  }

  /// Bytes of the arena, and the most bytes that live at once.
  static constexpr std::size_t arena_bytes = execution::outcome.arena_bytes;
  static constexpr std::size_t lower_bound = execution::outcome.lower_bound;

  /// The memory plan of which the arena is a part, for reports; made again when it is called, where the executor itself has only its
  /// offsets.
  static constexpr auto plan() -> memory_plan { return execution::plan().value.memory; }

  static constexpr std::size_t input_count = signature::input_count();
  static constexpr std::size_t output_count = signature::output_count();

  /// The bytes of a user input, to be filled before `run()`; a run may overwrite them.
  template <std::size_t I = 0>
  auto input() {
    constexpr auto bytes = signature::bytes_of(signature::user_input(I));
    return std::span<char, bytes>{execution::place::template writable<signature::user_input(I)>(arena_), bytes};
  }
  /// The bytes of a user output, valid until the next run.
  template <std::size_t I = 0>
  auto output() const {
    constexpr auto bytes = signature::bytes_of(signature::user_output(I));
    return std::span<const char, bytes>{execution::place::template address<signature::user_output(I)>(arena_), bytes};
  }

  /// One inference on what the inputs hold.
  void run() {
    run([](auto) {});
  }

  /// One inference; `after(call)` is told of every node when it has run: a `node_call`, with its index, record and memory.
  template <class Observer>
    requires std::is_invocable_v<Observer, archetypes::call>
  void run(Observer&& after) {
    if constexpr (is_sound) {
      if constexpr (!view().graphs.empty()) {
        detail::graph_runner<execution, basic_executor, std::remove_reference_t<Observer>> runner(*this, after);
        static_cast<void>(runner.template run<graph_id{0}>(arena_));
      }
    }
  }

  /// One inference from the user's memory to the user's memory: the inputs in order, then the outputs in order, as arrays (or spans of
  /// fixed extent) that have the tensors' sizes in bytes.
  template <class... Tensors>
    requires(sizeof...(Tensors) > 1)
  void run(Tensors&&... tensors) {
    static_assert(sizeof...(Tensors) == input_count + output_count, "baton executor: run takes every input, then every output");
    const auto all = std::forward_as_tuple(tensors...);
    copy_in(all, std::make_index_sequence<input_count>{});
    run();
    copy_out(all, std::make_index_sequence<output_count>{});
  }

 private:
  static constexpr auto view() -> program_view { return program_type::value(); }
  template <std::size_t Size>
  static constexpr auto copy_of(std::span<const char> bytes) -> std::array<char, Size> {
    std::array<char, Size> copy{};
    std::copy(bytes.begin(), bytes.end(), copy.begin());
    return copy;
  }
  static constexpr auto cannot_execute(const program_view& program, node_id at, delegate_id id) -> failure {
    auto why = broken_at<rule::backend_without_execute>(program, at);
    why.backend = join(lowered_module_view(program, id).backend_id());
    return why;
  }

  template <class, class, class>
  friend class detail::graph_runner;

  /// Mutable buffers begin with the data that the program has for them.
  template <std::size_t... I>
  constexpr void begin_states(std::index_sequence<I...>) {
    (begin_state<I>(), ...);
  }
  template <std::size_t I>
  constexpr void begin_state() {
    constexpr auto state = execution::tables.states[I];
    if constexpr (view()[state.buffer].data.size != 0) {
      const auto& bytes = first_bytes<state.buffer>;
      std::copy(bytes.begin(), bytes.end(), arena_ + state.offset);
    }
  }
  template <value_id Id>
  static constexpr auto first_bytes = copy_of<view()[Id].data.size>(view().data(view()[Id].data));

  /// Runs a delegate call with its backend; whether to go on.
  template <std::uint32_t N, class Call>
  auto run_delegate(const Call& call, std::span<char> scratch) -> bool {
    using list = typename detail::backends_of<typename program_type::make>::type;
    constexpr auto id = Call::record().delegate;
    constexpr auto found = position_of_backend(list{}, lowered_module_view(view(), id).backend_id());
    using backend_type = typename std::remove_cvref_t<decltype(boost::hana::at_c<found>(list::types))>::type;
    if constexpr (executable_backend<backend_type>) {
      call_backend<backend_type>(call, detail::stored_blob<program_type, id>(), scratch,
                                 std::make_index_sequence<Call::record().inputs.size>{},
                                 std::make_index_sequence<Call::record().outputs.size>{});
    } else {
      constexpr static_failure why{cannot_execute(view(), static_cast<node_id>(N), id)};
      require_unbroken<why>();
    }
    return true;
  }

  template <class Backend, class Call, std::size_t... I, std::size_t... O>
  static void call_backend(const Call& call, std::span<const char> blob, std::span<char> scratch, std::index_sequence<I...>,
                           std::index_sequence<O...>) {
    const std::array<std::span<const char>, sizeof...(I)> inputs{
        std::span<const char>{call.template input<I>(), signature::bytes_of(Call::input_id(I))}...};
    const std::array<std::span<char>, sizeof...(O)> outputs{
        std::span<char>{call.template output<O>(), signature::bytes_of(Call::output_id(O))}...};
    Backend::execute(delegate_call{blob, inputs, outputs, scratch});
  }

  template <class All, std::size_t... I>
  void copy_in(const All& all, std::index_sequence<I...>) {
    (copy_bytes(std::as_writable_bytes(input<I>()), std::as_bytes(std::span{std::get<I>(all)})), ...);
  }
  template <class All, std::size_t... O>
  void copy_out(const All& all, std::index_sequence<O...>) {
    (copy_bytes(std::as_writable_bytes(std::span{std::get<input_count + O>(all)}), std::as_bytes(output<O>())), ...);
  }
  template <std::size_t To, std::size_t From>
  static void copy_bytes(std::span<std::byte, To> to, std::span<const std::byte, From> from) {
    static_assert(To == From, "baton executor: every tensor given to run must have a fixed size, that of the program's tensor in bytes");
    std::memcpy(to.data(), from.data(), To);
  }

  alignas(Options.alignment) char arena_[arena_bytes == 0 ? 1 : arena_bytes] = {};
};

}  // namespace baton
