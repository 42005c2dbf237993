// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs a kernel on a node of a static program.
#pragma once

#include <baton/core/program.hpp>
#include <baton/kernel/kernel_facts.hpp>
#include <baton/kernel/node_call.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/kernel_functions.hpp>
#include <baton/kernel/shared/static_view.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton {

namespace detail {

template <class Plan>
struct plan_and_facts {
  Plan plan{};
  kernel_facts facts{};
};

/// Returns the plan and the facts of a supported node. `program` and `record` are parameters, so that GCC does not evaluate `describe` when
/// it compiles this function.
template <class Kernel>
constexpr auto plan_and_facts_of(const program_view& program, const node& record) -> plan_and_facts<plan_type_of<Kernel>> {
  auto answer = Kernel::describe(program, record);
  return {std::move(answer.plan), answer.facts};
}

/// The plan and the facts of a supported node, as a constant that is never part of the executable image.
template <class Kernel, class Program, std::uint32_t Index>
inline constexpr auto described = plan_and_facts_of<Kernel>(static_view<Program>, static_view<Program>.nodes[Index]);

template <class Kernel, class Program, std::uint32_t Index>
inline constexpr auto plan_constant = described<Kernel, Program, Index>.plan;

template <std::size_t I, class Call>
auto address_of_input(const Call& call) -> const char* {
  if constexpr (Call::has_input(I)) {
    return call.template input<I>();
  } else {
    return nullptr;
  }
}

template <std::size_t I, class Call>
auto address_of_state(const Call& call) -> char* {
  if constexpr (Call::is_state(I)) {
    return call.template state<I>();
  } else {
    return nullptr;
  }
}

/// The member `node_memory::states` for a node with `N` operands, none of which is a mutable buffer. The array has at least one element.
template <std::size_t N>
inline constexpr std::array<char*, std::max<std::size_t>(N, 1)> no_states{};

/// Passes the addresses of the values of `Call` to a function. Each node of a program instantiates this class. The class has a single
/// function, because the compiler needs time to optimize each function of each node.
template <class Call, class Operands = std::make_index_sequence<Call::record().inputs.size>,
          class Outputs = std::make_index_sequence<Call::record().outputs.size>>
struct memory_of_call;
template <class Call, std::size_t... I, std::size_t... O>
struct memory_of_call<Call, std::index_sequence<I...>, std::index_sequence<O...>> {
  template <class F>
  [[gnu::always_inline]] static void pass(const Call& call, F compute) {
    std::array<const char*, sizeof...(I)> inputs;
    if constexpr ((Call::has_input(I) && ...)) {
      inputs = {call.template input<I>()...};
    } else {
      inputs = {address_of_input<I>(call)...};
    }
    const std::array<char*, sizeof...(O)> outputs{call.template output<O>()...};
    const auto scratch = call.scratch();
    const auto prepared = call.prepared();
    node_memory memory{.inputs = inputs.data(),
                       .outputs = outputs.data(),
                       .scratch = {scratch.data(), scratch.size()},
                       .prepared = {reinterpret_cast<const char*>(prepared.data()), prepared.size_bytes()},
                       .states = no_states<sizeof...(I)>.data(),
                       .order = Call::order()};
    if constexpr ((Call::is_state(I) || ...)) {
      const std::array<char*, sizeof...(I)> states{address_of_state<I>(call)...};
      memory.states = states.data();
      compute(memory);
    } else {
      compute(memory);
    }
  }
};

}  // namespace detail

/// The plan of `Kernel` for the node of `Call`, as a constant.
template <class Kernel, class Call>
inline constexpr const auto& node_plan = detail::plan_constant<Kernel, typename Call::program_type, Call::index>;

/// The facts of `Kernel` about the node of `Call`, as a constant.
template <class Kernel, class Call>
inline constexpr const kernel_facts& node_facts = detail::described<Kernel, typename Call::program_type, Call::index>.facts;

/// Calls `compute` with a `node_memory` that contains the addresses of `call`.
template <class Call, class F>
void with_memory(const Call& call, F compute) {
  detail::memory_of_call<Call>::pass(call, compute);
}

/// Computes a node. If the kernel has both overloads of `compute`, calls the overload that receives a `node_call`.
template <class Kernel, class Call>
void compute_node(const Call& call) {
  if constexpr (call_kernel<Kernel, Call>) {
    Kernel::compute(call);
  } else {
    with_memory(call, [](const node_memory& memory) __attribute__((always_inline)) { Kernel::compute(node_plan<Kernel, Call>, memory); });
  }
}

}  // namespace baton
