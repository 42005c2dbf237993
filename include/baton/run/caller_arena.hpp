// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Arenas that the caller places: in memory of a kind, or one for several programs that run in turn.
#pragma once

#include <baton/core/shared/static_failure.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

namespace baton {

/// Memory that is large enough, and aligned, for the arena of each of these executors: `baton::arena_for<executor<a>, executor<b>> pool;`.
template <class... Executors>
struct arena_for {
  static_assert(sizeof...(Executors) != 0, "baton arena_for: an arena is for executors; give at least one");
  static constexpr std::size_t size = std::max({std::size_t{1}, Executors::arena_bytes...});
  static constexpr std::size_t alignment = std::max({Executors::arena_alignment...});

  alignas(alignment) std::byte bytes[size];
};

/// A service of an executor: it runs in memory of the caller's, and has no arena of its own. `baton::executor<model,
/// baton::portable_kernels, baton::plan_options{}, baton::in_arena<pool>> net;`, where `pool` is a variable of static storage, an
/// `arena_for` or any other that is as large and whose type is so aligned; attributes may put it into a section. Several executors may run
/// in one arena, one after the other: what one has in its inputs and outputs lasts until another runs or is given inputs. A program with
/// mutable buffers is refused, for these would not last; as methods, programs share an arena in which they do (`basic_methods_executor`).
template <auto& Arena>
struct in_arena {
  static constexpr std::size_t bytes = sizeof(Arena);
  static constexpr std::size_t alignment = alignof(std::remove_reference_t<decltype(Arena)>);
  static auto begin() -> char* { return static_cast<char*>(static_cast<void*>(&Arena)); }
};

namespace detail {

// Facts beside a sentence: bytes and alignment, as they are given and wanted.
template <std::size_t Bytes, std::size_t Alignment>
struct given_arena;

template <std::size_t Bytes, std::size_t Alignment>
struct wanted_arena;

template <class Service>
inline constexpr bool is_caller_arena = false;
template <auto& Arena>
inline constexpr bool is_caller_arena<in_arena<Arena>> = true;

/// Stops the compiler with a sentence where an arena of the caller's does not fit a plan.
template <class Arena, std::size_t Bytes, std::size_t Alignment, bool HasStates>
consteval void check_caller_arena() {
  constexpr bool fits = Arena::bytes >= Bytes && Arena::alignment % Alignment == 0;
  static_assert(fits || always_false<found<given_arena<Arena::bytes, Arena::alignment>, wanted_arena<Bytes, Alignment>>>,
                "baton in_arena: an arena must have the bytes and the alignment of the plan; this one has not; make it a "
                "baton::arena_for<...>");
  static_assert(!fits || !HasStates,
                "baton in_arena: mutable buffers last only in an arena of the program's own; this program has some; leave in_arena out, or "
                "make it a method");
}

}  // namespace detail

}  // namespace baton
