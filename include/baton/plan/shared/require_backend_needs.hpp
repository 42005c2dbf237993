// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Diagnostics for backends that declare a requirement in an unsupported form.
#pragma once

#include <baton/backend/backends.hpp>
#include <baton/backend/io_offsets.hpp>
#include <baton/backend/lowered_module.hpp>
#include <baton/core/shared/with_names.hpp>
#include <baton/plan/detail/backend_members.hpp>
#include <baton/plan/shared/processed_bytes_alignment.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace baton::detail {

/// A backend with a valid argument alignment: a constant that is a power of two.
template <class Backend>
concept has_argument_alignment = requires {
  { std::bool_constant<std::has_single_bit(std::uint32_t{Backend::argument_alignment})>{} } -> std::same_as<std::true_type>;
};

/// A backend that declares `runs_original` as a constant `bool`, true or false.
template <class Backend>
concept has_runs_original = requires { requires std::same_as<decltype(Backend::runs_original), const bool>; };

/// The names of members that a backend may declare. `with_names` detects a declared member, independent of its type.
struct need_names {
  int processed_bytes_alignment, argument_alignment, overread_bytes, io_offsets_in_scratch, runs_original, kernels;
};

/// Reports an error at compile time if a backend declares a requirement in an unsupported form.
template <class Backend>
consteval auto require_backend_needs() -> bool {
  using undeclared = with_names<Backend, need_names>;  // `&undeclared::name` is ambiguous, and thus invalid, if `Backend` declares `name`
  constexpr bool is_processed_alignment_valid =
      has_processed_bytes_alignment<Backend> || requires { &undeclared::processed_bytes_alignment; };
  static_assert(is_processed_alignment_valid,
                "baton not_a_backend: processed_bytes_alignment is not a constant power of two; write: static constexpr std::size_t "
                "processed_bytes_alignment = 64;");
  constexpr bool is_argument_alignment_valid = has_argument_alignment<Backend> || requires { &undeclared::argument_alignment; };
  static_assert(is_argument_alignment_valid,
                "baton not_a_backend: argument_alignment is not a constant power of two; write: static constexpr std::uint32_t "
                "argument_alignment = 64;");
  constexpr bool is_overread_valid = overreading_backend<Backend> || requires { &undeclared::overread_bytes; };
  static_assert(is_overread_valid,
                "baton not_a_backend: overread_bytes is not a constant number of bytes; write: static constexpr std::uint32_t "
                "overread_bytes = 64;");
  constexpr bool are_io_offsets_valid = scratch_placing_backend<Backend> || requires { &undeclared::io_offsets_in_scratch; };
  static_assert(
      are_io_offsets_valid,
      "baton not_a_backend: the signature of io_offsets_in_scratch is wrong; write: static constexpr auto io_offsets_in_scratch(const "
      "baton::lowered_module_view& module) -> baton::io_offsets");
  constexpr bool is_runs_original_valid = has_runs_original<Backend> || requires { &undeclared::runs_original; };
  static_assert(is_runs_original_valid,
                "baton not_a_backend: runs_original is not a constant bool; write: static constexpr bool runs_original = true;");
  constexpr bool are_kernels_valid = kernel_providing_backend<Backend> || requires { &undeclared::kernels; };
  static_assert(are_kernels_valid,
                "baton not_a_backend: kernels is not a list; write: static constexpr auto kernels = baton::kernels<my_kernel>;");
  return true;
}
template <class... Backends>
consteval auto require_backend_needs(backend_list<Backends...>) -> bool {
  return (require_backend_needs<Backends>() && ...);
}

}  // namespace baton::detail
