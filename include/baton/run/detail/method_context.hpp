// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The context of an executor that runs one of several methods: the offsets of the states, and the owner of the arena.
#pragma once

#include <baton/plan/shared/pinned_states.hpp>
#include <baton/plan/shared/regions.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace baton::detail {

/// The context of method `M`, which runs in the arena of `Owner`. `States` is a `static_method_states`.
template <class Owner, class States, std::size_t M>
struct method_context {
  using owner = Owner;
  using programs = typename States::programs;
  static constexpr std::uint16_t method = M;
  static constexpr auto pinned() -> pinned_states { return {States::template pinned_of<M>, States::all.bytes}; }
  static constexpr auto regions() -> memory_regions { return {}; }
};

/// True if a service of an executor is a `method_context`.
template <class Service>
concept method_context_service = requires {
  typename Service::owner;
  { Service::pinned() } -> std::same_as<pinned_states>;
};

}  // namespace baton::detail
