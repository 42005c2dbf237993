// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An operator with three kernels that trade instructions against scratch and flash, their cost table, and a chain of such nodes.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/kernel_costs.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace stepping {

/// The number of calls of each form.
inline int runs_of_quick = 0;
inline int runs_of_middle = 0;
inline int runs_of_slow = 0;

/// Adds the bytes of a constant to those of a value, `test.add_bytes`, and overwrites `Scratch` bytes of scratch.
template <std::uint32_t Scratch, int& Runs>
struct add_bytes {
  static constexpr baton::literal_name operators[] = {"test.add_bytes"};
  static constexpr auto describe(const baton::program_view& program, const baton::node& record) -> baton::node_description<std::int64_t> {
    baton::kernel_facts facts;
    facts.scratch_bytes = Scratch;
    facts.operands[0].distance = {.ascending = 0};
    return {baton::accept(), baton::element_count(program.shape(program.outputs_of(record)[0])), facts};
  }
  static void compute(const std::int64_t& count, const baton::node_memory& at) {
    ++Runs;
    for (std::size_t i = 0; i < at.scratch.size(); ++i) at.scratch[i] = static_cast<char>(0x55);
    for (std::int64_t i = 0; i < count; ++i) at.outputs[0][i] = static_cast<char>(at.inputs[0][i] + at.inputs[1][i]);
  }
};
using slow = add_bytes<0, runs_of_slow>;
using middle = add_bytes<32, runs_of_middle>;

/// The quick form, which stores the constant in 16 bits.
struct quick : add_bytes<64, runs_of_quick> {
  static constexpr auto describe(const baton::program_view& program, const baton::node& record) -> baton::node_description<std::int64_t> {
    auto result = add_bytes<64, runs_of_quick>::describe(program, record);
    result.facts.prepared = {static_cast<std::size_t>(result.plan), 1};
    return result;
  }
  static constexpr void prepare(const baton::program_view& program, const baton::node& record, std::size_t first,
                                baton::span<std::int16_t> to) {
    const auto bytes = program.data(program[program.inputs(record)[1]].data);
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = bytes[first + i];
  }
  static void compute(const std::int64_t& count, const baton::node_memory& at) {
    ++runs_of_quick;
    for (std::size_t i = 0; i < at.scratch.size(); ++i) at.scratch[i] = static_cast<char>(0x55);
    const auto* words = reinterpret_cast<const std::int16_t*>(at.prepared.data());
    for (std::int64_t i = 0; i < count; ++i) at.outputs[0][i] = static_cast<char>(at.inputs[0][i] + words[i]);
  }
};
inline constexpr baton::kernel_list<quick, middle, slow> kernels{};

/// 1, 2 and 4 instructions for each byte.
struct costs {
  template <class Kernel>
  static constexpr auto node(const baton::program_view& program, const baton::node& record) -> baton::node_cost {
    const auto bytes = static_cast<std::uint64_t>(baton::element_count(program.shape(program.outputs_of(record)[0])));
    if (std::is_same_v<Kernel, quick>) return {"quick", bytes, 0, 40};
    if (std::is_same_v<Kernel, middle>) return {"middle", 2 * bytes, 0, 20};
    return {"slow", 4 * bytes, 0, 10};
  }
};

/// A chain of three nodes on 64 bytes, with two constants.
struct make_chain {
  static constexpr std::array<char, 64> ones = [] {
    std::array<char, 64> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 7);
    return bytes;
  }();

  constexpr auto operator()() const {
    using baton::tensor;
    constexpr auto type = tensor(baton::dtype::int8, 64);
    baton::program_builder build;
    const auto weights = build.constant("weights", type, {ones.data(), 64});
    const auto others = build.constant("others", type, {ones.data(), 64});
    const auto x = build.user_input("x", type);
    const auto a = build.call("a", "test.add_bytes", {x, weights}, type);
    const auto b = build.call("b", "test.add_bytes", {a, others}, type);
    build.output(build.call("c", "test.add_bytes", {b, weights}, type));
    return build.finish();
  }
};

}  // namespace stepping
