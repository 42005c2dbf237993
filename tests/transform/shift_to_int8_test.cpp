// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/shift_to_int8.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include "laws/pass.hpp"
#include "transform/qdq_builder.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace {

using namespace baton;
using qdq::has_operators;
using qdq::net_builder;

constexpr auto image = tensor(dtype::uint8, 1, 2, 2, 1);

constexpr auto shifted(const exported_program& program) -> exported_program {
  if (!laws::pass::static_laws<shift_to_int8>(program)) return {};
  return shift_to_int8::run(program);
}
constexpr auto find(const program_view& program, std::string_view name) -> const value& {
  for (const auto& record : program.values) {
    if (program.text(record.name) == name) return record;
  }
  return program.values[0];
}
constexpr auto is(const program_view& program, std::string_view name, dtype type, std::int64_t zero_point) -> bool {
  const auto& record = find(program, name);
  return record.type == type && program.zero_point(record.quant) == zero_point && program.scale(record.quant) == 0.5f;
}

/// uint8 values inside a program become int8; its inputs and outputs are converted.
constexpr auto values_are_shifted() -> bool {
  net_builder net;
  const auto x = net.input("x", image, 0.5f, 130);
  const auto y = net.quantize("y", net.b.call("tfl.neg", {x}, net.real(x)), 0.5f, 128, dtype::uint8);
  const auto flat = net.b.call("flat", "tfl.reshape", {y}, tensor(dtype::uint8, 1, 4));
  net.b.quantize(flat, 0.5f, 128);
  net.b.output(flat);
  const auto z = net.quantize("z", net.dequantize(flat), 0.5f, 7, dtype::uint8);
  net.b.output(z);
  net.b.output(net.quantize("s", net.dequantize(z), 0.5f, 7));
  const auto result = shifted(net.b.finish());
  return has_operators(result,
                       "baton.quantize tfl.dequantize tfl.neg baton.quantize tfl.reshape baton.quantize tfl.dequantize baton.quantize "
                       "baton.quantize tfl.dequantize baton.quantize ") &&
         is(result, "x", dtype::uint8, 130) && is(result, "x_int8", dtype::int8, 2) && is(result, "y", dtype::int8, 0) &&
         is(result, "flat", dtype::uint8, 128) && is(result, "flat_int8", dtype::int8, 0) && is(result, "z", dtype::uint8, 7) &&
         is(result, "z_int8", dtype::int8, -121) && is(result, "s", dtype::int8, 7);
}
static_assert(values_are_shifted());

constexpr auto constants_are_shifted() -> bool {
  net_builder net;
  const char bytes[] = {'\0', '\x80', '\xff', '\x7f', '\x01'};
  const auto weights = net.b.constant("weights", tensor(dtype::uint8, 5), bytes);
  const float scales[] = {0.5f, 1, 2, 4, 8};
  const std::int64_t zero_points[] = {128, 0, 1, 255, 128};
  net.b.quantize(weights, scales, zero_points, 0);
  net.b.output(net.dequantize(weights));
  const auto result = shifted(net.b.finish());
  const program_view view = result;
  const auto& record = view.values[0];
  const auto data = view.data(record.data);
  const auto at = [&](std::size_t i) { return static_cast<int>(static_cast<signed char>(data[i])); };
  return record.type == dtype::int8 && at(0) == -128 && at(1) == 0 && at(2) == 127 && at(3) == -1 && at(4) == -127 &&
         view.zero_point(record.quant, 0) == 0 && view.zero_point(record.quant, 1) == -128 && view.zero_point(record.quant, 3) == 127;
}
static_assert(constants_are_shifted());

constexpr auto stays(const exported_program& program) -> bool { return same(shifted(program), program); }

/// Values that other nodes produce or use, and values that these nodes move, keep their type. Scales are needed, too.
constexpr auto values_of_other_nodes_stay() -> bool {
  net_builder other, moved, plain;
  const auto x = other.b.user_input("x", image);
  other.b.quantize(x, 0.5f, 130);
  other.b.output(other.b.call("mine.filter", {x}, image));

  const auto y = moved.quantize("y", moved.b.user_input("x", moved.real(moved.b.constant("shape", image))), 0.5f, 1, dtype::uint8);
  const auto flat = moved.b.call("flat", "tfl.reshape", {y}, tensor(dtype::uint8, 1, 4));
  moved.b.quantize(flat, 0.5f, 1);
  moved.b.output(moved.b.call("mine.filter", {flat}, image));

  plain.b.output(plain.b.call("tfl.reshape", {plain.b.user_input("x", image)}, tensor(dtype::uint8, 1, 4)));

  return stays(other.b.finish()) && stays(moved.b.finish()) && stays(plain.b.finish());
}
static_assert(values_of_other_nodes_stay());

}  // namespace

TEST_CASE("quantized uint8 values become int8, except for inputs and outputs") {
  CHECK(values_are_shifted());
  CHECK(constants_are_shifted());
}
TEST_CASE("uint8 values of other nodes are unchanged") { CHECK(values_of_other_nodes_stay()); }
