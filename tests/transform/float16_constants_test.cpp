// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// float16 constants that tfl.dequantize widens, as converters write them, are folded without changing the outputs.
#include <baton/transform/fold_constants.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/executor.hpp>
#include <baton/transform/transform.hpp>

#include "laws/pass.hpp"
#include "nodes/interpreter.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace {

using namespace baton;
using enum dtype;

/// Returns the bytes of float16 numbers: magnitudes from 0.5 to 2 with both signs, zeros and subnormal numbers.
template <std::size_t Count>
constexpr auto halves_of(std::uint32_t seed) -> std::array<char, 2 * Count> {
  std::array<char, 2 * Count> bytes{};
  for (std::size_t i = 0; i < Count; ++i) {
    seed = seed * 1664525 + 1013904223;
    const auto exponent = i % 11 == 3 ? 0u : 14u + (seed >> 30 & 1u);
    const auto bits = i % 13 == 5 ? 0u : (seed >> 16 & 0x83ffu) | exponent << 10;
    bytes[2 * i] = static_cast<char>(bits & 255);
    bytes[2 * i + 1] = static_cast<char>(bits >> 8);
  }
  return bytes;
}
inline constexpr auto many_halves = halves_of<1025>(7);

struct network {
  program_builder b{};

  /// Adds a float16 constant and the node that widens it. Returns the widened value.
  constexpr auto widened(std::string_view name, const tensor_type& shape) -> value_id {
    auto type = shape;
    type.type = float16;
    const auto bytes = static_cast<std::size_t>(byte_count(float16, type.shape()));
    const auto half = b.parameter(name, type);
    b.at(half).data = program_builder::view({many_halves.data() + 2 * name.size(), bytes});
    return b.call("tfl.dequantize", {half}, shape);
  }

  /// Builds a network with each kind of layer, and a product, whose constant is widened by the pass.
  constexpr auto build() -> exported_program {
    const auto x = b.user_input("x", tensor(float32, 1, 4, 4, 2));
    const auto filter = widened("filter", tensor(float32, 3, 2, 2, 2));
    const auto bias = widened("bias", tensor(float32, 3));
    const auto taps = widened("taps", tensor(float32, 1, 2, 2, 3));
    const auto dense = widened("dense", tensor(float32, 5, 12));
    const auto spread = widened("spread", tensor(float32, 3, 2, 2, 3));
    const auto factor = widened("factor", tensor(float32, 3));
    const auto sizes = b.constant("sizes", tensor(int32, 4), {"\1\0\0\0\4\0\0\0\4\0\0\0\3\0\0\0", 16});
    const auto a = b.call("tfl.conv_2d", {x, filter, bias}, tensor(float32, 1, 2, 2, 3),
                          {{"padding", "same"}, {"stride_h", 2}, {"stride_w", 2}, {"fused_activation_function", "relu"}});
    const auto c = b.call("tfl.depthwise_conv_2d", {a, taps, bias}, tensor(float32, 1, 2, 2, 3),
                          {{"padding", "same"}, {"stride_h", 1}, {"stride_w", 1}, {"depth_multiplier", 1}});
    const auto d = b.call("tfl.transpose_conv", {sizes, spread, c, bias}, tensor(float32, 1, 4, 4, 3),
                          {{"padding", "same"}, {"stride_h", 2}, {"stride_w", 2}});
    const auto e = b.call("tfl.mul", {d, factor}, tensor(float32, 1, 4, 4, 3));
    b.output(b.call("tfl.fully_connected", {e, dense, none<value_id>}, tensor(float32, 4, 5)));
    return b.finish();
  }
};
struct make_network {
  constexpr auto operator()() const -> exported_program { return network{}.build(); }
};

/// Only at run time, because Clang allows too few steps for it in a constant.
constexpr auto keeps_the_laws(const program_view& program) -> bool {
  return std::is_constant_evaluated() || laws::pass::static_laws<fold_constants>(program);
}

constexpr auto input_of(const program_view& program, std::string_view op, std::uint32_t at) -> const value& {
  for (const auto& record : program.nodes) {
    if (program.text(record.target) == op) return program[program.inputs(record)[at]];
  }
  return program.values[0];
}
constexpr auto nodes_of(const program_view& program, std::string_view op) -> int {
  int count = 0;
  for (const auto& record : program.nodes) count += program.text(record.target) == op ? 1 : 0;
  return count;
}

constexpr auto layers_read_the_stored_bytes() -> bool {
  const auto program = network{}.build();
  const auto folded = fold_constants::run(program);
  const program_view result = folded;
  const auto is_half = [&](std::string_view op, std::uint32_t at, std::string_view name) {
    const auto& operand = input_of(result, op, at);
    return operand.type == float16 && result.text(operand.target) == name &&
           is_same_address(operand.data.outside, many_halves.data() + 2 * name.size());
  };
  const auto& factor = input_of(result, "tfl.mul", 1);
  return nodes_of(program, "tfl.dequantize") == 6 && nodes_of(result, "tfl.dequantize") == 0 && is_half("tfl.conv_2d", 1, "filter") &&
         is_half("tfl.conv_2d", 2, "bias") && is_half("tfl.depthwise_conv_2d", 1, "taps") && is_half("tfl.depthwise_conv_2d", 2, "bias") &&
         is_half("tfl.transpose_conv", 1, "spread") && is_half("tfl.transpose_conv", 3, "bias") &&
         is_half("tfl.fully_connected", 1, "dense") && factor.type == float32 && factor.kind == value_kind::constant &&
         factor.data.size == 12 && !verify(result) && keeps_the_laws(program);
}
static_assert(layers_read_the_stored_bytes());

/// Returns the bits of a float16 number after the pass has widened it. Infinities stay infinities, and NaNs stay NaNs.
constexpr auto widened_bits(std::uint16_t half) -> std::uint32_t {
  const std::array<char, 2> bytes{static_cast<char>(half & 255), static_cast<char>(half >> 8)};
  program_builder b;
  const auto constant = b.constant("c", tensor(float16, 1), {bytes.data(), 2});
  const auto x = b.user_input("x", tensor(float32, 1));
  b.output(b.call("tfl.mul", {x, b.call("tfl.dequantize", {constant}, tensor(float32, 1))}, tensor(float32, 1)));
  const auto result = fold_constants::run(b.finish());
  const auto& wide = input_of(result, "tfl.mul", 1);
  std::uint32_t bits = 0;
  for (std::size_t i = 4; i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(result.data(wide.data)[i]);
  return wide.type == float32 ? bits : 0x12345678u;
}
constexpr auto numbers_keep_their_values() -> bool {
  return widened_bits(0) == 0 && widened_bits(0x8000) == 0x80000000u && widened_bits(0x3c00) == std::bit_cast<std::uint32_t>(1.0f) &&
         widened_bits(0xc500) == std::bit_cast<std::uint32_t>(-5.0f) && widened_bits(1) == std::bit_cast<std::uint32_t>(0x1p-24f) &&
         widened_bits(0x83ff) == std::bit_cast<std::uint32_t>(-1023 * 0x1p-24f) &&
         widened_bits(0x7bff) == std::bit_cast<std::uint32_t>(65504.0f) && widened_bits(0x7c00) == 0x7f800000u &&
         widened_bits(0xfc00) == 0xff800000u && widened_bits(0x7e01) == 0x7fc02000u;
}
static_assert(numbers_keep_their_values());

/// Not folded: a large constant of an operator that is not a layer, an operand that is not a constant, a graph output, a constant without
/// all its bytes, a constant that belongs to a part, and a constant that a layer of a part uses.
constexpr auto other_operands_are_not_folded() -> bool {
  const auto is_unchanged = [](int variant) {
    program_builder b;
    const auto large = tensor(float32, variant == 0 ? 1025 : 4);
    const auto half = variant == 1 ? b.user_input("h", tensor(float16, 4)) : b.parameter("h", tensor(float16, variant == 0 ? 1025 : 4));
    if (variant != 1) b.at(half).data = program_builder::view({many_halves.data(), variant == 3 ? 7u : variant == 0 ? 2050u : 8u});
    if (variant == 4) {
      b.draft().tags.push_back({});
      b.at(half).tag = tag_id{0};
    }
    const auto x = b.user_input("x", large);
    const auto wide = b.call("tfl.dequantize", {half}, large);
    if (variant == 2) b.output(wide);
    b.output(variant == 5 ? b.call("tfl.fully_connected", {x, wide, none<value_id>}, large) : b.call("tfl.add", {x, wide}, large));
    if (variant == 5) {
      b.draft().tags.push_back({});
      b.latest_node().tag = tag_id{0};
    }
    const auto program = b.finish();
    return same(fold_constants::run(program), program);
  };
  return is_unchanged(0) && is_unchanged(1) && is_unchanged(2) && is_unchanged(3) && is_unchanged(4) && is_unchanged(5) && !is_unchanged(6);
}
static_assert(other_operands_are_not_folded());

/// If a constant has a layer and another node as users, a small one is widened for both. A large one keeps its `dequantize` for the other.
constexpr auto shared_constants_are_widened_once() -> bool {
  const auto nodes_left = [](std::int64_t outputs) {
    program_builder b;
    auto type = tensor(float16, outputs, 5);
    const auto half = b.parameter("h", type);
    b.at(half).data = program_builder::view({many_halves.data(), static_cast<std::size_t>(10 * outputs)});
    type.type = float32;
    const auto wide = b.call("tfl.dequantize", {half}, type);
    const auto x = b.user_input("x", tensor(float32, 1, 5));
    b.output(b.call("tfl.fully_connected", {x, wide, none<value_id>}, tensor(float32, 1, outputs)));
    b.output(b.call("tfl.neg", {wide}, type));
    const auto program = b.finish();
    const auto result = fold_constants::run(program);
    const bool is_stored = input_of(result, "tfl.fully_connected", 1).type == float16;
    return !keeps_the_laws(program) || is_stored != (outputs > 204) ? -1 : nodes_of(result, "tfl.dequantize");
  };
  return nodes_left(204) == 0 && nodes_left(205) == 1;
}
static_assert(shared_constants_are_widened_once());

constexpr auto some_input() -> std::array<float, 32> {
  std::array<float, 32> input{};
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(static_cast<int>(i * 37 % 61) - 30) / 16.0f;
  return input;
}

}  // namespace

TEST_CASE("layers read the stored float16 bytes") { CHECK(layers_read_the_stored_bytes()); }
TEST_CASE("float16 numbers keep their values") { CHECK(numbers_keep_their_values()); }
TEST_CASE("other float16 operands are not folded") { CHECK(other_operands_are_not_folded()); }
TEST_CASE("a float16 constant with several users is widened for all of them only if it is small") {
  CHECK(shared_constants_are_widened_once());
}

TEST_CASE("a folded program has the same outputs as the plain program") {
  constexpr auto plain = static_program{make_network{}};
  constexpr auto folded = transform(plain, passes<fold_constants>);
  static_assert(plain->nodes.size() == 11 && folded->nodes.size() == 5);
  constexpr auto input = some_input();
  const auto outputs_of = [&](auto& net) {
    std::array<float, 20> out{};
    net.run(input, out);
    return out;
  };
  static executor<plain> first;
  static executor<folded> second;
  static_assert(second.arena_bytes < first.arena_bytes);
  const auto expected = outputs_of(first);
  const auto actual = outputs_of(second);
  CHECK(expected == actual);
  int finite = 0;
  for (const auto x : expected) finite += std::isfinite(x) && x != 0 ? 1 : 0;
  CHECK(finite > 15);

  nodes::bytes bytes(sizeof input), output;
  std::memcpy(bytes.data(), input.data(), sizeof input);
  for (const auto& program : {network{}.build(), fold_constants::run(network{}.build())}) {
    nodes::interpreter runner{program};
    REQUIRE(runner.run(portable_kernels, bytes, output) == "");
    CHECK(std::memcmp(output.data(), expected.data(), sizeof expected) == 0);
  }
}
