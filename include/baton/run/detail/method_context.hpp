// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// What an executor knows of the methods that it runs among: where their states lie, and whose arena it runs in.
#pragma once

#include <baton/plan/shared/pinned_states.hpp>
#include <baton/plan/shared/regions.hpp>

#include <concepts>
#include <cstddef>

namespace baton::detail {

/// The `M`th method of an owner, in whose arena it runs; `States` are a `static_method_states`.
template <class Owner, class States, std::size_t M>
struct method_context {
  using owner = Owner;
  using programs = typename States::programs;
  static constexpr auto pinned() -> pinned_states { return {States::template pinned_of<M>, States::all.bytes}; }
  static constexpr auto regions() -> memory_regions { return {}; }
};

/// Whether a service of an executor is its position among methods.
template <class Service>
concept method_context_service = requires {
  typename Service::owner;
  { Service::pinned() } -> std::same_as<pinned_states>;
};

}  // namespace baton::detail
