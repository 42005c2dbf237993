// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/backend/call_slots.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;

/// A backend that records the position of each argument and result of the call, and refuses parts with other inputs.
struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> result<preprocess_result> {
    constexpr std::string_view expected[] = {"x", "sub", "b"};
    if (auto bound = call_slots::inputs_of(part).are_bound_by(expected); !bound) return refuse_part(view(bound.reason));
    preprocess_result processed;
    for (const auto& slot : call_slots::inputs_of(part)) append(append(append(processed.processed_bytes, slot.name), slot.position), ";");
    for (const auto& slot : call_slots::outputs_of(part)) append(append(append(processed.processed_bytes, slot.name), slot.position), ";");
    return processed;
  }
};
using second = tags::partitioner<tags::part<"t", "Npu", "mm_1 add_1">>;
using first = tags::partitioner<tags::part<"t", "Npu", "mm add">>;

constexpr auto mmadd = static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = to_backend(backends<npu>, mmadd, second{});
static_assert(delegates(lowered)[0].processed_bytes() == "sub0;x1;b2;add_10;");

constexpr auto a_backend_knows_its_call() -> bool {
  const auto at_run_time = to_backend(backends<npu>, conformance::g_mmadd(), second{});
  const auto refused = try_to_backend(backends<npu>, conformance::g_mmadd(), first{}, validation::on);
  return delegates(at_run_time)[0].processed_bytes() == "sub0;x1;b2;add_10;" && view(refused.error.reason) == "the call has no slot sub";
}
static_assert(a_backend_knows_its_call());

constexpr auto slots_are_the_user_inputs_and_outputs() -> bool {
  const auto program = conformance::g_mut();
  const auto inputs = call_slots::inputs_of(program);
  const auto outputs = call_slots::outputs_of(program);
  constexpr std::string_view twice[] = {"x", "x"};
  return inputs.size() == 1 && inputs[0].name == "x" && outputs.size() == 1 && outputs[0].name == "add" && inputs.position_of("x") == 0u &&
         !inputs.position_of("b_my_state") && view(inputs.are_bound_by(twice).reason) == "slot x is bound 2 times" &&
         view(inputs.are_bound_by({}).reason) == "slot x is bound 0 times";
}
static_assert(slots_are_the_user_inputs_and_outputs());

}  // namespace

TEST_CASE("a backend knows the arguments and results of its call, by name and position") {
  CHECK(a_backend_knows_its_call());
  CHECK(slots_are_the_user_inputs_and_outputs());
}
