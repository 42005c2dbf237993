// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Concepts for the functions of a kernel: `describe`, the two overloads of `compute`, and the optional functions.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/kernel/node_call.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/archetype_call.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace baton {

namespace detail {

template <class T>
inline constexpr bool is_description = false;
template <class Plan>
inline constexpr bool is_description<node_description<Plan>> = true;

template <class T>
auto prepared_element(void (*)(const program_view&, const node&, std::size_t, span<T>)) -> T;

}  // namespace detail

template <class Kernel>
concept describing_kernel = requires(const program_view& program, const node& record) {
  requires detail::is_description<decltype(Kernel::describe(program, record))>;
};

template <describing_kernel Kernel>
using plan_type_of = decltype(Kernel::describe(std::declval<program_view>(), std::declval<node>()).plan);

/// A kernel whose `compute` receives the plan of the node (`node_description::plan`). The plan need not be a constant.
template <class Kernel>
concept plan_kernel = describing_kernel<Kernel> && requires(const plan_type_of<Kernel>& plan, const node_memory& memory) {
  { Kernel::compute(plan, memory) } -> std::same_as<void>;
};

/// A kernel whose `compute` receives a `node_call`, which contains the node as a constant.
template <class Kernel, class Call = archetype_call>
concept call_kernel = requires(const Call& call) {
  { Kernel::compute(call) } -> std::same_as<void>;
};

template <class Kernel>
using prepared_element_of = decltype(detail::prepared_element(&Kernel::prepare));

template <class Kernel>
concept preparing_kernel = requires {
  typename prepared_element_of<Kernel>;
  requires std::is_arithmetic_v<prepared_element_of<Kernel>>;
};

template <class Kernel, class Call = archetype_call>
concept row_kernel = requires(const Call& call) {
  { Kernel::compute_rows(call, std::int32_t{0}, std::int32_t{1}) } -> std::same_as<void>;
};

template <class Kernel, class Call = archetype_call>
concept pixel_kernel = requires(const Call& call) {
  { Kernel::compute_pixels(call, std::int32_t{0}, std::int32_t{0}, std::int32_t{1}) } -> std::same_as<void>;
};

template <class Kernel, class Call = archetype_call>
concept summing_kernel = requires(const Call& call, char* sums) {
  { Kernel::start_sums(call, sums) } -> std::same_as<void>;
  { Kernel::add_row(call, sums, std::int32_t{0}) } -> std::same_as<void>;
  { Kernel::finish_sums(call, sums) } -> std::same_as<void>;
};

}  // namespace baton
