// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The compile errors for a type that is not a kernel.
#pragma once

#include <baton/core/shared/with_names.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/shared/archetype_call.hpp>
#include <baton/kernel/shared/kernel_functions.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace baton {
template <class... Kernels>
struct kernel_list;
}  // namespace baton

namespace baton::detail {

/// The names of the optional members, except `compute_rows`. For example, the expression `&with_names<T, kernel_names>::prepare` is valid
/// only if `T` has no member `prepare`. Otherwise, the name is ambiguous, because `with_names` derives from both classes.
struct kernel_names {
  int prepare, compute_pixels, compute_chunks, start_sums, add_row, finish_sums, forms;
};

/// True if a kernel has a `compute_chunks` that accepts an `archetype_call`.
template <class Kernel>
concept chunk_kernel = requires(const archetype_call& call) {
  { Kernel::compute_chunks(call, std::int32_t{0}, std::int32_t{1}) } -> std::same_as<void>;
};

/// True if a kernel has a `compute_rows`, with any signature, whose constraints accept `archetype_call`. Any other `compute_rows`, for
/// example one for images only, is checked where it is called.
template <class T>
concept has_unconstrained_rows = requires { typename std::type_identity<decltype(&T::compute_rows)>; } ||
                                 requires { typename std::type_identity<decltype(&T::template compute_rows<archetype_call>)>; };

template <class T>
inline constexpr bool are_kernels = false;
template <class... Kernels>
inline constexpr bool are_kernels<kernel_list<Kernels...>> =
    ((describing_kernel<Kernels> && (plan_kernel<Kernels> || call_kernel<Kernels>)) && ...);
/// True if the type `forms` of a kernel is a list of kernels.
template <class Kernel>
concept kernel_with_listed_forms = are_kernels<typename Kernel::forms>;

/// Fails to compile if an optional member of `T` has a wrong signature or type.
template <class T>
consteval void require_optional_members() {
  using undeclared = with_names<T, kernel_names>;
  constexpr bool is_prepare_valid = preparing_kernel<T> || requires { &undeclared::prepare; };
  static_assert(is_prepare_valid,
                "baton not_a_kernel: the signature of prepare is wrong; write: static constexpr void prepare(const baton::program_view&, "
                "const baton::node&, std::size_t first, baton::span<T> to), where T is arithmetic");
  constexpr bool are_rows_valid = row_kernel<T> || !has_unconstrained_rows<T>;
  static_assert(are_rows_valid,
                "baton not_a_kernel: the signature of compute_rows is wrong; write: template <class Call> static void compute_rows(const "
                "Call& call, std::int32_t first, std::int32_t last)");
  constexpr bool are_pixels_valid = pixel_kernel<T> || requires { &undeclared::compute_pixels; };
  static_assert(are_pixels_valid,
                "baton not_a_kernel: the signature of compute_pixels is wrong; write: template <class Call> static void "
                "compute_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t last)");
  constexpr bool are_chunks_valid = chunk_kernel<T> || requires { &undeclared::compute_chunks; };
  static_assert(are_chunks_valid,
                "baton not_a_kernel: the signature of compute_chunks is wrong; write: template <class Call> static void "
                "compute_chunks(const Call& call, std::int32_t first, std::int32_t last)");
  constexpr bool are_sums_valid = summing_kernel<T> || requires {
    &undeclared::start_sums;
    &undeclared::add_row;
    &undeclared::finish_sums;
  };
  static_assert(are_sums_valid,
                "baton not_a_kernel: a kernel that sums rows needs three functions; write: template <class Call> static void "
                "start_sums(const Call& call, char* sums), add_row(const Call& call, char* sums, std::int32_t row), finish_sums(const "
                "Call& call, const char* sums)");
  constexpr bool are_forms_valid = kernel_with_listed_forms<T> || requires { &undeclared::forms; };
  static_assert(are_forms_valid,
                "baton not_a_kernel: the member forms is not a list of kernels; write: using forms = baton::kernel_list<my_other_kernel>, "
                "where each type of the list is a kernel");
}

/// Fails to compile with a message if `T` is not a kernel, or has an invalid optional member.
template <class T>
consteval auto require_kernel() -> bool {
  static_assert(describing_kernel<T>,
                "baton not_a_kernel: the kernel has no function describe with the right signature; write: static constexpr auto "
                "describe(const baton::program_view&, const baton::node&) -> baton::node_description<Plan>");
  static_assert(
      !describing_kernel<T> || plan_kernel<T> || call_kernel<T>,
      "baton not_a_kernel: the kernel has no function compute with the right signature; write: static void compute(const Plan& plan, const "
      "baton::node_memory& at), or template <class Call> static void compute(const Call& call)");
  require_optional_members<T>();
  return true;
}

}  // namespace baton::detail
