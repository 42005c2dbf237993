// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The alignment of the processed bytes of a backend.
#pragma once

#include <baton/core/config.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace baton {

/// A backend with a valid alignment of processed bytes: a constant that is a power of two.
template <class Backend>
concept has_processed_bytes_alignment = requires {
  { std::bool_constant<std::has_single_bit(std::size_t{Backend::processed_bytes_alignment})>{} } -> std::same_as<std::true_type>;
};
/// The alignment of the processed bytes of a backend, in bytes. It is 16 if the backend declares no valid alignment.
template <class Backend>
inline constexpr std::size_t processed_bytes_alignment_of = 16;
template <has_processed_bytes_alignment Backend>
inline constexpr std::size_t processed_bytes_alignment_of<Backend> = Backend::processed_bytes_alignment;

}  // namespace baton
