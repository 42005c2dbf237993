// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What is said to who writes a kernel of another form.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/shared/with_names.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/least_distance.hpp>
#include <baton/kernel/nesting.hpp>
#include <baton/kernel/prepared_blocks.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/kernel/shared/archetype_call.hpp>
#include <baton/kernel/shared/kernel_members.hpp>

#include <concepts>
#include <type_traits>

namespace baton::detail {

/// The names that are looked for beside `supports`, `run` and `run_rows`.
struct kernel_names {
  int scratch_bytes, states, prepared_size, prepare, read_ahead_bytes, forwards_input, nesting_of, distance_of;
  int window_of, rows_at_once, run_pixels, sum_bytes, start_sums, add_row, finish_sums;
};

/// What is checked of `forwards_input`, which may be false, too.
template <class T>
concept says_what_it_forwards = requires { requires std::same_as<decltype(T::forwards_input), const bool>; };

/// Whether a kernel has a `run_rows` for any call. One that is constrained, as to calls of images, is looked at where it runs.
template <class T>
concept has_unconstrained_rows = requires { typename std::type_identity<decltype(&T::run_rows)>; } ||
                                 requires { typename std::type_identity<decltype(&T::template run_rows<archetype_call>)>; };

/// Each check asks whether the member is there in its form, or its name is not there.
template <class T>
consteval void require_kernel_memory() {
  using named = with_names<T, kernel_names>;
  constexpr bool says_how_much = scratch_kernel<T> || requires { &named::scratch_bytes; };
  static_assert(says_how_much,
                "baton not_a_kernel: a kernel that needs scratch says how many bytes; write: static constexpr auto scratch_bytes(const "
                "baton::program_view&, const baton::node&) -> std::uint32_t");
  constexpr bool says_which = stateful_kernel<T> || requires { &named::states; };
  static_assert(
      says_which,
      "baton not_a_kernel: a kernel that keeps states says which operands they are; write: static constexpr std::size_t states[] = {1};");
  constexpr bool prepares = preparing_kernel<T> || requires {
    &named::prepared_size;
    &named::prepare;
  };
  static_assert(prepares,
                "baton not_a_kernel: a kernel that prepares constants says how many elements, and makes them; write: static constexpr auto "
                "prepared_size(const baton::program_view&, const baton::node&) -> baton::prepared_blocks<T> and static constexpr void "
                "prepare(const baton::program_view&, const baton::node&, std::size_t first, baton::span<T> to)");
  constexpr bool says_how_far = reading_ahead_kernel<T> || requires { &named::read_ahead_bytes; };
  static_assert(says_how_far,
                "baton not_a_kernel: a kernel that reads behind its operands says how far; write: static constexpr auto "
                "read_ahead_bytes(const baton::program_view&, const baton::node&) -> std::uint32_t");
  constexpr bool says_whether = says_what_it_forwards<T> || requires { &named::forwards_input; };
  static_assert(
      says_whether,
      "baton not_a_kernel: a kernel that hands its operand on says so by a constant; write: static constexpr bool forwards_input = true;");
  constexpr bool says_what_lies_where = nesting_kernel<T> || requires { &named::nesting_of; };
  static_assert(says_what_lies_where,
                "baton not_a_kernel: a kernel that joins or parts values says where the parts lie; write: static constexpr auto "
                "nesting_of(const baton::program_view&, const baton::node&) -> baton::nesting");
  constexpr bool says_how_near = overlapping_kernel<T> || requires { &named::distance_of; };
  static_assert(says_how_near,
                "baton not_a_kernel: a kernel whose output may lie on an operand says how near; write: static constexpr auto "
                "distance_of(const baton::program_view&, const baton::node&, std::size_t operand) -> baton::least_distance");
}
template <class T>
consteval void require_kernel_rows() {
  using named = with_names<T, kernel_names>;
  constexpr bool says_what_it_reads = streaming_kernel<T> || requires { &named::window_of; };
  static_assert(says_what_it_reads,
                "baton not_a_kernel: a kernel that is run by rows says which rows it reads; write: static constexpr auto window_of(const "
                "baton::program_view&, const baton::node&, std::size_t operand) -> baton::row_window");
  constexpr bool has_rows = row_kernel<T> || !has_unconstrained_rows<T>;
  static_assert(has_rows,
                "baton not_a_kernel: a kernel computes rows from first to before last; write: template <class Call> static void "
                "run_rows(const Call& call, std::int32_t first, std::int32_t last)");
  constexpr bool says_how_many = row_block_kernel<T> || requires { &named::rows_at_once; };
  static_assert(says_how_many,
                "baton not_a_kernel: a kernel that makes several rows at once is run by rows, and says how many; write: static constexpr "
                "auto rows_at_once(const baton::program_view&, const baton::node&) -> std::int32_t beside window_of");
  constexpr bool has_pixels = pixel_kernel<T> || requires { &named::run_pixels; };
  static_assert(has_pixels,
                "baton not_a_kernel: a kernel that is run by rows computes pixels of one; write: template <class Call> static void "
                "run_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t last) beside window_of");
  constexpr bool sums = summing_kernel<T> || requires {
    &named::sum_bytes;
    &named::start_sums;
    &named::add_row;
    &named::finish_sums;
  };
  static_assert(sums,
                "baton not_a_kernel: a kernel that sums rows up is run by rows, says how many bytes, and makes them; write: static "
                "constexpr auto sum_bytes(const baton::program_view&, const baton::node&) -> std::uint32_t and template <class Call> "
                "static void start_sums(const Call& call, char* sums), add_row(const Call& call, char* sums, std::int32_t row), "
                "finish_sums(const Call& call, const char* sums) beside window_of");
}

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
  require_kernel_memory<T>();
  require_kernel_rows<T>();
  return true;
}

}  // namespace baton::detail
