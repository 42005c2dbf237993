// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An image that uses facts of tensors and a profile contains their names and numbers, but no other part of the program.
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>
#include <baton/run/profiler.hpp>
#include <baton/run/quantize.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

using namespace baton;

struct copy {
  static constexpr auto describe(const program_view&, const node&) -> node_description<> { return {accept()}; }
  static void compute(const no_plan&, const node_memory& memory) {
    for (std::size_t i = 0; i < 8; ++i) memory.outputs[0][i] = memory.inputs[0][i];
  }
};
struct npu {
  static constexpr auto id = name<"npu">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return preprocess_result{"blob"}; }
  static void execute(const delegate_call& call) { call.outputs[0][0] = call.inputs[0][0]; }
};

struct make_model {
  constexpr auto operator()() const {
    program_builder b;
    const auto x = b.user_input("x", tensor(dtype::int8, 8));
    const auto near = b.call("near", "test.copy", {x}, tensor(dtype::int8, 8));
    const auto far = b.call("far", "test.npu", {near}, tensor(dtype::int8, 8));
    constexpr float scales[] = {1, 2, 3, 4, 5, 6, 7, 8};
    constexpr std::int64_t zero_points[8] = {};
    b.quantize(x, 0.5f, 3);
    b.quantize(far, scales, zero_points, 0);
    b.output(far);
    return b.finish();
  }
};
constexpr auto lowered = to_backend(backends<npu>, static_program<make_model>{}, by_support<npu, operator_names<"test.npu">>{});

struct counter {
  static auto now() -> std::uint32_t;
};

basic_executor<lowered, kernels<copy>> net_profiled;
profiler<lowered, counter> net_profile;

auto run(const std::array<float, 8>& reals, std::array<float, 8>& outputs) -> std::uint64_t {
  quantize(net_profiled.input_info<0>(), reals, net_profiled.input<0>());
  net_profiled.run(net_profile);
  dequantize(net_profiled.output_info<0>(), net_profiled.output<0>(), outputs);
  return net_profile.total();
}
// In tables that a caller walks through, so that no fact is folded away.
auto info(std::size_t i) -> const tensor_info& {
  static constexpr std::array<tensor_info, 2> all{net_profiled.input_info<0>(), net_profiled.output_info<0>()};
  return all[i];
}
auto row(std::size_t i) -> profile_row { return net_profile[i]; }
