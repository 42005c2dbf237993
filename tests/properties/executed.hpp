// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random programs, with or without state, on the executor: the outputs of several runs match the reference.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/plan/memory_policies.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/copied_weights.hpp>

#include "conformance/wrapping.hpp"
#include "properties/properties.hpp"
#include "properties/random_program.hpp"
#include "reference/interpreter.hpp"
#include "reference/kernels.hpp"
#include "run/late_dma.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace properties {

/// A backend whose delegates are run by the executor from their original programs.
template <baton::fixed_string Id>
struct executed_backend {
  static constexpr auto id = baton::name<Id>;
  static constexpr bool runs_original = true;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};
using first_executed = executed_backend<"First">;
using second_executed = executed_backend<"Second">;

/// The memory of programs: one arena, planned by the default policy or by another one, or two regions, in which nothing persists between
/// runs, or one arena and a small buffer to which constants are copied.
enum class memory : std::uint8_t { one_arena, two_regions, one_arena_and_copies, planned_in_place, planned_by_rows };

/// Returns the program of a seed. Every second program is lowered with random tags, if these are legal.
template <std::uint64_t Seed, memory In, amount_of_state State>
constexpr auto executed_program() -> baton::exported_program {
  auto program = reference::with_data(make_program(Seed, {State == amount_of_state::in_place ? 10u : 3u, 2, State}));
  if (Seed % 2 == 0) return program;
  auto lowered =
      baton::try_to_backend(baton::backends<first_executed, second_executed>, program, random_partitioner{Seed}, baton::validation::on);
  return lowered ? std::move(lowered.value) : std::move(program);
}

template <std::size_t Bytes>
inline baton::memory_region<Bytes> fast;
template <std::size_t Bytes>
inline baton::memory_region<Bytes> slow;

/// Not a specialization for two regions, because Clang 16 ignores a specialization after a reference parameter.
template <auto& Model, memory In>
constexpr auto executor_of() {
  using in_one = baton::basic_executor<Model, reference::aten_with_steps>;
  if constexpr (In == memory::one_arena) {
    return std::type_identity<in_one>{};
  } else if constexpr (In == memory::planned_in_place) {
    return std::type_identity<baton::basic_executor<Model, reference::aten_with_steps, baton::plan_options{},
                                                    baton::planned_by<baton::memory_policies::in_place>>>{};
  } else if constexpr (In == memory::planned_by_rows) {
    return std::type_identity<baton::basic_executor<Model, reference::aten_with_steps, baton::plan_options{},
                                                    baton::planned_by<baton::memory_policies::row_streaming>>>{};
  } else if constexpr (In == memory::one_arena_and_copies) {
    return std::type_identity<baton::basic_executor<Model, reference::aten_with_steps, baton::plan_options{},
                                                    baton::copied_weights<tests::late_dma, fast<48>, 1>>>{};
  } else {
    constexpr auto whole = in_one::arena_bytes;
    return std::type_identity<baton::basic_executor<Model, reference::aten_with_steps, baton::plan_options{},
                                                    baton::in_regions<fast<(whole / 32 + 1) * 16>, slow<whole + 16>>>>{};
  }
}

inline int plans_in_both_regions = 0;
inline int plans_with_copies = 0;

/// True if four consecutive runs of a seed's program match the reference.
template <std::uint64_t Seed, memory In, amount_of_state State>
auto matches_the_reference() -> bool {
  static constexpr baton::static_program<conformance::wrapping<executed_program<Seed, In, State>, first_executed, second_executed>> model;
  static typename decltype(executor_of<model, In>())::type net;
  if constexpr (In == memory::two_regions) {
    const auto used = net.plan().used;
    plans_in_both_regions += used.fast != 0 && used.slow != 0 ? 1 : 0;
  }
  if constexpr (In == memory::one_arena_and_copies) {
    plans_with_copies += net.weight_copies().copied_bytes() != 0 ? 1 : 0;
  }
  const baton::program_view program = model;
  reference::state buffers;
  for (std::uint64_t run = 1; run <= 4; ++run) {
    const auto inputs = reference::some_inputs(program, run);
    const auto actual = reference::execute(net, program, inputs);
    const auto expected = reference::evaluate(program, inputs, buffers);
    if (!std::equal(actual.begin(), actual.end(), expected.begin(), expected.end(), same_bits)) return false;
  }
  return true;
}

inline constexpr std::uint64_t no_seed = UINT64_MAX;

/// Returns the first of `Count` seeds from `First` on whose program does not match; `no_seed` if all match.
template <std::uint64_t First, memory In = memory::one_arena, amount_of_state State = amount_of_state::much, std::uint64_t Count = 20>
auto first_wrong() -> std::uint64_t {
  return []<std::uint64_t... I>(std::integer_sequence<std::uint64_t, I...>) {
    auto wrong = no_seed;
    static_cast<void>(((matches_the_reference<First + I, In, State>() || (wrong = First + I, false)) && ...));
    return wrong;
  }(std::make_integer_sequence<std::uint64_t, Count>{});
}

}  // namespace properties
