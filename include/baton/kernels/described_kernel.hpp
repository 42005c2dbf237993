// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Kernels in two functions: what is known of a node, which the compiler finds out, and what is computed with it.
#pragma once

#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/least_distance.hpp>
#include <baton/kernel/shared/kernel_members.hpp>
#include <baton/kernels/node_check.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace baton::portable {

/// Where a node's operands and outputs lie while it runs; the address of an operand that is left out is null.
struct node_memory {
  const char* const* inputs;
  char* const* outputs;
  span<char> scratch{};
  span<const char> prepared{};                 ///< the bytes of what the kernel has prepared of the node
  char* const* states = nullptr;               ///< of a kernel that has states, where each lies, in their order
  write_order order = write_order::ascending;  ///< in which the output must be written, of a kernel that declares distances
};

/// Whether a description has its tables. Those of `left_out` are zero: they are not needed to say whether a node is supported, and a
/// table takes a constant longer than all else of a description.
enum class tables : std::uint8_t { built, left_out };

/// The shell of a kernel of these two functions, which `Kernel`, derived from it, has beside the names of its operators:
/// - `static constexpr literal_name operators[]`;
/// - `static constexpr auto describe(const program_view&, const node&) -> description<Plan>`: what is computed, or why it is not. It checks
///   all that `compute` relies on. A kernel whose plans have tables may take a third parameter, `tables`, with the default `built`;
/// - where it writes operands that stay, `static constexpr std::size_t states[]`: which ones;
/// - `static void compute(const Plan& plan, const node_memory& at)`: the plan is a constant of the node, so that loops have fixed bounds
///   where `compute` is inlined. It knows nothing of compilers: tests call it with plans that are made at run time.
template <class Kernel>
struct described_kernel {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    if (!is_among(record.op, Kernel::operators)) return refuse();
    if constexpr (requires { Kernel::describe(program, record, tables::left_out); }) {
      return Kernel::describe(program, record, tables::left_out).found;
    } else {
      return Kernel::describe(program, record).found;
    }
  }

  template <class Call>
  static void run(const Call& call) {
    static constexpr auto plan = Kernel::describe(Call::program(), Call::record()).plan;
    constexpr std::size_t inputs = Call::record().inputs.size;
    constexpr std::size_t outputs = Call::record().outputs.size;
    [&]<std::size_t... I, std::size_t... O>(std::index_sequence<I...>, std::index_sequence<O...>) {
      const std::array<const char*, inputs> from{address_of<I>(call)...};
      const std::array<char*, outputs> to{call.template output<O>()...};
      node_memory at{from.data(), to.data()};
      if constexpr (baton::scratch_kernel<Kernel>) at.scratch = call.scratch();
      if constexpr (baton::preparing_kernel<Kernel>) {
        const auto made = call.prepared();
        at.prepared = {reinterpret_cast<const char*>(made.data()), made.size_bytes()};
      }
      const auto states = states_of(call, std::make_index_sequence<state_count()>{});
      at.states = states.data();
      at.order = Call::order();
      Kernel::compute(plan, at);
    }(std::make_index_sequence<inputs>{}, std::make_index_sequence<outputs>{});
  }

 private:
  static constexpr auto state_count() -> std::size_t {
    if constexpr (baton::stateful_kernel<Kernel>) return sizeof(Kernel::states) / sizeof(Kernel::states[0]);
    return 0;
  }
  template <class Call, std::size_t... I>
  static auto states_of([[maybe_unused]] const Call& call, std::index_sequence<I...>) -> std::array<char*, sizeof...(I)> {
    return {call.template state<Kernel::states[I]>()...};
  }
  template <std::size_t I, class Call>
  static auto address_of(const Call& call) -> const char* {
    if constexpr (Call::has_input(I)) {
      return call.template input<I>();
    } else {
      return nullptr;
    }
  }
};

}  // namespace baton::portable
