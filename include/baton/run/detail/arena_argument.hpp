// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The diagnostic for an arena that is passed to the constructor of an executor, as in TensorFlow Lite Micro.
#pragma once

#include <baton/core/rule.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace baton::detail {

/// True if `T` designates memory: a pointer, an array, or an object with `data` and `size`.
template <class T>
concept memory_argument = std::convertible_to<T, const volatile void*> || requires(const std::remove_reference_t<T>& memory) {
  memory.data();
  memory.size();
};

/// True if the argument types are memory and, optionally, its size.
template <class Arena, class... Size>
concept arena_arguments = memory_argument<Arena> && sizeof...(Size) <= 1 && (std::convertible_to<Size, std::size_t> && ...);

/// Fails at compile time with the message that rejects an arena.
template <class Arena>
consteval void refuse_arena() {
  static_assert(always_false<Arena>,
                "baton executor: an executor cannot be constructed with an arena, because it contains its arena; remove the "
                "argument, or select the memory by its type: baton::in_arena<pool>, where pool is a baton::arena_for<...>");
}

}  // namespace baton::detail
