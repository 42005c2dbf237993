// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Plans with inputs and outputs in buffers of the caller: outputs that cannot be bound, and the arenas of five models.
#include <baton/plan/shared/bound_tensors.hpp>

#include <baton/core/builder.hpp>
#include <baton/import/tflite.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/depthwise.hpp>
#include <baton/kernels/portable/fully_connected.hpp>
#include <baton/kernels/portable/pairwise.hpp>
#include <baton/kernels/portable/pooling.hpp>
#include <baton/kernels/portable/reshape.hpp>
#include <baton/kernels/portable/softmax.hpp>
#include <baton/plan/execution_plan.hpp>
#include <baton/plan/memory_policies/row_streaming.hpp>

#include "models/golden.hpp"
#include "overlap/shadow_memory.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace baton;

struct anything {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {accept()}; }
  static void compute(const no_plan&, const node_memory&) {}
};
constexpr auto bytes = tensor(dtype::int8, 16);
constexpr std::array<std::uint32_t, 2> both{0, 1};

/// True if the outputs that `add_outputs(builder, x, y)` adds cannot be bound, and the reason is `value`.
template <class AddOutputs>
constexpr auto is_refused(AddOutputs add_outputs, std::string_view value) -> bool {
  program_builder b;
  const auto x = b.user_input("x", bytes);
  add_outputs(b, x, b.call("y", "test.any", {x}, bytes));
  const auto program = b.finish();
  const result<execution_plan> plan = detail::plan_execution(kernels<anything>, program, {}, {}, {.bound = {{}, both}});
  const failure& why = plan.error;
  return why.is<"unbindable_output">() && view(why.reason) == value;
}
constexpr auto an_input_is_refused() -> bool {
  return is_refused([](program_builder& b, value_id x, value_id y) { b.output(y), b.output(x); }, "value x");
}
constexpr auto a_second_binding_is_refused() -> bool {
  return is_refused([](program_builder& b, value_id, value_id y) { b.output(y), b.output(y); }, "value y");
}
constexpr auto a_state_is_refused() -> bool {
  return is_refused(
      [](program_builder& b, value_id, value_id y) {
        const auto state = b.mutable_buffer("state", bytes, std::string_view("0123456789abcdef"));
        b.output(y), b.output(state);
      },
      "value b_state");
}
static_assert(an_input_is_refused() && a_second_binding_is_refused() && a_state_is_refused());

struct expectation {
  const char* model;
  std::uint64_t bytes;        ///< of the arena, by rows
  std::uint64_t bound_bytes;  ///< the same without the input
};
constexpr std::array<expectation, 5> models{{{"ad01_int8", 768, 784},
                                             {"kws_ref_model", 5168, 4688},
                                             {"pretrainedResnet_quant", 14144, 12304},
                                             {"vww_96_int8", 27760, 12080},
                                             {"person_detect", 13088, 12080}}};

}  // namespace

TEST_CASE("an output that no node computes, or that is bound twice, is refused") {
  CHECK(an_input_is_refused());
  CHECK(a_second_binding_is_refused());
  CHECK(a_state_is_refused());
}

TEST_CASE("with a bound input, plans by rows keep only the address of the input, and nothing is written to it") {
  constexpr auto list = kernels<portable::conv_2d, portable::depthwise_conv_2d, portable::fully_connected, portable::pairwise,
                                portable::average_pool_2d, portable::reshape, portable::softmax>;
  for (const auto& expected : models) {
    const auto file = golden::model_bytes(expected.model);
    if (file.empty()) continue;  // no shared folder
    CAPTURE(std::string(expected.model));
    const auto program = tflite::read_bytes(file);
    for (const bool is_bound : {false, true}) {
      const detail::bound_tensors bound{baton::span<const std::uint32_t>{both.data(), is_bound ? 1u : 0u}, {}};
      const auto plan =
          detail::plan_execution(list, program, {16}, {}, {.policy = planned_by<memory_policies::row_streaming>{}, .bound = bound});
      REQUIRE(plan);
      CHECK(plan.value.memory.arena_bytes == (is_bound ? expected.bound_bytes : expected.bytes));
      CHECK_FALSE(verify_plan(plan.value.memory));
      CHECK(overlap::shadow_memory(program, plan.value.memory).run() == 0);
    }
  }
}
