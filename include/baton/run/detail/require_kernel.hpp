// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What is said to who writes a kernel of another form.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/verdict.hpp>
#include <baton/run/detail/archetype_call.hpp>
#include <baton/run/shared/kernel_members.hpp>

#include <concepts>

namespace baton::detail {

/// Stops the compiler with a sentence if a type is no kernel.
template <class T>
consteval auto require_kernel() -> bool {
  static_assert(
      requires(const program_view& p, const node& n) {
        { T::supports(p, n) } -> std::same_as<verdict>;
      },
      "baton not_a_kernel: a kernel says what it supports; write: static constexpr auto supports(const baton::program_view&, const "
      "baton::node&) -> baton::verdict");
  static_assert(
      requires(const archetype_call& call) {
        { T::run(call) } -> std::same_as<void>;
      }, "baton not_a_kernel: a kernel computes; write: template <class Call> static void run(const Call& call)");
  if constexpr (requires { &T::scratch_bytes; }) {
    constexpr bool says_how_much = scratch_kernel<T>;
    static_assert(says_how_much,
                  "baton not_a_kernel: a kernel that needs scratch says how many bytes; write: static constexpr auto scratch_bytes(const "
                  "baton::program_view&, const baton::node&) -> std::uint32_t");
  }
  if constexpr (requires { &T::read_ahead_bytes; }) {
    constexpr bool says_how_far = reading_ahead_kernel<T>;
    static_assert(says_how_far,
                  "baton not_a_kernel: a kernel that reads behind its operands says how far; write: static constexpr auto "
                  "read_ahead_bytes(const baton::program_view&, const baton::node&) -> std::uint32_t");
  }
  if constexpr (requires { &T::prepared_size; } || requires { &T::prepare; }) {
    constexpr bool prepares = preparing_kernel<T>;
    static_assert(prepares,
                  "baton not_a_kernel: a kernel that prepares constants says how many elements, and makes them; write: static constexpr "
                  "auto prepared_size(const baton::program_view&, const baton::node&) -> baton::prepared_blocks<T> and static constexpr "
                  "void prepare(const baton::program_view&, const baton::node&, std::size_t first, baton::span<T> to)");
  }
  if constexpr (requires { &T::distance_of; }) {
    constexpr bool says_how_near = overlapping_kernel<T>;
    static_assert(says_how_near,
                  "baton not_a_kernel: a kernel whose output may lie on an operand says how near; write: static constexpr auto "
                  "distance_of(const baton::program_view&, const baton::node&, std::size_t operand) -> baton::least_distance");
  }
  if constexpr (requires { &T::window_of; }) {
    constexpr bool says_what_it_reads = streaming_kernel<T>;
    static_assert(says_what_it_reads,
                  "baton not_a_kernel: a kernel that is run by rows says which rows it reads; write: static constexpr auto window_of(const "
                  "baton::program_view&, const baton::node&, std::size_t operand) -> baton::row_window");
  }
  if constexpr (requires { &T::rows_at_once; }) {
    constexpr bool says_how_many = row_block_kernel<T>;
    static_assert(says_how_many,
                  "baton not_a_kernel: a kernel that makes several rows at once is run by rows, and says how many; write: static constexpr "
                  "auto rows_at_once(const baton::program_view&, const baton::node&) -> std::int32_t beside window_of");
  }
  return true;
}

}  // namespace baton::detail
