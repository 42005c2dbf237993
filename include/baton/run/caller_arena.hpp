// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Arenas in memory of the caller: in a selected section, shared by several programs, or split over a fast and a slow region.
#pragma once

#include <baton/core/shared/static_failure.hpp>
#include <baton/plan/shared/memory_base.hpp>
#include <baton/plan/shared/pinned_states.hpp>
#include <baton/plan/shared/regions.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

namespace baton {

/// Memory whose size and alignment suffice for the arena of each of `Executors`: `baton::arena_for<executor<a>, executor<b>> pool;`.
template <class... Executors>
struct arena_for {
  static_assert(sizeof...(Executors) != 0, "baton arena_for: an arena has no executor; name at least one");
  static constexpr std::size_t size = std::max({std::size_t{1}, Executors::arena_bytes...});
  static constexpr std::size_t alignment = std::max({Executors::arena_alignment...});

  alignas(alignment) std::byte bytes[size];
};

/// A service that makes an executor run in memory of the caller: `baton::executor<model, baton::in_arena<pool>> net;`. `pool` is a variable
/// of static storage duration, such as an `arena_for`. The type of `pool` must have at least the size and the alignment that the plan
/// requires. An attribute may place `pool` in a section.
///
/// Several executors may run in one arena, one after another. The inputs and outputs of an executor are valid until another executor runs
/// or receives inputs. A program with mutable buffers is rejected, because the other executors would overwrite the buffers. Such a program
/// needs memory of type `for_one_executor`. To share an arena between such programs, use `basic_methods_executor`.
template <auto& Arena>
struct in_arena {
  static constexpr std::size_t bytes = sizeof(Arena);
  static constexpr std::size_t alignment = alignof(std::remove_reference_t<decltype(Arena)>);
  static auto begin() -> char* { return static_cast<char*>(static_cast<void*>(&Arena)); }
};

/// A type of memory that is promised to one executor. `Memory` is an `arena_for` or a `memory_region`:
/// `baton::for_one_executor<baton::arena_for<baton::executor<model>>> pool;`. A program with mutable buffers may run in such memory. With
/// `in_regions`, both regions must be of type `for_one_executor`. Programs with resource variables are rejected.
///
/// The memory belongs to the first executor for which `run`, `start`, `reset`, `save` or `restore` is called. This executor first writes
/// the initial values of its states, so the memory may be in a section that is not initialized. For every other executor, `run` and `start`
/// return `invalid_state`, and `reset`, `save` and `restore` do nothing. `input()` and `output()` of another executor return bytes in
/// memory of the owner, so the caller must not write these bytes. The owner must have static storage duration, because its address
/// identifies the owner.
template <class Memory>
struct for_one_executor : Memory {};

namespace detail {

template <class Memory>
inline constexpr bool is_promised = false;
template <class Memory>
inline constexpr bool is_promised<for_one_executor<Memory>> = true;

/// The executor that owns `Memory`, which is a `for_one_executor`; null if no executor owns it. This pointer is not stored in the memory
/// itself, because the memory may be uninitialized.
template <auto& Memory>
inline constinit const void* owner_of_memory = nullptr;

/// The memory of an executor that the caller provides: one arena, or two regions.
template <auto&... Memory>
struct caller_memory {
  /// Whether all memory is promised to one executor.
  static constexpr bool is_promised = (detail::is_promised<std::remove_reference_t<decltype(Memory)>> && ...);
  /// If the memory has no owner, makes `executor` the owner and calls `initialize()`. Returns false if another executor owns a part of the
  /// memory.
  template <class Initialize>
  static auto claim(const void* executor, Initialize initialize) -> bool {
    const std::array<const void*, sizeof...(Memory)> owners{owner_of_memory<Memory>...};
    if (std::count(owners.begin(), owners.end(), executor) == std::ptrdiff_t{sizeof...(Memory)}) return true;
    if (std::any_of(owners.begin(), owners.end(), [executor](const void* owner) { return owner != nullptr && owner != executor; }))
      return false;
    ((owner_of_memory<Memory> = executor), ...);
    initialize();
    return true;
  }
};

/// The `caller_memory` of a service; `void` if the service provides no memory of the caller.
template <class Service>
struct memory_of_service {
  using type = void;
};
template <auto& Arena>
struct memory_of_service<in_arena<Arena>> {
  using type = caller_memory<Arena>;
};

// Types that appear in diagnostics: the given and the required size and alignment, in bytes.
template <std::size_t Bytes, std::size_t Alignment>
struct given_arena;

template <std::size_t Bytes, std::size_t Alignment>
struct wanted_arena;

template <class Service>
inline constexpr bool is_caller_arena = false;
template <auto& Arena>
inline constexpr bool is_caller_arena<in_arena<Arena>> = true;

/// Fails at compile time if a program has states that memory of the caller cannot keep. `Memory` is a `caller_memory`.
template <class Memory, bool HasStates, bool HasVariables>
consteval void check_promise() {
  static_assert(Memory::is_promised || !HasStates,
                "baton executor: a program with mutable buffers keeps them in memory of the caller that other executors may use; promise "
                "the memory to this executor (baton::for_one_executor), remove in_arena or in_regions, or make the program a method");
  static_assert(
      !Memory::is_promised || !HasVariables,
      "baton executor: a program with resource variables cannot keep them in memory of the caller; remove in_arena or in_regions");
}

/// Fails at compile time if an arena of the caller has fewer than `Bytes` bytes, or is not aligned to `Alignment` bytes. Otherwise, returns
/// true.
template <class Arena, std::size_t Bytes, std::size_t Alignment>
consteval auto check_caller_arena() -> bool {
  constexpr bool fits = Arena::bytes >= Bytes && Arena::alignment % Alignment == 0;
  static_assert(fits || always_false<error_facts<given_arena<Arena::bytes, Arena::alignment>, wanted_arena<Bytes, Alignment>>>,
                "baton in_arena: an arena is smaller or less aligned than the plan requires; use a baton::arena_for<...>");
  return fits;
}

}  // namespace detail

/// A memory region for `in_regions`. An attribute may place the region in a section, preferably in one without contents in the executable
/// file, like .bss: `[[gnu::section(".bss.dtcm")]] baton::memory_region<65536> fast;`.
template <std::size_t Bytes, std::size_t Alignment = 16>
struct memory_region {
  static_assert(Bytes != 0, "baton memory_region: a memory region has no bytes; state its size");
  alignas(Alignment) std::byte bytes[Bytes];
};

/// A service that splits the arena of an executor over two variables of static storage duration: `baton::executor<model,
/// baton::in_regions<fast, slow>> net;`. Both variables are of type `memory_region`, or of another type with the required alignment.
///
/// The fast region receives the values with the most accesses relative to their lifetime (`place_in_regions`). A value is in one region
/// only. All values of a branch or loop body are in the same region.
///
/// Several executors may run in the same regions, one after another, as with `in_arena`. Another executor could overwrite mutable buffers.
/// So a program with mutable buffers is rejected, unless both regions are of type `for_one_executor`. Fails at compile time with
/// `regions_too_small` if the values that are live at the same time do not fit the regions.
template <auto& Fast, auto& Slow>
struct in_regions {
  /// The smaller of the alignments of the two regions.
  static constexpr std::size_t alignment =
      std::min(alignof(std::remove_reference_t<decltype(Fast)>), alignof(std::remove_reference_t<decltype(Slow)>));
  static constexpr std::size_t fast_bytes = sizeof(Fast);
  static constexpr std::size_t slow_bytes = sizeof(Slow);

  template <memory_base Base>
  static auto begin_of() -> char* {
    static_assert(Base != memory_base::graph);
    if constexpr (Base == memory_base::fast_region) {
      return static_cast<char*>(static_cast<void*>(&Fast));
    } else {
      return static_cast<char*>(static_cast<void*>(&Slow));
    }
  }
};

namespace detail {

// Types that appear in diagnostics: the given and the required alignment, in bytes.
template <std::size_t Alignment>
struct given_alignment;

template <std::size_t Alignment>
struct wanted_alignment;

template <class Service>
inline constexpr bool is_region_arena = false;
template <auto& Fast, auto& Slow>
inline constexpr bool is_region_arena<in_regions<Fast, Slow>> = true;

template <auto& Fast, auto& Slow>
struct memory_of_service<in_regions<Fast, Slow>> {
  using type = caller_memory<Fast, Slow>;
};

template <class Regions>
inline constexpr bool are_same_variable = false;
template <auto& Region>
inline constexpr bool are_same_variable<in_regions<Region, Region>> = true;

/// Fails at compile time if both regions are one variable, or if a region is less aligned than the plan requires. Otherwise, returns true.
template <class Regions, std::size_t Alignment>
consteval auto check_region_arena() -> bool {
  static_assert(!are_same_variable<Regions>, "baton in_regions: the fast and the slow region are the same variable; use two variables");
  constexpr bool are_aligned = Regions::alignment % Alignment == 0;
  static_assert(are_aligned || always_false<error_facts<given_alignment<Regions::alignment>, wanted_alignment<Alignment>>>,
                "baton in_regions: a region is less aligned than the plan requires; use a baton::memory_region<bytes, alignment>");
  return are_aligned;
}

/// The `Setting` of an executor whose arena is split over two regions. A `Setting` states the requirements of services on the plan (see
/// `static_execution` in `plan/shared/static_execution.hpp`).
template <class Regions>
struct running_in_regions : Regions {
  static constexpr auto pinned() -> pinned_states { return {}; }
  static constexpr auto regions() -> memory_regions { return {Regions::fast_bytes, Regions::slow_bytes}; }
};

}  // namespace detail

}  // namespace baton
