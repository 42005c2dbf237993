// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Which of the optional members a kernel has. What they mean stands at `kernel`.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/least_distance.hpp>
#include <baton/kernel/nesting.hpp>
#include <baton/kernel/node_call.hpp>
#include <baton/kernel/prepared_blocks.hpp>
#include <baton/kernel/row_window.hpp>
#include <baton/kernel/shared/archetype_call.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton {

template <class Kernel>
concept overlapping_kernel = requires(const program_view& program, const node& record, std::size_t operand) {
  { Kernel::distance_of(program, record, operand) } -> std::same_as<least_distance>;
};

template <class Kernel>
concept forwarding_kernel = requires { requires std::bool_constant<Kernel::forwards_input>::value; };

template <class Kernel>
concept nesting_kernel = requires(const program_view& program, const node& record) {
  { Kernel::nesting_of(program, record) } -> std::same_as<nesting>;
};

template <class Kernel>
concept scratch_kernel = requires(const program_view& program, const node& record) {
  { Kernel::scratch_bytes(program, record) } -> std::same_as<std::uint32_t>;
};

template <class Kernel>
concept stateful_kernel = requires {
  { Kernel::states[0] } -> std::convertible_to<std::size_t>;
};

template <class Kernel>
concept reading_ahead_kernel = requires(const program_view& program, const node& record) {
  { Kernel::read_ahead_bytes(program, record) } -> std::same_as<std::uint32_t>;
};

namespace detail {

template <class T>
inline constexpr bool are_prepared_blocks = false;
template <class T>
inline constexpr bool are_prepared_blocks<prepared_blocks<T>> = std::is_arithmetic_v<T>;

}  // namespace detail

template <class Kernel>
using prepared_element_of = typename decltype(Kernel::prepared_size(std::declval<program_view>(), std::declval<node>()))::element;

template <class Kernel>
concept preparing_kernel = requires(const program_view& program, const node& record) {
  requires detail::are_prepared_blocks<decltype(Kernel::prepared_size(program, record))>;
  { Kernel::prepare(program, record, std::size_t{0}, span<prepared_element_of<Kernel>>{}) } -> std::same_as<void>;
};

template <class Kernel, class Call = archetype_call>
concept row_kernel = requires(const Call& call) {
  { Kernel::run_rows(call, std::int32_t{0}, std::int32_t{1}) } -> std::same_as<void>;
};

template <class Kernel>
concept streaming_kernel = requires(const program_view& program, const node& record, std::size_t operand) {
  { Kernel::window_of(program, record, operand) } -> std::same_as<row_window>;
};

template <class Kernel>
concept row_block_kernel = streaming_kernel<Kernel> && requires(const program_view& program, const node& record) {
  { Kernel::rows_at_once(program, record) } -> std::same_as<std::int32_t>;
};

template <class Kernel, class Call = archetype_call>
concept pixel_kernel = streaming_kernel<Kernel> && requires(const Call& call) {
  { Kernel::run_pixels(call, std::int32_t{0}, std::int32_t{0}, std::int32_t{1}) } -> std::same_as<void>;
};

template <class Kernel, class Call = archetype_call>
concept summing_kernel =
    streaming_kernel<Kernel> && requires(const program_view& program, const node& record, const Call& call, char* sums) {
      { Kernel::sum_bytes(program, record) } -> std::same_as<std::uint32_t>;
      { Kernel::start_sums(call, sums) } -> std::same_as<void>;
      { Kernel::add_row(call, sums, std::int32_t{0}) } -> std::same_as<void>;
      { Kernel::finish_sums(call, sums) } -> std::same_as<void>;
    };

}  // namespace baton
