// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The plan of an execution as constants: what straight-line code is made from.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/plan/arena.hpp>
#include <baton/run/execution_plan.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// What the executor needs to know before its arrays exist.
struct execution_outcome {
  static_failure why{};
  std::uint32_t nodes = 0;
  std::uint32_t values = 0;
  std::uint64_t arena_bytes = 0;
  std::uint64_t lower_bound = 0;
};

/// Kernel choice and memory plan in arrays of exact size.
template <std::uint32_t Nodes, std::uint32_t Values>
struct execution_tables {
  std::array<std::uint32_t, Nodes> kernel{};
  std::array<std::uint64_t, Values> offset{};
  std::array<std::uint64_t, Nodes> scratch{};
};

/// The plan of a static program's execution, as constants.
template <class Program, class Kernels, plan_options Options>
struct static_execution {
  static constexpr auto plan() -> result<execution_plan> { return plan_execution(Kernels{}, Program::value(), Options); }
  static consteval auto make_outcome() -> execution_outcome {
    const auto made = plan();
    if (!made) return {static_failure{made.error}, 0, 0, 0, 0};
    const auto& memory = made.value.memory;
    return {{},
            static_cast<std::uint32_t>(made.value.kernels.size()),
            static_cast<std::uint32_t>(memory.needs.of_value.size()),
            memory.arena_bytes,
            memory.lower_bound};
  }
  static constexpr execution_outcome outcome = make_outcome();

  static consteval auto make_tables() {
    execution_tables<outcome.nodes, outcome.values> made;
    if constexpr (outcome.nodes != 0) {
      const auto planned = plan().value;
      for (std::uint32_t n = 0; n < outcome.nodes; ++n) {
        made.kernel[n] = planned.kernels[n];
        made.scratch[n] = planned.memory.offset_of_scratch(n);
      }
      for (std::uint32_t v = 0; v < outcome.values; ++v) made.offset[v] = planned.memory.offset_of(static_cast<value_id>(v));
    }
    return made;
  }
  static constexpr auto tables = make_tables();

  /// Where values lie: in the arena, or in read-only memory where the model lies.
  struct place {
    /// After a failure has been told, any place will do.
    static constexpr auto offset_of(value_id id) -> std::uint64_t { return index(id) < outcome.values ? tables.offset[index(id)] : 0; }

    template <value_id Id>
    static auto address(const char* arena) -> const char* {
      if constexpr (offset_of(Id) != memory_plan::no_offset) {
        return arena + offset_of(Id);
      } else {
        static constexpr auto bytes = program_view(Program::value()).data(Program::value()[Id].data);
        return bytes.data();
      }
    }
    template <value_id Id>
    static auto writable(char* arena) -> char* {
      return arena + offset_of(Id);
    }
  };
};

}  // namespace baton::detail
