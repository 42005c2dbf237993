// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random nodes of kernels that overlap, run in one memory at the declared distance, in ascending and in descending order. The output equals
// that of disjoint memory. One byte nearer, it mostly differs. For operators that move elements, the declared distances are also compared
// with those of the elements that are read.
#include <baton/core/builder.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/operators/verify.hpp>

#include "accesses.hpp"
#include "kernels/layer.hpp"
#include "kernels/random_layer.hpp"
#include "nodes/interpreter.hpp"
#include "nodes/kernel_of.hpp"
#include "random_movements.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
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

/// Returns the operands of the node. `fill(i, operand)` fills operand `i` if it is not a constant.
template <class Fill>
auto operands_of(const program_view& program, Fill fill) -> std::vector<bytes> {
  std::vector<bytes> operands;
  for (const auto id : program.inputs(program.nodes[0])) {
    auto& operand = operands.emplace_back();
    if (id == none<value_id>) continue;
    operand.resize(static_cast<std::size_t>(size_of(program, id)));
    const auto data = program.data(program[id].data);
    if (is_owned_data(program[id].kind)) {
      operand.assign(data.begin(), data.end());
    } else {
      fill(operands.size() - 1, operand);
    }
  }
  return operands;
}

/// Runs the node with each operand that may overlap, in both orders, at the declared distance and one byte nearer.
template <class Kernel>
void check_node(const program_view& program, tally& sum, std::uint32_t seed) {
  const auto& record = program.nodes[0];
  if (verify(program)) return;
  const auto answer = ask_kernel<Kernel>(program, record);
  if (!answer.support) return;
  const auto operands = operands_of(program, [&](std::size_t i, bytes& operand) {
    operand = random_bytes(operand.size(), program[program.inputs(record)[i]].type, seed);
  });
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

/// Compares the declared distances of a movement of int32 with those that are observed: each element of the output is written in order,
/// after the element that it equals is read. If a distance above 0 is not the minimum, counts it in `sum.wrong`.
template <class Kernel>
void check_distances(const program_view& program, tally& sum) {
  const auto& record = program.nodes[0];
  const auto out = program.outputs_of(record)[0];
  const auto answer = ask_kernel<Kernel>(program, record);
  if (program[out].type != dtype::int32 || !answer.support) return;
  constexpr std::uint32_t of_operand = 1 << 16;  // the element i of operand k is k · 2^16 + i + 1
  const auto operands = operands_of(program, [](std::size_t k, bytes& operand) {
    for (std::uint32_t i = 0; i < operand.size() / 4; ++i)
      one_layer::put_32(operand.data() + 4 * i, static_cast<std::uint32_t>(k) * of_operand + i + 1);
  });
  const auto output = run_at<Kernel>(program, 0, size_of(program, out), write_order::ascending, operands);
  const auto count = static_cast<std::int32_t>(output.size() / 4);
  for (std::uint32_t k = 0; k < record.inputs.size; ++k) {
    if (is_owned_data(program[program.inputs(record)[k]].kind)) continue;
    const auto& declared = answer.facts.operand(k).distance;
    for (const auto order : {write_order::ascending, write_order::descending}) {
      overlap::observed_distance seen(static_cast<std::int64_t>(operands[k].size()), size_of(program, out));
      for (std::int32_t i = 0; i < count; ++i) {
        const auto at = portable::nth(order, i, count);
        const auto element = portable::load<std::uint32_t>(output.data(), at) - 1;
        if (element / of_operand == k) seen.read(std::int64_t{4} * (element % of_operand), 4);
        seen.write(std::int64_t{4} * at, 4);
      }
      if (!seen.matters()) continue;
      const bool ascends = order == write_order::ascending;
      const auto distance = ascends ? declared.ascending : declared.descending;
      const auto minimum = ascends ? seen.ascending() : seen.descending();
      if (distance < minimum) ++sum.wrong;
      if (minimum <= 0) continue;
      ++sum.nearer;
      sum.differing += distance == minimum ? 1 : 0;
    }
  }
}

/// The sums over random nodes: of runs (`check_node`), and of the comparison of distances (`check_distances`).
struct movement_tally {
  tally run;
  tally distances;
};
template <class Kernel, class Make>
auto random_movements(Make make) -> movement_tally {
  movement_tally sum;
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    const auto owner = make(overlap::random_movement(seed));
    check_node<Kernel>(owner, sum.run, 2654435761u * (seed + 1));
    check_distances<Kernel>(owner, sum.distances);
  }
  return sum;
}

/// Splits an operand of int32 elements. All outputs are in memory of their own, except output `near`: the operand begins `between` bytes
/// after it. Returns all outputs.
template <class Kernel>
auto split_at(const program_view& program, std::size_t near, std::int64_t between, write_order order, const std::vector<bytes>& operands)
    -> std::vector<bytes> {
  const auto& record = program.nodes[0];
  const auto outs = program.outputs_of(record);
  std::vector<bytes> outputs;
  for (const auto out : outs) outputs.emplace_back(static_cast<std::size_t>(size_of(program, out)), '\x5a');
  const auto before = std::max<std::int64_t>(0, -between);
  const auto operand = static_cast<std::int64_t>(operands[0].size());
  bytes memory(static_cast<std::size_t>(before + std::max(size_of(program, outs[near]), between + operand)), '\x5a');
  std::copy(operands[0].begin(), operands[0].end(), memory.data() + before + between);
  std::vector<const char*> inputs;
  for (const auto& each : operands) inputs.push_back(each.data());
  inputs[0] = memory.data() + before + between;
  std::vector<char*> to;
  for (auto& each : outputs) to.push_back(each.data());
  to[near] = memory.data() + before;
  const auto plan = std::make_unique<decltype(Kernel::describe(program, record).plan)>(Kernel::describe(program, record).plan);
  node_memory at{inputs.data(), to.data()};
  at.order = order;
  Kernel::compute(*plan, at);
  std::copy_n(to[near], outputs[near].size(), outputs[near].data());
  return outputs;
}

/// Returns the minimum distance of output `part` of a split, observed from `outputs`, whose elements are the indices of the operand's
/// elements plus 1. The elements of the operand are read and written in order.
auto observed_split(const std::vector<bytes>& outputs, std::size_t part, std::int64_t count, write_order order) -> std::int64_t {
  std::vector<std::pair<std::size_t, std::int32_t>> destination(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(outputs[k].size() / 4); ++i)
      destination[portable::load<std::uint32_t>(outputs[k].data(), i) - 1] = {k, i};
  }
  overlap::observed_distance seen(4 * count, static_cast<std::int64_t>(outputs[part].size()));
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(count); ++i) {
    const auto element = portable::nth(order, i, static_cast<std::int32_t>(count));
    const auto [k, at] = destination[static_cast<std::size_t>(element)];
    seen.read(std::int64_t{4} * element, 4);
    if (k == part) seen.write(std::int64_t{4} * at, 4);
  }
  return order == write_order::ascending ? seen.ascending() : seen.descending();
}

}  // namespace

TEST_CASE("each output of a split is correct at the declared distance, which is the minimum of the output that begins with the operand") {
  using kernel = nodes::kernel_of<"tfl.split_v">;  // also of `tfl.unpack`
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const auto owner = overlap::random_movement(seed).split(seed % 3 == 0);
    const program_view program = owner;
    REQUIRE(!verify(program));
    const auto answer = ask_kernel<kernel>(program, program.nodes[0]);
    REQUIRE(answer.support.accepted);
    const auto operands = operands_of(program, [](std::size_t, bytes& operand) {
      for (std::uint32_t i = 0; i < operand.size() / 4; ++i) one_layer::put_32(operand.data() + 4 * i, i + 1);
    });
    const auto in = static_cast<std::int64_t>(operands[0].size());
    const auto declared = answer.facts.operand(0).distance;
    const auto expected = split_at<kernel>(program, 0, in, write_order::ascending, operands);
    for (std::size_t part = 0; part < expected.size(); ++part) {
      const auto difference = static_cast<std::int64_t>(expected[part].size()) - in;
      for (const auto order : {write_order::ascending, write_order::descending}) {
        const bool ascends = order == write_order::ascending;
        const auto distance = ascends ? declared.ascending : declared.descending;
        const auto at = ascends ? distance : difference - distance;
        CHECK(split_at<kernel>(program, part, at, order, operands) == expected);
        CHECK(distance >= observed_split(expected, part, in / 4, order));
        if (part != (ascends ? 0 : expected.size() - 1)) continue;
        CHECK(distance == observed_split(expected, part, in / 4, order));
        CHECK(split_at<kernel>(program, part, at - (ascends ? 1 : -1), order, operands) != expected);
      }
    }
  }
}

TEST_CASE("movements are correct at the declared distances, which are the minimum if they are above 0") {
  using nodes::kernel_of;
  using overlap::random_movement;
  // `minimal`: the percentage of distances that must be the minimum
  const auto check = [](const movement_tally& sum, int min_count, int minimal = 100) {
    CHECK(sum.run.wrong == 0);
    CHECK(sum.run.at_distance >= 900);
    CHECK(sum.run.nearer > 2 * min_count);
    CHECK(sum.run.differing * 10 >= sum.run.nearer * (minimal == 0 ? 0 : 7));  // an element may be overwritten by a copy of itself
    CHECK(sum.distances.wrong == 0);
    CHECK(sum.distances.nearer >= (minimal == 0 ? 0 : min_count));
    CHECK(sum.distances.differing * 100 >= sum.distances.nearer * minimal);
  };
  check(random_movements<kernel_of<"tfl.pad">>([](random_movement of) { return of.pad(false); }), 200);
  check(random_movements<kernel_of<"tfl.padv2">>([](random_movement of) { return of.pad(true); }), 200);
  check(random_movements<kernel_of<"tfl.mirror_pad">>([](random_movement of) { return of.mirror_pad(); }), 200);
  check(random_movements<kernel_of<"tfl.strided_slice">>([](random_movement of) { return of.strided_slice(); }), 20);
  check(random_movements<kernel_of<"tfl.transpose">>([](random_movement of) { return of.transpose(); }), 200);
  check(random_movements<kernel_of<"tfl.tile">>([](random_movement of) { return of.tile(); }), 200);
  check(random_movements<kernel_of<"tfl.depth_to_space">>([](random_movement of) { return of.blocks(true); }), 20);
  check(random_movements<kernel_of<"tfl.space_to_depth">>([](random_movement of) { return of.blocks(false); }), 20);
  check(random_movements<kernel_of<"tfl.concatenation">>([](random_movement of) { return of.concatenation(4); }), 200);
  // Operands from number 3 on share one distance.
  check(random_movements<kernel_of<"tfl.concatenation">>([](random_movement of) { return of.concatenation(7); }), 200, 70);
  const auto nearest = [](random_movement of) { return of.resize(false, false); };
  check(random_movements<kernel_of<"tfl.resize_nearest_neighbor">>(nearest), 100);
  // Corners that are aligned, and floats, have a margin. The weight of an element that is overwritten may be too small to change a sum.
  const auto aligned = [](random_movement of) { return of.resize(false, true); };
  check(random_movements<kernel_of<"tfl.resize_nearest_neighbor">>(aligned), 100, 0);
  check(random_movements<kernel_of<"tfl.resize_bilinear">>([](random_movement of) { return of.resize(true, false); }), 100, 0);
}

TEST_CASE("layers are correct at the declared distances") {
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

TEST_CASE("functions of elements are correct at the declared distances") {
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
