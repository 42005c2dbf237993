// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// One-node programs of elementwise operators with two operands, built and run at run time.
#pragma once

#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>

#include "nodes/interpreter.hpp"
#include "reference/pairwise.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace random_pairs {

using reference::shape;
/// The elements of a tensor; floats are stored as their bits.
using elements = std::vector<std::int64_t>;

inline auto bits(float real) -> std::int64_t { return std::bit_cast<std::int32_t>(real); }
inline auto real(std::int64_t bits) -> float { return std::bit_cast<float>(static_cast<std::int32_t>(bits)); }

/// A linear congruential generator of 64 bits.
class draws {
 public:
  explicit draws(std::uint64_t seed) : state_(seed * 2 + 1) {
    for (int i = 0; i < 4; ++i) below(2);  // separates the sequences of adjacent seeds
  }
  auto next() -> std::uint32_t {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33);
  }
  auto below(std::uint32_t count) -> std::uint32_t { return next() % count; }
  auto from_to(int min, int max) -> int { return min + static_cast<int>(below(static_cast<std::uint32_t>(max - min + 1))); }

 private:
  std::uint64_t state_;
};

/// Returns random shapes of up to 8 axes that broadcast to one another. Half of the time they are equal.
inline auto random_shapes(draws& draw, std::size_t operands) -> std::vector<shape> {
  shape all;
  for (auto rank = draw.below(draw.below(3) == 0 ? 9 : 5); rank > 0; --rank) all.push_back(draw.from_to(1, rank > 4 ? 2 : 4));
  std::vector<shape> result(operands, all);
  if (draw.below(2) == 0) return result;
  for (auto& of : result) {
    for (auto& size : of) {
      if (draw.below(3) == 0) size = 1;
    }
    while (!of.empty() && of[0] == 1 && draw.below(3) != 0) of.erase(of.begin());
  }
  return result;
}

/// Returns a random element. The ends of the range, 0 and its neighbors are more likely.
inline auto random_element(draws& draw, baton::dtype type) -> std::int64_t {
  if (type == baton::dtype::boolean) return draw.below(2);
  if (type == baton::dtype::float32) {
    if (draw.below(8) == 0) return bits(std::vector<float>{0.0f, -0.0f, 1.0f, -1.0f, 6.0f, 3e38f, -3e38f, INFINITY}[draw.below(8)]);
    return bits(static_cast<float>(draw.from_to(-4000, 4000)) / 256.0f);
  }
  const auto [min, max] = reference::detail::range_of_type(type);
  if (draw.below(4) == 0) return std::vector<std::int64_t>{min, max, 0, min + 1, max - 1, min < 0 ? -1 : 1}[draw.below(6)];
  const auto small = static_cast<std::int64_t>(draw.below(256)) - (min < 0 ? 128 : 0);
  if (draw.below(2) == 0) return small;
  const auto large = static_cast<std::int64_t>(std::uint64_t{draw.next()} << 33 ^ std::uint64_t{draw.next()} << 2 ^ draw.below(4));
  if (type == baton::dtype::int64) return large;
  return min + static_cast<std::int64_t>(static_cast<std::uint64_t>(large) % static_cast<std::uint64_t>(max - min + 1));
}
inline auto random_elements(draws& draw, baton::dtype type, std::size_t count) -> elements {
  elements result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(random_element(draw, type));
  return result;
}

/// A node with two operands.
struct pair_case {
  reference::pair_operator of;
  std::vector<shape> shapes;
  baton::dtype right_type = baton::dtype::int8;
  bool has_boolean_output = false;

  auto output_shape() const -> shape { return reference::broadcast_shape(shapes); }
};

inline auto type_of(baton::dtype type, const shape& of) -> baton::tensor_type {
  baton::tensor_type result{type, of.size(), {}};
  for (std::size_t i = 0; i < of.size(); ++i) result.sizes[i] = of[i];
  return result;
}
inline auto size_of(baton::dtype type) -> std::size_t { return baton::facts(type).bits / 8u; }

/// Appends elements to memory; `elements_in` is the inverse. The machine must be little-endian.
inline void append(nodes::bytes& to, baton::dtype type, const elements& from) {
  for (const auto number : from) {
    char bytes[16] = {};
    std::memcpy(bytes, &number, sizeof number);
    to.insert(to.end(), bytes, bytes + size_of(type));
  }
}
inline auto elements_in(const nodes::bytes& from, baton::dtype type) -> elements {
  const auto size = size_of(type);
  const bool is_signed = type != baton::dtype::uint8 && type != baton::dtype::uint16 && type != baton::dtype::uint32;
  elements result;
  for (std::size_t at = 0; at < from.size(); at += size) {
    std::int64_t number = 0;
    std::memcpy(&number, from.data() + at, size);
    const auto unused = 64 - 8 * size;
    if (is_signed && unused != 0) number = static_cast<std::int64_t>(static_cast<std::uint64_t>(number) << unused) >> unused;
    result.push_back(number);
  }
  return result;
}

/// Returns `f` of each pair of elements, after broadcasting.
template <class F>
auto for_each_pair(const pair_case& pair, const elements& left, const elements& right, F f) -> elements {
  const auto out = pair.output_shape();
  elements result;
  for (std::size_t at = 0; at < reference::count_of(out); ++at) {
    result.push_back(f(left[reference::position_in(pair.shapes[0], out, at)], right[reference::position_in(pair.shapes[1], out, at)]));
  }
  return result;
}

/// Describes the first element that differs, or returns "" if all are equal. Two NaNs are equal.
inline auto difference(baton::dtype type, const elements& actual, const elements& expected) -> std::string {
  if (actual.size() != expected.size()) return "another size";
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (actual[i] == expected[i]) continue;
    if (type == baton::dtype::float32 && std::isnan(real(actual[i])) && std::isnan(real(expected[i]))) continue;
    return "element " + std::to_string(i) + " is " + std::to_string(actual[i]) + ", expected " + std::to_string(expected[i]);
  }
  return {};
}

/// Returns the program of a node.
inline auto program_of(const pair_case& pair) -> baton::exported_program {
  const auto& of = pair.of;
  const auto out = pair.has_boolean_output ? baton::dtype::boolean : of.type;
  baton::program_builder b;
  const auto left = b.user_input("left", type_of(of.type, pair.shapes[0]));
  const auto right = b.user_input("right", type_of(pair.right_type, pair.shapes[1]));
  const auto result = b.call(of.name, {left, right}, type_of(out, pair.output_shape()), {{"fused_activation_function", of.fused.c_str()}});
  if (of.left.scale != 0) b.quantize(left, of.left.scale, of.left.zero_point);
  if (of.right.scale != 0) b.quantize(right, of.right.scale, of.right.zero_point);
  if (of.out.scale != 0) b.quantize(result, of.out.scale, of.out.zero_point);
  b.output(result);
  return b.finish();
}

/// Computes a node with a kernel of `list`. Returns the reason if none supports it, else "".
template <class List>
auto run(List list, const pair_case& pair, const std::vector<elements>& operands, elements& actual) -> std::string {
  const auto program = program_of(pair);
  nodes::interpreter runner{baton::program_view(program)};
  nodes::bytes input;
  append(input, pair.of.type, operands[0]);
  append(input, pair.right_type, operands[1]);
  nodes::bytes output;
  auto why = runner.run(list, input, output);
  actual = elements_in(output, pair.has_boolean_output ? baton::dtype::boolean : pair.of.type);
  return why;
}

}  // namespace random_pairs
