// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Elementwise selection, and sums of several operands.
#include "random_pairs.hpp"

#include "laws/kernel.hpp"

#include <baton/core/static_program.hpp>
#include <baton/kernels/portable/add_n.hpp>
#include <baton/kernels/portable/select.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using baton::dtype;
using random_pairs::elements;
using random_pairs::shape;

constexpr auto list = baton::kernels<baton::portable::detail::select, baton::portable::detail::add_n>;

/// Returns why a node is rejected, without the node's name.
auto reason_in(const std::string& why) -> std::string { return why.empty() ? why : why.substr(why.find(": ") + 2); }

/// A selection in one type. `run` computes it, `why` returns the reason if it is not supported.
struct choice {
  const char* name = "tfl.select_v2";
  dtype type = dtype::float32;
  std::vector<shape> shapes;
  shape out;

  auto run(const std::vector<elements>& operands, elements& actual) const -> std::string {
    baton::program_builder b;
    const auto condition = b.user_input("condition", random_pairs::type_of(dtype::boolean, shapes[0]));
    const auto first = b.user_input("first", random_pairs::type_of(type, shapes[1]));
    const auto second = b.user_input("second", random_pairs::type_of(type, shapes[2]));
    b.output(b.call(name, {condition, first, second}, random_pairs::type_of(type, out)));
    const auto program = b.finish();
    nodes::interpreter runner{baton::program_view(program)};
    nodes::bytes input;
    random_pairs::append(input, dtype::boolean, operands[0]);
    random_pairs::append(input, type, operands[1]);
    random_pairs::append(input, type, operands[2]);
    nodes::bytes output;
    auto why = runner.run(list, input, output);
    actual = random_pairs::elements_in(output, type);
    return why;
  }
  auto why() const -> std::string {
    const auto zeros = [](const shape& of) { return elements(reference::count_of(of), 0); };
    elements actual;
    return reason_in(run({zeros(shapes[0]), zeros(shapes[1]), zeros(shapes[2])}, actual));
  }
};

/// A sum of operands with one shape. `run` computes it, `why` returns the reason if it is not supported.
struct sum {
  dtype type = dtype::int8;
  std::size_t operands = 3;
  shape of{2, 3};
  float scale = 0.05f;
  int zero_point = -4;
  float out_scale = 0.1f;
  int out_zero_point = 3;
  float last_scale = 0;  ///< 0: equal to `scale`
  dtype last_type = type;
  shape last_shape = of;

  auto run(const std::vector<elements>& inputs, elements& actual) const -> std::string {
    baton::program_builder b;
    std::vector<baton::value_id> ids;
    for (std::size_t i = 0; i < operands; ++i) {
      const bool is_last = i + 1 == operands;
      ids.push_back(b.user_input("x" + std::to_string(i), random_pairs::type_of(is_last ? last_type : type, is_last ? last_shape : of)));
      b.quantize(ids.back(), is_last && last_scale != 0 ? last_scale : scale, zero_point);
    }
    const auto result = operands == 1   ? b.call("tfl.add_n", {ids[0]}, random_pairs::type_of(type, of))
                        : operands == 2 ? b.call("tfl.add_n", {ids[0], ids[1]}, random_pairs::type_of(type, of))
                                        : b.call("tfl.add_n", {ids[0], ids[1], ids[2]}, random_pairs::type_of(type, of));
    b.quantize(result, out_scale, out_zero_point);
    b.output(result);
    const auto program = b.finish();
    nodes::interpreter runner{baton::program_view(program)};
    nodes::bytes input;
    for (const auto& one : inputs) random_pairs::append(input, type, one);
    nodes::bytes output;
    auto why = runner.run(list, input, output);
    actual = random_pairs::elements_in(output, type);
    return why;
  }
  auto why() const -> std::string {
    elements actual;
    return reason_in(run(std::vector<elements>(operands, elements(24, 0)), actual));
  }
};

struct make_choice {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto condition = b.user_input("condition", baton::tensor(dtype::boolean, 4, 1));
    const auto first = b.user_input("first", baton::tensor(dtype::int16, 2, 1, 3));
    const auto second = b.user_input("second", baton::tensor(dtype::int16));
    b.output(b.call("tfl.select_v2", {condition, first, second}, baton::tensor(dtype::int16, 2, 4, 3)));
    return b.finish();
  }
};
struct make_sum {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto type = baton::tensor(dtype::int8, 2, 19);
    const auto x = b.user_input("x", type);
    const auto y = b.user_input("y", type);
    const auto z = b.call("tfl.add_n", {x, y, x}, type);
    for (const auto id : {x, y}) b.quantize(id, 0.05f, 3);
    b.quantize(z, 0.11f, -2);
    b.output(z);
    return b.finish();
  }
};

}  // namespace

TEST_CASE("random selections match the reference in every type") {
  for (const auto type : {dtype::float32, dtype::int8, dtype::int16, dtype::int32, dtype::int64, dtype::uint8, dtype::boolean}) {
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
      random_pairs::draws draw(seed * 1000 + static_cast<std::uint32_t>(type));
      choice node{.type = type, .shapes = random_pairs::random_shapes(draw, 3), .out = {}};
      node.out = reference::broadcast_shape(node.shapes);
      if (seed % 3 == 0) {
        node.name = "tfl.select";
        node.shapes[1] = node.shapes[2] = node.out;
        node.shapes[0] = draw.below(2) == 0 || node.out.empty() ? node.out : shape{node.out[0]};
        if (draw.below(4) == 0) node.shapes[0] = {};
      }
      std::vector<elements> operands{random_pairs::random_elements(draw, dtype::boolean, reference::count_of(node.shapes[0]))};
      for (auto& truth : operands[0]) truth *= 1 + draw.below(255);
      for (const std::size_t i : {1u, 2u})
        operands.push_back(random_pairs::random_elements(draw, type, reference::count_of(node.shapes[i])));
      auto condition = node.shapes[0];
      if (seed % 3 == 0) condition.resize(condition.empty() ? 0 : node.out.size(), 1);
      elements expected;
      for (std::size_t at = 0; at < reference::count_of(node.out); ++at) {
        const std::size_t from = operands[0][reference::position_in(condition, node.out, at)] != 0 ? 1 : 2;
        expected.push_back(operands[from][reference::position_in(node.shapes[from], node.out, at)]);
      }
      elements actual;
      CAPTURE(seed);
      CAPTURE(static_cast<int>(type));
      const auto why = node.run(operands, actual);
      if (why.find("needs more than 6 loops") != std::string::npos) continue;
      REQUIRE(why == "");
      CHECK((actual == expected));
    }
  }
}

TEST_CASE("random sums of operands match the reference") {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    random_pairs::draws draw(seed);
    sum node;
    node.type = node.last_type = seed % 3 == 0 ? dtype::float32 : dtype::int8;
    node.operands = 2 + draw.below(2);
    node.of = node.last_shape = random_pairs::random_shapes(draw, 1)[0];
    node.scale = 0.001f * static_cast<float>(draw.from_to(1, 300));
    node.out_scale = 0.001f * static_cast<float>(draw.from_to(1, 900));
    node.zero_point = draw.from_to(-128, 127);
    node.out_zero_point = draw.from_to(-128, 127);
    std::vector<elements> operands;
    for (std::size_t i = 0; i < node.operands; ++i)
      operands.push_back(random_pairs::random_elements(draw, node.type, reference::count_of(node.of)));
    elements expected;
    for (std::size_t at = 0; at < reference::count_of(node.of); ++at) {
      if (node.type == dtype::float32) {
        float all = 0;
        for (const auto& one : operands) all += random_pairs::real(one[at]);
        expected.push_back(random_pairs::bits(all));
      } else {
        // Each term is halved exactly. One more zero point is subtracted.
        std::int64_t all = -node.zero_point;
        for (const auto& one : operands) all += one[at] - node.zero_point;
        const auto by = 2 * static_cast<double>(node.scale) / (1048576 * static_cast<double>(node.out_scale));
        expected.push_back(std::clamp<std::int64_t>(reference::detail::scaled(all * 524288, by) + node.out_zero_point, -128, 127));
      }
    }
    elements actual;
    CAPTURE(seed);
    REQUIRE(node.run(operands, actual) == "");
    CHECK(random_pairs::difference(node.type, actual, expected) == "");
  }
}

TEST_CASE("selections and sums obey the laws at compile time") {
  laws::kernel::bytes input(4 + 12 + 2, '\0');
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<char>(i % 2 == 0 && i < 4 ? 0 : i * 37);
  CHECK(laws::kernel::all<baton::portable::detail::select, baton::static_program<make_choice>>(input));
  laws::kernel::bytes numbers(2 * 38, '\0');
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<char>(i * 57);
  CHECK(laws::kernel::all<baton::portable::detail::add_n, baton::static_program<make_sum>>(numbers));
}

TEST_CASE("unsupported selections are rejected with a reason") {
  CHECK(choice{.shapes{{2, 1}, {3}, {1}}, .out{2, 3}}.why() == "");
  CHECK(choice{.shapes{{2}, {3}, {1}}, .out{3}}.why() == "the shape of the condition does not match operands 1 and 2");
  CHECK(choice{.shapes{{3}, {3}, {1}}, .out{2, 3}}.why() == "output has a different shape than inferred");
  CHECK(choice{.name = "tfl.select", .shapes{{2}, {3, 2}, {3, 2}}, .out{3, 2}}.why() == "condition has 2 elements for 3 rows");
  CHECK(choice{.name = "tfl.select", .shapes{{1}, {3}, {3}}, .out{3}}.why() == "condition has 1 element for 3 rows");
  CHECK(choice{.name = "tfl.select", .shapes{{3, 1}, {3, 2}, {3, 2}}, .out{3, 2}}.why() == "select does not broadcast; use select_v2");
  CHECK(choice{.name = "tfl.select", .shapes{{}, {3, 2}, {2}}, .out{3, 2}}.why() == "select does not broadcast; use select_v2");
  CHECK(choice{.type = dtype::complex128, .shapes{{2}, {2}, {2}}, .out{2}}.why() ==
        "operands 1 and 2 are complex128; elements must have 8, 16, 32 or 64 bits");
}

TEST_CASE("unsupported sums are rejected with a reason") {
  CHECK(sum{}.why() == "");
  CHECK(sum{.operands = 1}.why() == "the operator has 1 operand, not two or more");
  CHECK(sum{.type = dtype::int16}.why() == "output is int16");
  CHECK(sum{.last_scale = 0.051f}.why() == "the quantization of input 2 differs from that of input 0");
  CHECK(sum{.last_type = dtype::int16}.why() == "input 2 is int16, the output is int8");
  CHECK(sum{.last_shape{3, 2}}.why() == "input 2 has a different shape");
  CHECK(sum{.scale = 0}.why() == "input has a scale that is not positive and finite");
  CHECK(sum{.out_scale = 1e-9f}.why() == "scale ratio is out of range for the sum");
}
