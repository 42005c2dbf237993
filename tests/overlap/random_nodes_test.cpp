// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random nodes of kernels that overlap, run in one memory at the declared distance, in ascending and in descending order. The output equals
// that of disjoint memory. One byte nearer, it mostly differs.
#include <baton/core/builder.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/operators/verify.hpp>

#include "accesses.hpp"
#include "kernels/layer.hpp"
#include "kernels/random_layer.hpp"
#include "nodes/interpreter.hpp"
#include "nodes/kernel_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace {

using namespace baton;
using nodes::bytes;
using one_layer::next_random;

auto size_of(const program_view& program, value_id id) -> std::int64_t { return byte_count(program[id].type, program.shape(id)); }

/// Random values of an operand: any bytes, or floats between -1 and 1.
auto random_bytes(std::size_t count, dtype type, std::uint32_t& seed) -> bytes {
  bytes values(count);
  for (std::size_t i = 0; i < count; i += type == dtype::float32 ? 4 : 1) {
    const auto bits = next_random(seed);
    if (type == dtype::float32) {
      one_layer::put_32(values.data() + i, std::bit_cast<std::uint32_t>(static_cast<float>(bits >> 8) / 8388608.0f - 1.0f));
    } else {
      values[i] = static_cast<char>(bits >> 24);
    }
  }
  return values;
}

/// Runs a program's only node with operand `near` beginning `between` bytes after the output.
template <class Kernel>
auto run_at(const program_view& program, std::size_t near, std::int64_t between, write_order order, const std::vector<bytes>& operands)
    -> bytes {
  const auto& record = program.nodes[0];
  const auto out = program.outputs_of(record)[0];
  const auto before = std::max<std::int64_t>(0, -between);
  const auto end = std::max(size_of(program, out), between + size_of(program, program.inputs(record)[near]));
  bytes memory(static_cast<std::size_t>(before + end), '\x5a');
  char* const to = memory.data() + before;
  std::vector<const char*> inputs;
  for (std::size_t i = 0; i < record.inputs.size; ++i) inputs.push_back(operands[i].empty() ? nullptr : operands[i].data());
  std::copy(operands[near].begin(), operands[near].end(), to + between);
  inputs[near] = to + between;
  const auto plan = std::make_unique<decltype(Kernel::describe(program, record).plan)>(Kernel::describe(program, record).plan);
  node_memory at{inputs.data(), &to};
  at.order = order;
  Kernel::compute(*plan, at);
  return {to, to + size_of(program, out)};
}

struct tally {
  int at_distance = 0;
  int nearer = 0;
  int differing = 0;
  int wrong = 0;
};

/// Runs the node with each operand that may overlap, in both orders, at the declared distance and one byte nearer.
template <class Kernel>
void check_node(const program_view& program, tally& sum, std::uint32_t seed) {
  const auto& record = program.nodes[0];
  if (verify(program)) return;
  const auto answer = ask_kernel<Kernel>(program, record);
  if (!answer.support) return;
  std::vector<bytes> operands;
  for (const auto id : program.inputs(record)) {
    operands.emplace_back();
    if (id == none<value_id>) continue;
    const auto data = program.data(program[id].data);
    if (is_owned_data(program[id].kind)) operands.back().assign(data.begin(), data.end());
    if (!is_owned_data(program[id].kind))
      operands.back() = random_bytes(static_cast<std::size_t>(size_of(program, id)), program[id].type, seed);
  }
  for (std::size_t i = 0; i < record.inputs.size; ++i) {
    const auto in = program.inputs(record)[i];
    if (in == none<value_id> || is_owned_data(program[in].kind)) continue;
    const auto declared = answer.facts.operand(i).distance;
    const auto difference = size_of(program, program.outputs_of(record)[0]) - size_of(program, in);
    const auto out = size_of(program, program.outputs_of(record)[0]);
    const auto expected = run_at<Kernel>(program, i, out, write_order::ascending, operands);
    for (const auto order : {write_order::ascending, write_order::descending}) {
      const bool ascends = order == write_order::ascending;
      const auto distance = ascends ? declared.ascending : declared.descending;
      if (distance == min_distance::disjoint) continue;
      const auto at = ascends ? distance : difference - distance;
      ++sum.at_distance;
      sum.wrong += run_at<Kernel>(program, i, at, order, operands) != expected ? 1 : 0;
      if (distance <= 0) continue;
      ++sum.nearer;
      sum.differing += run_at<Kernel>(program, i, at - (ascends ? 1 : -1), order, operands) != expected ? 1 : 0;
    }
  }
}

template <class Kernel>
auto random_layers(one_layer::op is) -> tally {
  tally sum;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    auto l = one_layer::random_layer(is, seed);
    l.fused = quantized::activation::none;  // clamping would hide overwritten bytes
    l.input_zero_point = -3;
    l.zero_point = 0;
    std::uint32_t state = seed * 2654435761u + 1;
    const auto type = l.is_int8 ? dtype::int8 : dtype::float32;
    const auto weights = random_bytes(static_cast<std::size_t>(l.bytes_of(l.filter_count())), type, state);
    const bytes bias(static_cast<std::size_t>(4 * l.out_channels), '\0');
    const auto owner = one_layer::build(l, {weights.data(), l.has_weights() ? weights.size() : 0}, {bias.data(), bias.size()});
    check_node<Kernel>(owner, sum, state);
  }
  return sum;
}

/// A program of a function of two elements, whose second operand may be broadcast, or of a function of one element.
auto element_program(const char* name, std::uint32_t seed, dtype from, dtype to, bool is_pair) -> exported_program {
  one_layer::drawn draw(seed + 1);
  const auto rows = draw.from_to(1, 6);
  const auto depth = draw.from_to(1, 9);
  program_builder b;
  const auto x = b.user_input("x", tensor(from, rows, depth));
  const auto y = is_pair ? b.user_input("y", draw.once_in(3) ? tensor(from, 1, depth) : tensor(from, rows, depth)) : x;
  const auto z = is_pair ? b.call("z", name, {x, y}, tensor(to, rows, depth), {{"fused_activation_function", "none"}})
                         : b.call("z", name, {x}, tensor(to, rows, depth), {{"beta", 1.0}});
  b.output(z);
  return b.finish();
}

template <class Kernel>
auto random_elements(const char* name, dtype from, dtype to, bool is_pair) -> tally {
  tally sum;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const auto owner = element_program(name, seed, from, to, is_pair);
    check_node<Kernel>(owner, sum, seed + 7);
  }
  return sum;
}

}  // namespace

TEST_CASE("layers at the declared distances") {
  const auto check = [](const tally& sum, int nearer) {
    CHECK(sum.wrong == 0);
    CHECK(sum.at_distance > 400);
    CHECK(sum.nearer > nearer);
    CHECK(sum.differing * 10 > sum.nearer * 7);
  };
  check(random_layers<portable::conv_2d>(one_layer::op::conv_2d), 300);
  check(random_layers<portable::depthwise_conv_2d>(one_layer::op::depthwise_conv_2d), 300);
  check(random_layers<portable::fully_connected>(one_layer::op::fully_connected), 300);
  check(random_layers<portable::average_pool_2d>(one_layer::op::average_pool_2d), 150);
  check(random_layers<portable::max_pool_2d>(one_layer::op::max_pool_2d), 150);
}

TEST_CASE("functions of elements at the declared distances") {
  const auto check = [](const tally& sum, int min_count) {
    CHECK(sum.wrong == 0);
    CHECK(sum.at_distance >= min_count);
    CHECK(sum.differing * 10 >= sum.nearer * 9);
  };
  check(random_elements<portable::pairwise>("tfl.add", dtype::float32, dtype::float32, true), 90);
  check(random_elements<nodes::kernel_of<"tfl.greater">>("tfl.greater", dtype::float32, dtype::boolean, true), 90);
  check(random_elements<nodes::kernel_of<"tfl.square">>("tfl.square", dtype::float32, dtype::float32, false), 60);
  check(random_elements<portable::softmax>("tfl.softmax", dtype::float32, dtype::float32, false), 60);
  check(random_elements<nodes::kernel_of<"tfl.cast", 1>>("tfl.cast", dtype::int32, dtype::int64, false), 60);
  check(random_elements<nodes::kernel_of<"tfl.cast", 1>>("tfl.cast", dtype::int64, dtype::int8, false), 60);
}
