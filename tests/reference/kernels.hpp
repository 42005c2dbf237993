// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Kernels that compute with the reference semantics, so that the executor can run the graphs of tests.
#pragma once

#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/kernel/kernel.hpp>
#include <baton/kernel/node_description.hpp>
#include <baton/kernel/node_memory.hpp>
#include <baton/kernel/shared/compute_node.hpp>

#include "reference/operators.hpp"
#include "reference/tensor.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace reference {

namespace detail {

template <class T>
void elements_from(tensor& to, const char* bytes) {
  for (std::size_t i = 0; i < to.data.size(); ++i) {
    T element{};
    std::memcpy(&element, bytes + i * sizeof element, sizeof element);
    to.data[i] = static_cast<float>(element);
  }
}
template <class T>
void elements_to(char* bytes, const tensor& from) {
  for (std::size_t i = 0; i < from.data.size(); ++i) {
    const auto element = static_cast<T>(from.data[i]);
    std::memcpy(bytes + i * sizeof element, &element, sizeof element);
  }
}

/// Calls `f` with an element of the C++ type of a dtype.
template <class F>
void with_type_of(baton::dtype type, F f) {
  switch (type) {
    case baton::dtype::float32:
      return f(float{});
    case baton::dtype::boolean:
      return f(bool{});
    case baton::dtype::int8:
      return f(std::int8_t{});
    case baton::dtype::int32:
      return f(std::int32_t{});
    case baton::dtype::int64:
      return f(std::int64_t{});
    default:
      baton::raise(baton::broken<"missing_kernel">("the reference does not know ", baton::facts(type).name));
  }
}

}  // namespace detail

/// Converts between the bytes of a value and a tensor.
inline auto tensor_from(const baton::program_view& program, baton::value_id id, const char* bytes) -> tensor {
  tensor values(program.shape(id));
  detail::with_type_of(program[id].type, [&](auto element) { detail::elements_from<decltype(element)>(values, bytes); });
  return values;
}
inline void tensor_to(char* bytes, const baton::program_view& program, baton::value_id id, const tensor& from) {
  detail::with_type_of(program[id].type, [&](auto element) { detail::elements_to<decltype(element)>(bytes, from); });
}

/// Computes a node of the reference semantics. Reads all operands before it writes an output.
inline void compute_by_reference(const baton::program_view& program, const baton::node& record, const baton::node_memory& memory) {
  const auto inputs = program.inputs(record);
  const auto outputs = program.outputs_of(record);
  baton::vector<tensor> operands;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] != baton::none<baton::value_id>) operands.push_back(tensor_from(program, inputs[i], memory.inputs[i]));
  }
  const auto results = operation(program, record, operands).run();
  for (std::size_t o = 0; o < outputs.size(); ++o) tensor_to(memory.outputs[o], program, outputs[o], results[o]);
}

/// Computes every operator of the reference semantics. Allocates heap memory, so it is for tests on a PC.
struct any_aten_kernel {
  static constexpr auto describe(const baton::program_view& program, const baton::node& record) -> baton::node_description<> {
    if (program.text(record.target).starts_with("aten.")) return {baton::accept()};
    return {baton::refuse()};
  }

  template <class Call>
  static void compute(const Call& call) {
    baton::with_memory(call, [](const baton::node_memory& memory) { compute_by_reference(Call::program(), Call::record(), memory); });
  }
};
inline constexpr auto any_aten = baton::kernels<any_aten_kernel>;

/// The same with views that share the memory of their operand. The plan is the number of bytes.
struct forwarded_view {
  static constexpr auto describe(const baton::program_view& program, const baton::node& record) -> baton::node_description<std::size_t> {
    if (!record.is("aten.view_copy.default") && !record.is("aten.clone.default")) return {baton::refuse()};
    const auto out = program.outputs_of(record)[0];
    const auto bytes = baton::byte_count(program[out].type, program.shape(out));
    return {baton::accept(), static_cast<std::size_t>(bytes), {.output_aliases_input = true}};
  }
  static void compute(std::size_t bytes, const baton::node_memory& memory) {
    if (memory.inputs[0] != memory.outputs[0]) std::memcpy(memory.outputs[0], memory.inputs[0], bytes);
  }
};
inline constexpr auto aten_with_views = baton::kernels<forwarded_view, any_aten_kernel>;

/// `tfl.custom.STEP` of the interpreter.
struct step_kernel {
  static constexpr auto describe(const baton::program_view&, const baton::node& record) -> baton::node_description<> {
    return {record.is("tfl.custom.STEP") ? baton::accept() : baton::refuse()};
  }
  template <class Call>
  static void compute(const Call& call) {
    const auto x = tensor_from(Call::program(), Call::input_id(1), call.template input<1>());
    auto state = tensor_from(Call::program(), Call::input_id(0), call.template input<0>());
    const auto result = step_state(state, x);
    tensor_to(call.template state<0>(), Call::program(), Call::input_id(0), state);
    tensor_to(call.template output<0>(), Call::program(), Call::output_id(0), result);
  }
};
inline constexpr auto aten_with_steps = baton::kernels<forwarded_view, step_kernel, any_aten_kernel>;

/// Returns the program with small numbers for data without bytes.
constexpr auto with_data(baton::exported_program program) -> baton::exported_program {
  std::uint32_t seed = 1;
  for (auto& record : program.values) {
    if (!baton::is_owned_data(record.kind) || record.data.size != 0 || record.type != baton::dtype::float32) continue;
    const auto count = baton::element_count(program.integer_list(record.shape));
    record.data = {nullptr, static_cast<std::uint32_t>(program.bytes.size()), static_cast<std::uint32_t>(4 * count)};
    for (std::int64_t i = 0; i < count; ++i) {
      seed = seed * 1664525u + 1013904223u;
      const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int32_t>(seed >> 28) - 8) / 4);
      for (int b = 0; b < 4; ++b) program.bytes.push_back(static_cast<char>(bits >> (8 * b) & 0xff));
    }
  }
  return program;
}

/// Runs an executor of a program once. Returns the user outputs for the user inputs, or nothing if a backend fails.
template <class Executor>
auto execute(Executor& net, const baton::program_view& program, baton::span<const tensor> inputs) -> baton::vector<tensor> {
  baton::vector<baton::value_id> input_ids;
  for (const auto id : program.inputs(program.root())) {
    if (program[id].kind == baton::value_kind::user_input) input_ids.push_back(id);
  }
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (tensor_to(net.template input<I>().data(), program, input_ids[I], inputs[I]), ...);
  }(std::make_index_sequence<Executor::input_count>{});
  if constexpr (std::is_void_v<decltype(net.run())>) {
    net.run();
  } else if (net.run() != decltype(net.run()){}) {
    return {};  // a backend failed
  }
  baton::vector<baton::value_id> output_ids;
  for (const auto& spec : program.outputs_of(program.root())) {
    if (spec.kind == baton::output_kind::user_output) output_ids.push_back(spec.value);
  }
  baton::vector<tensor> outputs;
  [&]<std::size_t... O>(std::index_sequence<O...>) {
    (outputs.push_back(tensor_from(program, output_ids[O], net.template output<O>().data())), ...);
  }(std::make_index_sequence<Executor::output_count>{});
  return outputs;
}

}  // namespace reference
