// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs the graphs of a static program. The code of each step is selected at compile time.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/user_values.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernel/shared/compute_node.hpp>
#include <baton/kernel/shared/visible_accesses.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/plan/schedule.hpp>
#include <baton/plan/shared/graph_calls.hpp>
#include <baton/plan/shared/memory_locations.hpp>
#include <baton/run/detail/segment_runner.hpp>
#include <baton/run/detail/signature.hpp>
#include <baton/run/detail/weight_copier.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace baton::detail {

/// True if the scalar at `scalar` is not zero. A negative zero is a zero.
template <dtype Type>
inline auto is_true(const char* scalar) -> bool {
  if constexpr (Type == dtype::float32) {
    float number = 0;
    std::memcpy(&number, scalar, sizeof number);
    return number != 0;
  } else if constexpr (Type == dtype::float64) {
    double number = 0;
    std::memcpy(&number, scalar, sizeof number);
    return number != 0;
  } else if constexpr (Type == dtype::complex64) {
    return is_true<dtype::float32>(scalar) || is_true<dtype::float32>(scalar + 4);
  } else if constexpr (Type == dtype::complex128) {
    return is_true<dtype::float64>(scalar) || is_true<dtype::float64>(scalar + 8);
  } else if constexpr (Type == dtype::float16 || Type == dtype::bfloat16) {
    return (scalar[0] | (scalar[1] & 0x7f)) != 0;
  } else if constexpr (Type == dtype::float8_e4m3 || Type == dtype::float8_e5m2) {
    return (scalar[0] & 0x7f) != 0;
  } else {
    constexpr std::size_t bytes = facts(Type).bits < 8 ? 1 : facts(Type).bits / 8;
    return std::any_of(scalar, scalar + bytes, [](char byte) { return byte != 0; });
  }
}

template <class Execution, class Owner, class Observer, std::uint64_t MaxOperations>
class slice_runner;

/// The observer of a run to which the caller passes no observer. `graph_runner` never calls this observer, so that fewer functions are
/// instantiated. `segment_runner` calls it without effect.
struct no_observer {
  template <class Call>
  void operator()(const Call&) const {}
};

/// A runner of the graphs of an execution. The steps of each graph compile to one function, whose parameter is the base address of the
/// graph's memory. Therefore, the call depth equals the nesting depth of the graphs.
/// - `Execution` is a `static_execution`.
/// - `Owner` runs delegates: `run_delegate<N>(call, scratch)` returns false if the call fails.
/// - `Observer` is called after each node that succeeds: `observer(call)`. If it has a member function `before(call)`, that function is
///   called before each node.
template <class Execution, class Owner, class Observer>
class graph_runner {
 public:
  graph_runner(Owner& owner, Observer& observer) : owner_(owner), observer_(observer) {}

  /// Runs the root graph at the base address `base`. Returns false if a node failed.
  auto run(char* base) -> bool {
    base = visible_accesses::opaque(base);
    weights::begin();
    if (!run_steps<graph_id{0}>(base)) return weights::end_after_failure();
    finish<none<node_id>, graph_id{0}>(base, 0);
    return true;
  }

 private:
  template <class, class, class, std::uint64_t>
  friend class slice_runner;
  using memory_map = typename Execution::memory_map;
  using weights = weight_copier<Execution>;

  static constexpr auto view() -> program_view { return Execution::view(); }
  static constexpr auto bytes_of(value_id id) -> std::size_t {
    return static_cast<std::size_t>(byte_count(view()[id].type, view().shape(id)));
  }

  template <graph_id G>
  auto run_steps(char* base) -> bool {
    constexpr auto steps = Execution::tables.steps[index(G)];
    return run_range<steps.first>(base, std::make_index_sequence<steps.size>{});
  }
  /// Runs the steps in order. Splits a long range into halves, because Clang expands a fold over at most 256 operands.
  template <std::uint32_t First, std::size_t... N>
  auto run_range(char* base, std::index_sequence<N...>) -> bool {
    static_cast<void>(base);
    constexpr std::size_t count = sizeof...(N);
    if constexpr (count > 128) {
      return run_range<First>(base, std::make_index_sequence<count / 2>{}) &&
             run_range<First + count / 2>(base, std::make_index_sequence<count - count / 2>{});
    } else {
      return (run_step<First + N>(base) && ...);
    }
  }
  template <std::uint32_t S>
  auto run_step(char* base) -> bool {
    constexpr schedule_step step = Execution::tables.step[S];
    if constexpr (weights::has_copies) weights::template before_step<S>();
    if constexpr (step.kind == step_kind::rows) {
      segment_runner<Execution, Observer, step.nodes.first, step.nodes.size>(base, observer_).run();
      return true;
    } else {
      constexpr auto N = index(Execution::tables.node[step.nodes.first]);
      constexpr const node& record = Execution::program_type::value().nodes[N];
      const typename weights::template call_of<N> call{base};
      [[maybe_unused]] bool has_succeeded = true;
      if constexpr (requires { observer_.before(call); }) observer_.before(call);
      if constexpr (step.kind == step_kind::control_flow) {
        has_succeeded = run_control_flow<N>(base);
      } else if constexpr (step.kind == step_kind::delegate && Execution::runs_original(record.delegate)) {
        has_succeeded = run_called<N, view().delegates[index(record.delegate)].original>(base);
      } else if constexpr (step.kind == step_kind::delegate) {
        has_succeeded = owner_.template run_delegate<N>(call, Execution::template scratch<N>(base));
      } else {
        compute_node<typename Execution::template kernel_type<N>>(call);
      }
      if constexpr (!std::is_same_v<Observer, no_observer>) {
        if (has_succeeded) observer_(call);
      }
      return has_succeeded;
    }
  }

  // Copies

  /// Copies `Bytes` bytes from the location `From` to the location `To` of the graph at `base`. Does nothing if the locations are equal or
  /// the destination is a constant.
  template <memory_location To, memory_location From, std::size_t Bytes>
  static void copy([[maybe_unused]] char* base) {
    if constexpr (!To.is_constant() && To != From) {
      std::memcpy(memory_map::template memory<To>(base), memory_map::template bytes_at<From>(base), Bytes);
    }
  }
  /// Copies the value `Outer` of the calling graph to the input `Inner` of a graph that node `N` calls.
  template <std::uint32_t N, value_id Outer, value_id Inner>
  static void copy_operand(char* base) {
    constexpr auto to = relative_to_caller(Execution::location_of(Inner), Execution::begin_of_called(N));
    copy<to, Execution::location_of(Outer), bytes_of(Inner)>(base);
  }
  /// Returns the base address of the graphs that node `N` calls.
  template <std::uint32_t N>
  static auto base_of_called(char* base) -> char* {
    return memory_map::template memory<Execution::begin_of_called(N)>(base);
  }

  /// Executes the planned copies at the end of graph `G`. The copies write the new values of mutable buffers, and the results of `G` for
  /// the node `Call`, which calls `G`. `Call` is `none` for the root graph. `base` is the base address of `G`. In `map` and `scan`, a
  /// stacked result of the node collects the results of all iterations along its first dimension. Iteration `iteration` writes element
  /// `iteration`.
  template <node_id Call, graph_id G>
  static void finish(char* base, std::size_t iteration) {
    constexpr auto copies = Execution::copies_of(Call, G);
    run_copies<copies.first>(base, iteration, std::make_index_sequence<copies.size>{});
  }
  template <std::uint32_t First, std::size_t... I>
  static void run_copies(char* base, std::size_t iteration, std::index_sequence<I...>) {
    static_cast<void>(base), static_cast<void>(iteration);
    (run_copy<First + I>(base, iteration), ...);
  }
  template <std::size_t S>
  static void run_copy(char* base, [[maybe_unused]] std::size_t iteration) {
    constexpr auto planned = Execution::tables.copy[Execution::tables.step[S].nodes.first];
    constexpr auto bytes = static_cast<std::size_t>(planned.bytes);
    char* to = memory_map::template memory<planned.to>(base);
    if constexpr (planned.is_iteration_part) to += iteration * bytes;
    std::memcpy(to, memory_map::template bytes_at<planned.from>(base), bytes);
  }

  static constexpr auto operand(std::uint32_t n, std::size_t i) -> value_id { return view().inputs(view().nodes[n])[i]; }
  static constexpr auto output(std::uint32_t n, std::size_t i) -> value_id { return view().outputs_of(view().nodes[n])[i]; }
  static constexpr auto inner_input(graph_id id, std::size_t i) -> value_id { return user_inputs_of(view(), id)[i]; }
  static constexpr auto inner_output(graph_id id, std::size_t i) -> value_id { return user_outputs_of(view(), id)[i]; }
  static constexpr auto input_count(graph_id id) -> std::size_t { return user_inputs_of(view(), id).size(); }
  static constexpr auto counts(std::uint32_t n) -> loop_counts { return loop_counts_of(view(), view().nodes[n]); }

  // Calls: copy the operands, run the graph, copy the results.

  template <std::uint32_t N, graph_id G, std::size_t FirstOperand = 0>
  auto run_called(char* base) -> bool {
    copy_operands<N, G, FirstOperand>(base, std::make_index_sequence<input_count(G)>{});
    const auto inner = base_of_called<N>(base);
    if (!run_steps<G>(inner)) return false;
    finish<node_id{N}, G>(inner, 0);
    return true;
  }
  template <std::uint32_t N, graph_id G, std::size_t FirstOperand, std::size_t... I>
  static void copy_operands(char* base, std::index_sequence<I...>) {
    static_cast<void>(base);
    (copy_operand<N, operand(N, FirstOperand + I), inner_input(G, I)>(base), ...);
  }

  template <std::uint32_t N>
  auto run_control_flow(char* base) -> bool {
    constexpr auto kind = control_flow_of(view(), view().nodes[N]);
    if constexpr (kind == control_flow::cond) {
      return run_branch<N>(base);
    } else if constexpr (kind == control_flow::while_loop) {
      return run_while<N>(base);
    } else {
      return run_stacked<N>(base);
    }
  }

  template <std::uint32_t N>
  auto run_branch(char* base) -> bool {
    constexpr auto predicate = operand(N, 0);
    constexpr auto if_true = view().subgraphs_of(view().nodes[N])[0];
    constexpr auto if_false = view().subgraphs_of(view().nodes[N])[1];
    const bool holds = is_true<view()[predicate].type>(memory_map::template address<predicate>(base));
    return holds ? run_called<N, if_true, 1>(base) : run_called<N, if_false, 1>(base);
  }

  // Loops. Between iterations, the carried values (outputs of one iteration that are inputs of the next) are stored in the outputs of the
  // loop node.

  /// Copies values to the inputs of a graph that a loop calls: the carried values, element `iteration` of each stacked operand (along its
  /// first dimension), and the loop invariants.
  template <std::uint32_t N, graph_id G, std::size_t... I>
  static void copy_loop_inputs(char* base, std::size_t iteration, std::index_sequence<I...>) {
    static_cast<void>(base), static_cast<void>(iteration);
    (copy_loop_input<N, G, I>(base, iteration), ...);
  }
  template <std::uint32_t N, graph_id G, std::size_t I>
  static void copy_loop_input(char* base, [[maybe_unused]] std::size_t iteration) {
    constexpr auto inner = inner_input(G, I);
    if constexpr (I < counts(N).carried) {
      copy_operand<N, output(N, I), inner>(base);
    } else if constexpr (I < counts(N).carried + counts(N).stacked) {
      std::memcpy(memory_map::template writable<inner>(base_of_called<N>(base)),
                  memory_map::template address<operand(N, I)>(base) + iteration * bytes_of(inner), bytes_of(inner));
    } else {
      copy_operand<N, operand(N, I), inner>(base);
    }
  }
  /// Copies values to the inputs of a graph that a loop calls, and runs the steps of the graph. Returns false if a node failed.
  template <std::uint32_t N, graph_id G>
  auto begin_iteration(char* base, std::size_t iteration) -> bool {
    copy_loop_inputs<N, G>(base, iteration, std::make_index_sequence<input_count(G)>{});
    return run_steps<G>(base_of_called<N>(base));
  }
  template <std::uint32_t N, graph_id G>
  static void end_iteration(char* base, std::size_t iteration) {
    finish<node_id{N}, G>(base_of_called<N>(base), iteration);
  }
  template <std::uint32_t N, std::size_t... I>
  static void initialize_carried(char* base, std::index_sequence<I...>) {
    static_cast<void>(base);
    (copy<Execution::location_of(output(N, I)), Execution::location_of(operand(N, I)), bytes_of(output(N, I))>(base), ...);
  }

  template <std::uint32_t N>
  auto run_while(char* base) -> bool {
    constexpr auto condition = view().subgraphs_of(view().nodes[N])[0];
    constexpr auto body = view().subgraphs_of(view().nodes[N])[1];
    constexpr auto decision = inner_output(condition, 0);
    initialize_carried<N>(base, std::make_index_sequence<counts(N).carried>{});
    while (begin_iteration<N, condition>(base, 0)) {
      if (!is_true<view()[decision].type>(memory_map::template address<decision>(base_of_called<N>(base)))) return true;
      if (!begin_iteration<N, body>(base, 0)) return false;
      end_iteration<N, body>(base, 0);
    }
    return false;
  }

  /// Runs `map` or `scan`: runs the body for each element of the stacked operands along their first dimension, in order.
  template <std::uint32_t N>
  auto run_stacked(char* base) -> bool {
    constexpr auto body = view().subgraphs_of(view().nodes[N])[0];
    constexpr auto iterations = static_cast<std::size_t>(view().shape(operand(N, counts(N).carried))[0]);
    visible_accesses::keep();
    initialize_carried<N>(base, std::make_index_sequence<counts(N).carried>{});
    for (std::size_t iteration = 0; iteration < iterations; ++iteration) {
      if (!begin_iteration<N, body>(base, iteration)) return false;
      end_iteration<N, body>(base, iteration);
    }
    return true;
  }

  Owner& owner_;
  Observer& observer_;
};

}  // namespace baton::detail
