// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The services of executors whose inputs and outputs are in buffers of the caller.
#pragma once

#include <baton/plan/shared/bound_tensors.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace baton {

/// A service for inputs that stay in buffers of the caller, for example in the buffers of a DMA device: `baton::executor<model,
/// baton::bound_inputs<0>> net;`, then `net.bind_input<0>(frame)` before `run` or `start`. `Indices` are positions of user inputs.
///
/// For a bound input, the arena contains only the address of the buffer. Nothing is copied, and the executor never writes the buffer. `run`
/// and `start` return a `status`. The status is `invalid_state` if a bound input or output has no buffer, or if a buffer overlaps the
/// executor, its arena or the buffer of `copied_weights`. It is also `invalid_state` if the buffer of a bound output overlaps another bound
/// buffer. Two inputs may have the same buffer. An inference uses the buffers that are bound when `run` or `start` is called. So a call of
/// `bind_input` between slices (see `in_slices`) applies to the next inference. The caller must not write a buffer while an inference reads
/// it. In an executor of several methods, each method has its own buffers.
template <std::size_t... Indices>
struct bound_inputs {};

/// The counterpart of `bound_inputs` for outputs, which are written to buffers of the caller: `net.bind_output<0>(scores)`. An inference
/// may write a buffer several times before it ends. Fails at compile time with `unbindable_output` if a bound output is an input, a
/// constant or a state of the program. Also fails if two bound outputs are the same value.
template <std::size_t... Indices>
struct bound_outputs {};

namespace detail {

template <class Service>
inline constexpr bool is_bound_inputs = false;
template <std::size_t... Indices>
inline constexpr bool is_bound_inputs<bound_inputs<Indices...>> = true;
template <class Service>
inline constexpr bool is_bound_outputs = false;
template <std::size_t... Indices>
inline constexpr bool is_bound_outputs<bound_outputs<Indices...>> = true;

/// The positions of a `bound_inputs` or `bound_outputs`; empty for `void`.
template <class Service>
inline constexpr std::array<std::uint32_t, 0> bound_positions{};
template <std::size_t... Indices>
inline constexpr std::array<std::uint32_t, sizeof...(Indices)> bound_positions<bound_inputs<Indices...>>{
    static_cast<std::uint32_t>(Indices)...};
template <std::size_t... Indices>
inline constexpr std::array<std::uint32_t, sizeof...(Indices)> bound_positions<bound_outputs<Indices...>>{
    static_cast<std::uint32_t>(Indices)...};

/// Adds the bound tensors to `Setting`, the requirements of other services on the plan (see `static_execution` in
/// `plan/shared/static_execution.hpp`). `Inputs` and `Outputs` are a `bound_inputs` and a `bound_outputs`, or `void`.
template <class Setting, class Inputs, class Outputs>
struct setting_with_bound_tensors : Setting {
  static constexpr auto bound() -> bound_tensors {
    return {{bound_positions<Inputs>.data(), bound_positions<Inputs>.size()},
            {bound_positions<Outputs>.data(), bound_positions<Outputs>.size()}};
  }
};

}  // namespace detail

}  // namespace baton
