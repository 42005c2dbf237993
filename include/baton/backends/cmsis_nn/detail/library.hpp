// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Includes Arm's CMSIS-NN, and detects the `instruction_set` for which CMSIS-NN is compiled.
#pragma once

#include <baton/backends/cmsis_nn/detail/double_rounding.hpp>

#include <arm_nnfunctions.h>
#include <arm_nnsupportfunctions.h>

#include <cstddef>
#include <cstdint>

namespace baton::cmsis_nn::detail {

/// The variants of the library's functions: in plain C, with the instructions of the DSP extension (for example Cortex-M4, M7, M33), or
/// with those of Helium (for example Cortex-M55).
enum class instruction_set : std::uint8_t { plain, dsp, mve };

#if defined(ARM_MATH_MVEI)
inline constexpr instruction_set target_instructions = instruction_set::mve;
#elif defined(ARM_MATH_DSP)
inline constexpr instruction_set target_instructions = instruction_set::dsp;
#else
inline constexpr instruction_set target_instructions = instruction_set::plain;
#endif

/// The alignment of the library's buffers, which hold words.
inline constexpr std::size_t buffer_alignment = 4;

/// Returns the size of scratch for an aligned buffer of `buffer_bytes` bytes. The size includes room for alignment, because the planner may
/// align scratch to less than `buffer_alignment`.
constexpr auto scratch_for(std::int32_t buffer_bytes) -> std::uint32_t {
  return buffer_bytes == 0 ? 0 : static_cast<std::uint32_t>(buffer_bytes) + std::uint32_t{buffer_alignment - 1};
}

/// Returns the aligned buffer in `scratch`, or null if `buffer_bytes` is 0.
inline auto buffer_in(char* scratch, std::int32_t buffer_bytes) -> cmsis_nn_context {
  if (buffer_bytes == 0) return {nullptr, 0};
  const auto past = reinterpret_cast<std::uintptr_t>(scratch) % buffer_alignment;
  return {scratch + (past == 0 ? 0 : buffer_alignment - past), buffer_bytes};
}

/// Removes const, because the library reads constants through pointers to non-const.
inline auto without_const(const std::int32_t* from) -> std::int32_t* {
  return const_cast<std::int32_t*>(from);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

inline auto int8_at(const char* from) -> const std::int8_t* { return reinterpret_cast<const std::int8_t*>(from); }
inline auto int8_at(char* to) -> std::int8_t* { return reinterpret_cast<std::int8_t*>(to); }

}  // namespace baton::cmsis_nn::detail
