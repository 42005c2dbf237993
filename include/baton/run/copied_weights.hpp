// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The service of executors that copy weights to fast memory before a kernel reads them.
#pragma once

#include <baton/core/config.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace baton {

/// A service that copies the constants of a kernel to a buffer in fast memory while an earlier kernel runs: `baton::executor<model,
/// baton::copied_weights<my_dma, buffer>> net;`. Use this service if the weights are in a slow memory, such as external flash.
///
/// - `Dma` has two functions. `static void start(void* to, const void* from, std::size_t bytes)` starts a transfer. `static void wait()`
///   returns when no transfer is in progress; it returns at once if none was started. Before a call of `wait`, `start` may be called
///   several times: once for each constant of a step, the largest constant last. If the device has no queue, `start` may wait for the
///   previous transfer.
/// - `Buffer` is a variable of static storage duration, such as a `memory_region`, that nothing else uses during an inference. Executors
///   that run one after another may share the buffer. Each copy is aligned like the buffer.
/// - Constants with fewer than `MinBytes` bytes are not copied.
///
/// The copies are planned at compile time (`weight_copies` of the executor). The copies for two consecutive kernels with constants never
/// overlap in the buffer. Constants that do not fit are read in place. Delegates, and the graphs of branches and loops, read all constants
/// in place. A segment (consecutive nodes that run row by row, see `stream_segment`) is one step: the constants of all its nodes are copied
/// before the segment begins.
template <class Dma, auto& Buffer, std::size_t MinBytes = 64>
struct copied_weights {
  using dma = Dma;
  static constexpr std::size_t bytes = sizeof(Buffer);
  static constexpr std::size_t alignment = alignof(std::remove_reference_t<decltype(Buffer)>);
  static constexpr std::size_t min_bytes = MinBytes;
  static auto begin() -> char* { return static_cast<char*>(static_cast<void*>(&Buffer)); }
};

namespace detail {

template <class Service>
inline constexpr bool is_copied_weights = false;
template <class Dma, auto& Buffer, std::size_t MinBytes>
inline constexpr bool is_copied_weights<copied_weights<Dma, Buffer, MinBytes>> = true;

/// A type with the functions that `copied_weights` calls.
template <class T>
concept weight_dma = requires(void* to, const void* from, std::size_t bytes) {
  { T::start(to, from, bytes) } -> std::same_as<void>;
  { T::wait() } -> std::same_as<void>;
};

/// Adds the service `copied_weights` to `Setting`, the requirements of other services on the plan (see `static_execution` in
/// `plan/shared/static_execution.hpp`).
template <class Setting, class Service>
struct setting_with_copies : Setting {
  using copies = Service;
};

}  // namespace detail

}  // namespace baton
