// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Constants of float16 behind tfl.dequantize, as converters write them: folded, and with the same outputs as the plain program.
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

/// The bytes of numbers of float16 between 0.5 and 2 with both signs, zeros, and subnormal ones.
template <std::size_t Count>
constexpr auto halves_of(std::uint32_t seed) -> std::array<char, 2 * Count> {
  std::array<char, 2 * Count> made{};
  for (std::size_t i = 0; i < Count; ++i) {
    seed = seed * 1664525 + 1013904223;
    const auto exponent = i % 11 == 3 ? 0u : 14u + (seed >> 30 & 1u);
    const auto bits = i % 13 == 5 ? 0u : (seed >> 16 & 0x83ffu) | exponent << 10;
    made[2 * i] = static_cast<char>(bits & 255);
    made[2 * i + 1] = static_cast<char>(bits >> 8);
  }
  return made;
}
inline constexpr auto many_halves = halves_of<1025>(7);

struct network {
  program_builder b{};

  /// A constant of float16, and the node that widens it.
  constexpr auto widened(std::string_view name, const tensor_type& shape) -> value_id {
    auto type = shape;
    type.type = float16;
    const auto bytes = static_cast<std::size_t>(byte_count(float16, type.shape()));
    const auto half = b.parameter(name, type);
    b.at(half).data = program_builder::view({many_halves.data() + 2 * name.size(), bytes});
    return b.call("tfl.dequantize", {half}, shape);
  }

  /// Each kind of layer, and a product with a constant that every user could widen.
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

/// At run time; a constant of Clang has not the steps for it.
constexpr auto keeps_the_laws(const program_view& program) -> bool {
  return std::is_constant_evaluated() || laws::pass::of_form<fold_constants>(program);
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
  const program_view made = folded;
  const auto is_half = [&](std::string_view op, std::uint32_t at, std::string_view name) {
    const auto& found = input_of(made, op, at);
    return found.type == float16 && made.text(found.target) == name &&
           is_same_address(found.data.outside, many_halves.data() + 2 * name.size());
  };
  const auto& factor = input_of(made, "tfl.mul", 1);
  return nodes_of(program, "tfl.dequantize") == 6 && nodes_of(made, "tfl.dequantize") == 0 && is_half("tfl.conv_2d", 1, "filter") &&
         is_half("tfl.conv_2d", 2, "bias") && is_half("tfl.depthwise_conv_2d", 1, "taps") && is_half("tfl.depthwise_conv_2d", 2, "bias") &&
         is_half("tfl.transpose_conv", 1, "spread") && is_half("tfl.transpose_conv", 3, "bias") &&
         is_half("tfl.fully_connected", 1, "dense") && factor.type == float32 && factor.kind == value_kind::constant &&
         factor.data.size == 12 && !verify(made) && keeps_the_laws(program);
}
static_assert(layers_read_the_stored_bytes());

/// Every number of float16 that is one, widened in the pass; those that are infinite or none keep their kind.
constexpr auto widened_bits(std::uint16_t half) -> std::uint32_t {
  const std::array<char, 2> bytes{static_cast<char>(half & 255), static_cast<char>(half >> 8)};
  program_builder b;
  const auto constant = b.constant("c", tensor(float16, 1), {bytes.data(), 2});
  const auto x = b.user_input("x", tensor(float32, 1));
  b.output(b.call("tfl.mul", {x, b.call("tfl.dequantize", {constant}, tensor(float32, 1))}, tensor(float32, 1)));
  const auto made = fold_constants::run(b.finish());
  const auto& wide = input_of(made, "tfl.mul", 1);
  std::uint32_t bits = 0;
  for (std::size_t i = 4; i-- > 0;) bits = bits << 8 | static_cast<unsigned char>(made.data(wide.data)[i]);
  return wide.type == float32 ? bits : 0x12345678u;
}
constexpr auto numbers_stay() -> bool {
  return widened_bits(0) == 0 && widened_bits(0x8000) == 0x80000000u && widened_bits(0x3c00) == std::bit_cast<std::uint32_t>(1.0f) &&
         widened_bits(0xc500) == std::bit_cast<std::uint32_t>(-5.0f) && widened_bits(1) == std::bit_cast<std::uint32_t>(0x1p-24f) &&
         widened_bits(0x83ff) == std::bit_cast<std::uint32_t>(-1023 * 0x1p-24f) &&
         widened_bits(0x7bff) == std::bit_cast<std::uint32_t>(65504.0f) && widened_bits(0x7c00) == 0x7f800000u &&
         widened_bits(0xfc00) == 0xff800000u && widened_bits(0x7e01) == 0x7fc02000u;
}
static_assert(numbers_stay());

/// What is left: a large constant of an operator that is no layer, an operand that is no constant, an output, a constant whose bytes are
/// not all there, one that belongs to a part, and one that a layer of another part uses.
constexpr auto others_are_left() -> bool {
  const auto left = [](int which) {
    program_builder b;
    const auto large = tensor(float32, which == 0 ? 1025 : 4);
    const auto half = which == 1 ? b.user_input("h", tensor(float16, 4)) : b.parameter("h", tensor(float16, which == 0 ? 1025 : 4));
    if (which != 1) b.at(half).data = program_builder::view({many_halves.data(), which == 3 ? 7u : which == 0 ? 2050u : 8u});
    if (which == 4) {
      b.draft().tags.push_back({});
      b.at(half).tag = tag_id{0};
    }
    const auto x = b.user_input("x", large);
    const auto wide = b.call("tfl.dequantize", {half}, large);
    if (which == 2) b.output(wide);
    b.output(which == 5 ? b.call("tfl.fully_connected", {x, wide, none<value_id>}, large) : b.call("tfl.add", {x, wide}, large));
    if (which == 5) {
      b.draft().tags.push_back({});
      b.latest_node().tag = tag_id{0};
    }
    const auto program = b.finish();
    return same(fold_constants::run(program), program);
  };
  return left(0) && left(1) && left(2) && left(3) && left(4) && left(5) && !left(6);
}
static_assert(others_are_left());

/// Of a value with both kinds of users, small ones are widened for all, large ones stay for those that are no layers.
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
    const auto made = fold_constants::run(program);
    const bool is_stored = input_of(made, "tfl.fully_connected", 1).type == float16;
    return !keeps_the_laws(program) || is_stored != (outputs > 204) ? -1 : nodes_of(made, "tfl.dequantize");
  };
  return nodes_left(204) == 0 && nodes_left(205) == 1;
}
static_assert(shared_constants_are_widened_once());

constexpr auto some_input() -> std::array<float, 32> {
  std::array<float, 32> made{};
  for (std::size_t i = 0; i < made.size(); ++i) made[i] = static_cast<float>(static_cast<int>(i * 37 % 61) - 30) / 16.0f;
  return made;
}

}  // namespace

TEST_CASE("layers read the stored bytes of float16") { CHECK(layers_read_the_stored_bytes()); }
TEST_CASE("numbers of float16 stay what they are") { CHECK(numbers_stay()); }
TEST_CASE("constants of float16 that are left") { CHECK(others_are_left()); }
TEST_CASE("constants of float16 with several users") { CHECK(shared_constants_are_widened_once()); }

TEST_CASE("a plain program, and a folded one, give the same outputs") {
  constexpr auto plain = static_program{make_network{}};
  constexpr auto folded = transform(plain, passes<fold_constants>);
  static_assert(plain->nodes.size() == 11 && folded->nodes.size() == 5);
  constexpr auto in = some_input();
  const auto outputs_of = [&](auto& net) {
    std::array<float, 20> out{};
    net.run(in, out);
    return out;
  };
  static executor<plain> first;
  static executor<folded> second;
  static_assert(second.arena_bytes < first.arena_bytes);
  const auto expected = outputs_of(first);
  const auto made = outputs_of(second);
  CHECK(expected == made);
  int finite = 0;
  for (const auto x : expected) finite += std::isfinite(x) && x != 0 ? 1 : 0;
  CHECK(finite > 15);

  nodes::bytes bytes(sizeof in), found;
  std::memcpy(bytes.data(), in.data(), sizeof in);
  for (const auto& program : {network{}.build(), fold_constants::run(network{}.build())}) {
    nodes::interpreter runner{program};
    REQUIRE(runner.run(portable_kernels, bytes, found) == "");
    CHECK(std::memcmp(found.data(), expected.data(), sizeof expected) == 0);
  }
}
