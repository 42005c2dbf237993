// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The instructions of an inference of an executor. All executors of a program use the same memory, because a board has little.
#pragma once

#include "cortex_m/measure.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

alignas(16) inline std::array<std::byte, 256 * 1024> memory_of_executor;

/// Returns the instructions of the second of two inferences.
template <class Executor>
auto measured_instructions() -> std::uint64_t {
  static_assert(sizeof(Executor) <= sizeof memory_of_executor && std::is_trivially_destructible_v<Executor>);
  auto& net = *new (memory_of_executor.data()) Executor;
  net.run();
  firmware::instruction_counter::start();
  net.run();
  return firmware::instruction_counter::count();
}
