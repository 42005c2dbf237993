// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The values that ExecuTorch's operators compute after `legalize_executorch`, against formulas in double and loops over positions, as
// PyTorch documents the operators.
#include <baton/transform/legalize_executorch.hpp>

#include <baton/core/builder.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/named_literal.hpp>
#include <baton/core/span.hpp>
#include <baton/core/tensor.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/operators/executorch.hpp>
#include <baton/operators/verify.hpp>

#include "nodes/interpreter.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace baton;
using numbers = std::vector<double>;
using attribute_list = std::initializer_list<named_literal>;

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
void append_as(std::vector<char>& to, double x) {
  const auto value = static_cast<T>(x);
  const auto* const at = reinterpret_cast<const char*>(&value);
  to.insert(to.end(), at, at + sizeof value);
}
auto bytes_of(dtype type, const numbers& elements) -> std::vector<char> {
  std::vector<char> bytes;
  for (const auto x : elements) {
    if (type == dtype::float32) append_as<float>(bytes, x);
    if (type == dtype::float64) append_as<double>(bytes, x);
    if (type == dtype::int8 || type == dtype::boolean) append_as<std::int8_t>(bytes, x);
    if (type == dtype::int32) append_as<std::int32_t>(bytes, x);
    if (type == dtype::int64) append_as<std::int64_t>(bytes, x);
  }
  return bytes;
}
template <class T>
auto number_at(const char* from) -> double {
  T value;
  std::memcpy(&value, from, sizeof value);
  return static_cast<double>(value);
}
auto element_at(dtype type, const char* from) -> double {
  if (type == dtype::float32) return number_at<float>(from);
  if (type == dtype::int32) return number_at<std::int32_t>(from);
  if (type == dtype::int64) return number_at<std::int64_t>(from);
  return number_at<std::int8_t>(from);
}

/// A tensor of float32 numbers, or of integers.
struct array {
  tensor_type type;
  numbers elements;
  bool is_constant = false;
};
auto floats(const numbers& elements) -> array { return {tensor(dtype::float32, static_cast<std::int64_t>(elements.size())), elements}; }
/// A tensor whose elements are different: 0.5, 1.5, -2.5, 3.5 and so on; of integers 0, 1, -2, 3.
auto counted(const tensor_type& type) -> array {
  array result{type, {}};
  for (std::int64_t i = 0; i < element_count(type.shape()); ++i) {
    const auto x = static_cast<double>(i) + (type.type == dtype::float32 ? 0.5 : 0);
    result.elements.push_back(i % 3 == 2 ? -x : x);
  }
  return result;
}

/// Runs one node on its operands, and returns the elements of all outputs. An operand without elements is omitted.
/// `factors` are the list of real numbers that replaces the argument with the text "factors".
auto run(std::string_view op, const std::vector<array>& operands, std::vector<tensor_type> outputs, attribute_list arguments,
         const numbers& factors = {}) -> numbers {
  program_builder b;
  std::vector<value_id> ids;
  nodes::bytes input, output;
  for (const auto& operand : operands) {
    const auto name = join("operand_", ids.size());
    const auto bytes = bytes_of(operand.type.type, operand.elements);
    if (operand.is_constant) {
      ids.push_back(b.constant(view(name), operand.type, std::string_view(bytes.data(), bytes.size())));
      continue;
    }
    ids.push_back(operand.elements.empty() ? none<value_id> : b.user_input(view(name), operand.type));
    input.insert(input.end(), bytes.begin(), bytes.end());
  }
  ids.resize(4, none<value_id>);
  outputs.resize(2, tensor(dtype::float32, 1));
  const bool has_two = outputs[1].type == dtype::int64;
  const auto call = [&](std::initializer_list<value_id> list) {
    if (has_two) return b.call_many("node", op, list, {outputs[0], outputs[1]}, arguments);
    vector<value_id> one;
    one.push_back(b.call(op, list, outputs[0], arguments));
    return one;
  };
  const auto results = operands.empty()       ? call({})
                       : operands.size() == 1 ? call({ids[0]})
                       : operands.size() == 2 ? call({ids[0], ids[1]})
                       : operands.size() == 3 ? call({ids[0], ids[1], ids[2]})
                                              : call({ids[0], ids[1], ids[2], ids[3]});
  for (const auto id : results) b.output(id);
  auto program = b.finish();
  program.dialect = &executorch::dialect;
  for (auto& each : program.attributes) {
    if (each.kind != attribute_kind::text || program_view(program).text(each.bytes) != "factors") continue;
    each.kind = attribute_kind::reals;
    each.list = {static_cast<std::uint32_t>(program.reals.size()), static_cast<std::uint32_t>(factors.size())};
    program.reals.insert(program.reals.end(), factors.begin(), factors.end());
  }
  INFO(std::string(op));
  const auto why = verify(program);
  if (why) FAIL(std::string(view(message(why))));
  const auto legal = legalize_executorch::run(program);
  if (!legal) FAIL(std::string(view(message(legal.error))));
  REQUIRE(!verify(legal.value));
  nodes::interpreter runner{legal.value};
  REQUIRE(runner.run(portable_kernels, input, output) == "");
  numbers elements;
  std::size_t at = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto size = std::size_t{facts(outputs[i].type).bits} / 8;
    for (std::int64_t e = 0; e < element_count(outputs[i].shape()); ++e, at += size)
      elements.push_back(element_at(outputs[i].type, output.data() + at));
  }
  return elements;
}

/// True if two lists are equal, up to a relative difference of 1e-5 of finite numbers.
auto is_near(const numbers& actual, const numbers& expected) -> bool {
  bool is_same = actual.size() == expected.size();
  for (std::size_t i = 0; i < actual.size() && is_same; ++i) {
    CAPTURE(i);
    CAPTURE(actual[i]);
    CAPTURE(expected[i]);
    const bool are_nan = std::isnan(actual[i]) && std::isnan(expected[i]);
    is_same = are_nan || actual[i] == expected[i] ||
              (std::isfinite(expected[i]) && std::abs(actual[i] - expected[i]) <= 1e-5 * std::abs(expected[i]));
    CHECK(is_same);
  }
  return is_same;
}

/// Compares a function of one float32 number with a formula in double.
void check_function(std::string_view op, const std::function<double(double)>& formula, attribute_list arguments, const numbers& at) {
  const auto in = floats(at);
  numbers expected;
  for (const auto x : at) expected.push_back(formula(static_cast<double>(static_cast<float>(x))));
  CAPTURE(std::string(op));
  CHECK(is_near(run(op, {in}, {in.type}, arguments), expected));
}
const numbers usual = {-7.25, -2, -1, -0.5, -0.49, -1e-3, -1e-7, 0, 1e-7, 1e-3, 0.25, 0.499, 0.5, 1, 1.5, 2.75, 3, 6.5, 9};
const numbers positive = {1e-7, 1e-3, 0.25, 0.5, 1, 1.00001, 1.5, 2.75, 3, 10, 1e6};

}  // namespace

TEST_CASE("ExecuTorch's activations and functions compute the numbers of their formulas") {
  check_function("aten.clamp.out", [](double x) { return std::clamp(x, -1.5, 2.0); }, {{"arg_1", -1.5}, {"arg_2", 2}}, usual);
  check_function("aten.clamp.out", [](double x) { return std::min(x, 2.5); }, {{"arg_2", 2.5}}, usual);
  check_function("aten.clamp.out", [](double x) { return std::max(x, 0.5); }, {{"arg_1", 0.5}}, usual);
  check_function("aten.hardtanh.out", [](double x) { return std::clamp(x, 0.0, 6.0); }, {{"arg_1", 0}, {"arg_2", 6.0}}, usual);
  check_function("aten.elu.out", [](double x) { return x > 0 ? x : std::expm1(x); }, {{"arg_1", 1.0}, {"arg_2", 1}, {"arg_3", 1}}, usual);
  check_function(
      "aten.elu.out", [](double x) { return x > 0 ? 1.5 * x : 3.0 * std::expm1(0.5 * x); },
      {{"arg_1", 2.0}, {"arg_2", 1.5}, {"arg_3", 0.5}}, usual);
  check_function("aten.leaky_relu.out", [](double x) { return x > 0 ? x : x * static_cast<double>(0.1F); }, {{"arg_1", 0.1}}, usual);
  check_function("aten.reciprocal.out", [](double x) { return 1 / x; }, {}, positive);
  check_function("aten.erf.out", [](double x) { return std::erf(x); }, {}, usual);
  check_function("aten.erf.out", [](double x) { return std::erf(x); }, {},
                 {-infinity, -20, -7, -5.5, -4, 4, 5.5, 7, 20, infinity, std::nan("")});
  check_function("aten.log1p.out", [](double x) { return std::log1p(x); }, {}, {1e29, 1e31, 3e38, infinity, std::nan("")});
  check_function("aten.expm1.out", [](double x) { return std::expm1(x); }, {}, usual);
  check_function("aten.log1p.out", [](double x) { return std::log1p(x); }, {}, positive);
  check_function("aten.log1p.out", [](double x) { return std::log1p(x); }, {}, {-0.9, -0.5, -1e-3, -1e-7, 0});
  check_function("aten.log2.out", [](double x) { return std::log2(x); }, {}, positive);
  check_function("aten.log10.out", [](double x) { return std::log10(x); }, {}, positive);
  check_function("aten.tan.out", [](double x) { return std::tan(x); }, {}, {-1, -0.25, 0, 1e-4, 0.5, 1.25});
  check_function("aten.sinh.out", [](double x) { return std::sinh(x); }, {}, usual);
  check_function("aten.cosh.out", [](double x) { return std::cosh(x); }, {}, usual);
  check_function("aten.trunc.out", [](double x) { return std::trunc(x); }, {}, usual);
  check_function("aten.sign.out", [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; }, {}, usual);
  check_function("aten.rsub.Scalar_out", [](double x) { return 2.5 - 3 * x; }, {{"arg_1", 2.5}, {"arg_2", 3}}, {-2, 0, 0.5, 4});
  check_function("aten.rsub.Scalar_out", [](double x) { return 1 - x; }, {{"arg_1", 1}}, usual);
  check_function("aten.pow.Scalar_out", [](double x) { return std::pow(2.5, x); }, {{"arg_0", 2.5}}, usual);
  check_function("aten.fmod.Scalar_out", [](double x) { return std::fmod(x, 1.25); }, {{"arg_1", 1.25}}, usual);
  check_function("aten.div.Scalar_mode_out", [](double x) { return std::floor(x / 0.75); }, {{"arg_1", 0.75}, {"arg_2", "floor"}}, usual);
  check_function("aten.div.Scalar_mode_out", [](double x) { return std::trunc(x / 0.75); }, {{"arg_1", 0.75}, {"arg_2", "trunc"}}, usual);
}

TEST_CASE("ExecuTorch's functions of several operands compute the numbers of their formulas") {
  const auto x = floats({-7.5, -1, 0.5, 3, 8.25, 2}), y = floats({2, -3, 0.75, -1.25, 2.5, 2});
  const auto check = [&](std::string_view op, const std::function<double(double, double)>& formula, attribute_list arguments = {}) {
    numbers expected;
    for (std::size_t i = 0; i < x.elements.size(); ++i) expected.push_back(formula(x.elements[i], y.elements[i]));
    CAPTURE(std::string(op));
    CHECK(is_near(run(op, {x, y}, {x.type}, arguments), expected));
  };
  check("aten.remainder.Tensor_out", [](double a, double b) { return a - b * std::floor(a / b); });
  check("aten.fmod.Tensor_out", [](double a, double b) { return std::fmod(a, b); });
  check("aten.floor_divide.out", [](double a, double b) { return std::floor(a / b); });
  check("aten.div.out_mode", [](double a, double b) { return std::floor(a / b); }, {{"arg_2", "floor"}});
  check("aten.div.out_mode", [](double a, double b) { return std::trunc(a / b); }, {{"arg_2", "trunc"}});
  check("aten.div.out_mode", [](double a, double b) { return a / b; });
  CHECK(run("aten.clamp.Tensor_out", {x, floats({-2}), floats({3})}, {x.type}, {}) == numbers{-2, -1, 0.5, 3, 3, 2});
  CHECK(run("aten.clamp.Tensor_out", {x, {}, floats({3})}, {x.type}, {}) == numbers{-7.5, -1, 0.5, 3, 3, 2});
  const array mask{tensor(dtype::boolean, 6), {1, 0, 0, 1, 0, 1}}, other{mask.type, {1, 1, 0, 0, 0, 1}};
  CHECK(run("aten.masked_fill.Scalar_out", {x, mask}, {x.type}, {{"arg_2", -9}}) == numbers{-9, -1, 0.5, -9, 8.25, -9});
  CHECK(run("aten.masked_fill.Scalar_out", {x, mask}, {x.type}, {{"arg_2", -infinity}})[0] == -infinity);
  CHECK(run("aten.bitwise_and.Tensor_out", {mask, other}, {mask.type}, {}) == numbers{1, 0, 0, 0, 0, 1});
  CHECK(run("aten.bitwise_or.Tensor_out", {mask, other}, {mask.type}, {}) == numbers{1, 1, 0, 1, 0, 1});
  CHECK(run("aten.bitwise_xor.Tensor_out", {mask, other}, {mask.type}, {}) == numbers{0, 1, 0, 1, 0, 0});
  CHECK(run("aten.bitwise_not.out", {mask}, {mask.type}, {}) == numbers{0, 1, 1, 0, 1, 0});
  for (const auto type : {dtype::int8, dtype::int32, dtype::int64}) {
    const array whole{tensor(type, 4), {0, 5, -1, -100}};
    CHECK(run("aten.bitwise_not.out", {whole}, {whole.type}, {}) == numbers{-1, -6, 0, 99});
  }
  const array whole{tensor(dtype::int32, 4), {-7, 7, 0, 12}};
  CHECK(run("aten.clamp.out", {whole}, {whole.type}, {{"arg_1", -2}, {"arg_2", 8}}) == numbers{-2, 7, 0, 8});
  CHECK(run("aten.div.Scalar_mode_out", {whole}, {whole.type}, {{"arg_1", 2}, {"arg_2", "trunc"}}) == numbers{-3, 3, 0, 6});
  const array wide{tensor(dtype::int64, 3), {-7e9, 7e9, 12}};
  constexpr std::int64_t large = 5000000000;
  CHECK(run("aten.masked_fill.Scalar_out", {wide, {tensor(dtype::boolean, 3), {0, 0, 1}}}, {wide.type}, {{"arg_2", large}}) ==
        numbers{-7e9, 7e9, 5e9});
  CHECK(run("aten.clamp.out", {wide}, {wide.type}, {{"arg_1", -large}, {"arg_2", large}}) == numbers{-5e9, 5e9, 12});
  CHECK(run("aten.floor_divide.out", {whole, whole}, {whole.type}, {})[0] == 1);
  const auto odd = floats({infinity, -infinity, 1, std::nan("")});
  CHECK(run("aten.isinf.out", {odd}, {tensor(dtype::boolean, 4)}, {}) == numbers{1, 1, 0, 0});
  CHECK(run("aten.isnan.out", {odd}, {tensor(dtype::boolean, 4)}, {}) == numbers{0, 0, 0, 1});
}

TEST_CASE("ExecuTorch's conversions change type and order") {
  const auto x = floats({-2.75, -0.5, 0, 1.5});
  const auto type = [](dtype to) { return tensor(to, 4); };
  CHECK(run("aten._to_copy.out", {x}, {type(dtype::int32)}, {}) == numbers{-2, 0, 0, 1});
  CHECK(run("aten._to_copy.out", {x}, {type(dtype::boolean)}, {}) == numbers{1, 1, 0, 1});
  CHECK(run("aten._to_copy.out", {x}, {x.type}, {}) == x.elements);
  // From channels last to the order of dimensions: the element of channel c at position p moves from 2 p + c to 3 c + p.
  constexpr std::int64_t orders[] = {0, 2, 3, 1, 0, 1, 2, 3};
  const array image{tensor(dtype::float32, 1, 1, 3, 2), {0, 1, 2, 3, 4, 5}};
  const attribute_list arguments{{"dim_orders", span<const std::int64_t>{orders}}};
  CHECK(run("dim_order_ops._to_dim_order_copy.out", {image}, {tensor(dtype::float32, 1, 2, 1, 3)}, arguments) == numbers{0, 2, 4, 1, 3, 5});
  CHECK(run("dim_order_ops._to_dim_order_copy.out", {image}, {tensor(dtype::int32, 1, 2, 1, 3)}, arguments) == numbers{0, 2, 4, 1, 3, 5});
}

namespace {

/// The positions of a tensor's elements, as a reference for operators that move elements.
struct grid {
  std::vector<std::int64_t> sizes;

  auto count() const -> std::int64_t {
    std::int64_t result = 1;
    for (const auto size : sizes) result *= size;
    return result;
  }
  auto type(dtype of = dtype::float32) const -> tensor_type {
    tensor_type result{of, sizes.size(), {}};
    std::copy(sizes.begin(), sizes.end(), result.sizes.begin());
    return result;
  }
  /// Returns the coordinates of element `at`.
  auto coordinates(std::int64_t at) const -> std::vector<std::int64_t> {
    std::vector<std::int64_t> result(sizes.size());
    for (auto d = sizes.size(); d-- > 0; at /= sizes[d]) result[d] = at % sizes[d];
    return result;
  }
  auto at(const std::vector<std::int64_t>& coordinates) const -> std::size_t {
    std::int64_t result = 0;
    for (std::size_t d = 0; d < sizes.size(); ++d) result = result * sizes[d] + coordinates[d];
    return static_cast<std::size_t>(result);
  }
};
using place = std::vector<std::int64_t>;

/// Compares an operator that moves the elements of one tensor with a function that returns the source of each position of the output, or an
/// empty place where the output has `filling`.
void check_moves(std::string_view op, const grid& in, const grid& out, attribute_list arguments,
                 const std::function<place(const place&)>& source, double filling = 0, std::vector<array> more = {}) {
  for (const auto type : {dtype::float32, dtype::int32}) {
    const auto from = counted(in.type(type));
    numbers expected;
    for (std::int64_t i = 0; i < out.count(); ++i) {
      const auto at = source(out.coordinates(i));
      expected.push_back(at.empty() ? filling : from.elements[in.at(at)]);
    }
    std::vector<array> operands{from};
    operands.insert(operands.end(), more.begin(), more.end());
    CAPTURE(std::string(op));
    CHECK(run(op, operands, {out.type(type)}, arguments) == expected);
  }
}
auto list(std::initializer_list<std::int64_t> items) -> span<const std::int64_t> { return {items.begin(), items.size()}; }

}  // namespace

TEST_CASE("ExecuTorch's quantization per channel rounds half to even, and limits the numbers to the range") {
  const array x{tensor(dtype::float32, 2, 3), {0.25, 0.75, -100, 1, -1.5, 90}};
  const array zero_points{tensor(dtype::int64, 2), {3, -4}, true};
  for (const auto type : {dtype::float32, dtype::float64}) {
    const array scales{tensor(type, 2), {0.5, 1}, true};
    CHECK(run("quantized_decomposed.quantize_per_channel.out", {x, scales, zero_points}, {tensor(dtype::int8, 2, 3)},
              {{"arg_3", 0}, {"arg_4", -127}, {"arg_5", 80}, {"arg_6", 1}}) == numbers{3, 5, -127, -3, -6, 80});
  }
}

TEST_CASE("cortex_m.pad has paddings in the order of memory, also for images with an ambiguous order") {
  // As arm_pad_s8 of CMSIS-NN computes it, on sizes in the order of memory.
  const auto check = [](const grid& in, std::initializer_list<std::int64_t> before, std::initializer_list<std::int64_t> after,
                        std::initializer_list<std::int64_t> orders) {
    grid out = in;
    numbers expected;
    for (std::size_t d = 0; d < in.sizes.size(); ++d) out.sizes[d] += before.begin()[d] + after.begin()[d];
    const auto from = counted(in.type(dtype::int8));
    for (std::int64_t i = 0; i < out.count(); ++i) {
      auto p = out.coordinates(i);
      bool is_inside = true;
      for (std::size_t d = 0; d < p.size(); ++d) {
        p[d] -= before.begin()[d];
        is_inside = is_inside && p[d] >= 0 && p[d] < in.sizes[d];
      }
      expected.push_back(is_inside ? from.elements[in.at(p)] : -7);
    }
    const span<const std::int64_t> all{orders.begin(), orders.size()}, first{before.begin(), before.size()},
        last{after.begin(), after.size()};
    CHECK(run("cortex_m.pad.out", {from}, {out.type(dtype::int8)},
              {{"arg_1", first}, {"arg_2", last}, {"arg_3", -7}, {"dim_orders", all}}) == expected);
  };
  check({{1, 2, 3, 4}}, {0, 1, 2, 0}, {0, 0, 1, 1}, {0, 2, 3, 1, 0, 2, 3, 1});  // [N, H, W, C]
  check({{1, 2, 3, 4}}, {0, 1, 2, 0}, {0, 0, 1, 1}, {0, 1, 2, 3, 0, 1, 2, 3});  // [N, C, H, W]
  // One channel: a file may state either order. The sizes of memory are those of [N, H, W, C].
  check({{1, 3, 4, 1}}, {0, 1, 0, 0}, {0, 0, 2, 0}, {0, 2, 3, 1, 0, 2, 3, 1});
  const auto image = counted(tensor(dtype::int8, 1, 1, 3, 4));
  const auto padded = run("cortex_m.pad.out", {image}, {tensor(dtype::int8, 1, 1, 4, 4)},
                          {{"arg_1", list({0, 1, 0, 0})}, {"arg_2", list({0, 0, 0, 0})}, {"arg_3", -7}});
  CHECK(numbers(padded.begin(), padded.begin() + 4) == numbers(4, -7));
  CHECK(numbers(padded.begin() + 4, padded.end()) == image.elements);
}

TEST_CASE("ExecuTorch's operators that move elements read the positions that PyTorch defines") {
  const grid cube{{2, 3, 4}}, matrix{{3, 4}};
  check_moves("aten.t_copy.out", matrix, {{4, 3}}, {}, [](const place& p) { return place{p[1], p[0]}; });
  check_moves("aten.transpose_copy.int_out", cube, {{4, 3, 2}}, {{"arg_1", 0}, {"arg_2", -1}},
              [](const place& p) { return place{p[2], p[1], p[0]}; });
  check_moves("aten.slice_copy.Tensor_out", cube, {{2, 2, 4}}, {{"arg_1", 1}, {"arg_2", -2}, {"arg_3", 99}, {"arg_4", 1}},
              [](const place& p) { return place{p[0], p[1] + 1, p[2]}; });
  check_moves("aten.slice_copy.Tensor_out", cube, {{2, 3, 2}}, {{"arg_1", -1}, {"arg_3", 4}, {"arg_4", 2}},
              [](const place& p) { return place{p[0], p[1], 2 * p[2]}; });
  check_moves("aten.narrow_copy.out", cube, {{2, 3, 2}}, {{"arg_1", 2}, {"arg_2", -3}, {"arg_3", 2}},
              [](const place& p) { return place{p[0], p[1], p[2] + 1}; });
  check_moves("aten.flip.out", cube, cube, {{"arg_1", list({0, -1})}}, [](const place& p) { return place{1 - p[0], p[1], 3 - p[2]}; });
  check_moves("aten.repeat.out", matrix, {{2, 6, 4}}, {{"arg_1", list({2, 2, 1})}}, [](const place& p) { return place{p[1] % 3, p[2]}; });
  check_moves("aten.squeeze_copy.dim_out", {{2, 1, 3}}, {{2, 3}}, {{"arg_1", 1}}, [](const place& p) { return place{p[0], 0, p[1]}; });
  check_moves("aten.detach_copy.out", cube, cube, {}, [](const place& p) { return p; });
  check_moves(
      "aten.constant_pad_nd.out", matrix, {{3, 7}}, {{"arg_1", list({1, 2})}, {"arg_2", -3}},
      [](const place& p) { return p[1] < 1 || p[1] > 4 ? place{} : place{p[0], p[1] - 1}; }, -3);
  check_moves("aten.constant_pad_nd.out", matrix, {{6, 5}}, {{"arg_1", list({0, 1, 2, 1})}, {"arg_2", 0}},
              [](const place& p) { return p[0] < 2 || p[0] > 4 || p[1] > 3 ? place{} : place{p[0] - 2, p[1]}; });
  check_moves("aten.reflection_pad2d.out", {{1, 1, 3, 4}}, {{1, 1, 4, 7}}, {{"arg_1", list({2, 1, 1, 0})}}, [](const place& p) {
    const auto column = std::abs(p[3] - 2);
    return place{0, 0, std::abs(p[2] - 1), column > 3 ? 6 - column : column};
  });
  check_moves("aten.replication_pad2d.out", {{1, 2, 3, 4}}, {{1, 2, 4, 6}}, {{"arg_1", list({2, 0, -1, 2})}},
              [](const place& p) { return place{0, p[1], std::min<std::int64_t>(2, p[2] + 1), std::max<std::int64_t>(0, p[3] - 2)}; });
  check_moves("aten.roll.out", cube, cube, {{"arg_1", list({1, -5})}, {"arg_2", list({0, -1})}},
              [](const place& p) { return place{1 - p[0], p[1], (p[2] + 5) % 4}; });
  check_moves("aten.tril.out", {{3, 3}}, {{3, 3}}, {{"arg_1", 1}}, [](const place& p) { return p[1] > p[0] + 1 ? place{} : p; });
  check_moves("aten.pixel_shuffle.out", {{1, 8, 2, 3}}, {{1, 2, 4, 6}}, {{"arg_1", 2}},
              [](const place& p) { return place{0, 4 * p[1] + 2 * (p[2] % 2) + p[3] % 2, p[2] / 2, p[3] / 2}; });
}

TEST_CASE("ExecuTorch's operators with positions read and write the elements that PyTorch defines") {
  const grid cube{{2, 3, 4}}, matrix{{3, 4}};
  const array rows{tensor(dtype::int64, 2, 2), {2, 0, 1, 1}}, three{tensor(dtype::int64, 3), {2, 0, 2}};
  check_moves("aten.embedding.out", matrix, {{2, 2, 4}}, {{"arg_2", -1}, {"arg_3", 0}, {"arg_4", 0}},
              [](const place& p) { return place{std::vector<std::int64_t>{2, 0, 1, 1}[static_cast<std::size_t>(2 * p[0] + p[1])], p[2]}; },
              0, {rows});
  check_moves("aten.index_select.out", cube, {{2, 3, 4}}, {{"arg_1", 1}},
              [](const place& p) { return place{p[0], p[1] == 1 ? 0 : 2, p[2]}; }, 0, {three});
  check_moves("aten.index.Tensor_out", cube, {{2, 3, 4}}, {{"list_sizes", list({2})}},
              [](const place& p) { return place{p[0], p[1] == 1 ? 0 : 2, p[2]}; }, 0, {array{}, three});
  const array columns{tensor(dtype::int64, 3, 2), {3, 0, 1, 1, 0, 2}};
  check_moves(
      "aten.gather.out", matrix, {{3, 2}}, {{"arg_1", 1}},
      [&](const place& p) { return place{p[0], static_cast<std::int64_t>(columns.elements[static_cast<std::size_t>(2 * p[0] + p[1])])}; },
      0, {columns});
  const auto x = counted(matrix.type());
  const array src{tensor(dtype::float32, 3, 2), {10, 20, 30, 40, 50, 60}}, at{tensor(dtype::int64, 3, 2), {3, 0, 1, 2, 0, 2}};
  auto replaced = x.elements, increased = x.elements;
  for (std::size_t i = 0; i < 6; ++i) {
    const auto to = i / 2 * 4 + static_cast<std::size_t>(at.elements[i]);
    replaced[to] = src.elements[i];
    increased[to] += src.elements[i];
  }
  CHECK(run("aten.scatter.src_out", {x, at, src}, {x.type}, {{"arg_1", 1}}) == replaced);
  CHECK(run("aten.scatter_add.out", {x, at, src}, {x.type}, {{"arg_1", 1}}) == increased);
  auto sliced = x.elements, selected = x.elements;
  for (std::size_t i = 0; i < 6; ++i) sliced[i / 2 * 4 + 1 + i % 2] = src.elements[i];
  CHECK(run("aten.slice_scatter.out", {x, src}, {x.type}, {{"arg_2", 1}, {"arg_3", 1}, {"arg_4", -1}, {"arg_5", 1}}) == sliced);
  for (std::size_t i = 0; i < 3; ++i) selected[i * 4 + 2] = src.elements[i];
  const array row{tensor(dtype::float32, 3), {10, 20, 30}};
  CHECK(run("aten.select_scatter.out", {x, row}, {x.type}, {{"arg_2", 1}, {"arg_3", -2}}) == selected);
  // A cache: the column at a position is replaced, in place in the file.
  for (const double position : {2.0, -2.0}) {
    const array column{tensor(dtype::float32, 3, 1), {10, 20, 30}}, where{tensor(dtype::int64, 1), {position}};
    CHECK(run("aten.index_put", {x, {}, where, column}, {x.type}, {{"arg_3", 0}, {"list_sizes", list({2})}}) == selected);
  }
  auto put = x.elements, added = x.elements;
  for (std::size_t i = 0; i < 4; ++i) {
    put[8 + i] = static_cast<double>(i);
    added[8 + i] += static_cast<double>(i + i + 1);
  }
  const array line{tensor(dtype::float32, 1, 4), {0, 1, 2, 3}}, lines{tensor(dtype::float32, 2, 4), {0, 1, 2, 3, 1, 2, 3, 4}};
  CHECK(run("aten.index_put.out", {x, {tensor(dtype::int64, 1), {2}}, line}, {x.type}, {{"arg_3", 0}, {"list_sizes", list({1})}}) == put);
  CHECK(run("aten.index_put.out", {x, {tensor(dtype::int64, 2), {2, 2}}, lines}, {x.type}, {{"arg_3", 1}, {"list_sizes", list({1})}}) ==
        added);
  // Equal positions get an element once, along any dimension.
  auto filled = x.elements;
  for (std::size_t i = 0; i < 12; ++i) filled[i] = i % 4 == 1 ? 7 : filled[i];
  CHECK(run("aten.index_put.out", {x, {}, {tensor(dtype::int64, 2), {1, -3}}, floats({7})}, {x.type},
            {{"arg_3", 0}, {"list_sizes", list({2})}}) == filled);
  CHECK(run("aten.stack.out", {row, floats({1, 2, 3})}, {tensor(dtype::float32, 3, 2)}, {{"arg_1", -1}, {"list_sizes", list({2})}}) ==
        numbers{10, 1, 20, 2, 30, 3});
  CHECK(run("aten.copy.out", {x, floats({1, 2, 3, 4})}, {x.type}, {}) == numbers{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4});
  const auto whole = tensor(dtype::int64, 4), halves = tensor(dtype::float32, 2);
  CHECK(run("aten.arange.out", {}, {whole}, {{"arg_0", 4}}) == numbers{0, 1, 2, 3});
  CHECK(run("aten.arange.start_out", {}, {tensor(dtype::float32, 3)}, {{"arg_0", 0.5}, {"arg_1", 2}, {"arg_2", 0.5}}) ==
        numbers{0.5, 1, 1.5});
  CHECK(run("aten.scalar_tensor.out", {}, {tensor(dtype::float32)}, {{"arg_0", 2.5}}) == numbers{2.5});
  CHECK(run("aten.ones.out", {}, {halves}, {{"arg_0", list({2})}}) == numbers{1, 1});
  CHECK(run("aten.zeros.out", {}, {halves}, {{"arg_0", list({2})}}) == numbers{0, 0});
  CHECK(run("aten.full.out", {}, {halves}, {{"arg_0", list({2})}, {"arg_1", -infinity}}) == numbers{-infinity, -infinity});
  CHECK(run("aten.full.out", {}, {halves}, {{"arg_0", list({2})}, {"arg_1", true}}) == numbers{1, 1});
  CHECK(run("aten.fill.Scalar_out", {row}, {row.type}, {{"arg_1", -4}}) == numbers{-4, -4, -4});
}

TEST_CASE("ExecuTorch's searches find the first extreme element, and sums accumulate") {
  const array x{tensor(dtype::float32, 2, 3), {1, 5, 5, -2, 0, -7}};
  const auto row = tensor(dtype::int64, 2), kept = tensor(dtype::int64, 2, 1), float_row = tensor(dtype::float32, 2);
  CHECK(run("aten.argmax.out", {x}, {row}, {{"arg_1", 1}, {"arg_2", 0}}) == numbers{1, 1});
  CHECK(run("aten.argmin.out", {x}, {kept}, {{"arg_1", -1}, {"arg_2", 1}}) == numbers{0, 2});
  CHECK(run("aten.argmax.out", {x}, {tensor(dtype::int64)}, {{"arg_2", 0}}) == numbers{1});
  CHECK(run("aten.argmin.out", {x}, {tensor(dtype::int64, 1, 1)}, {{"arg_2", 1}}) == numbers{5});
  CHECK(run("aten.max.dim_max", {x}, {float_row, row}, {{"arg_1", 1}, {"arg_2", 0}}) == numbers{5, 0, 1, 1});
  CHECK(run("aten.min.dim_min", {x}, {tensor(dtype::float32, 1, 3), tensor(dtype::int64, 1, 3)}, {{"arg_1", 0}, {"arg_2", 1}}) ==
        numbers{-2, 0, -7, 1, 1, 1});
  CHECK(run("aten.topk.values", {x}, {tensor(dtype::float32, 2, 2), tensor(dtype::int64, 2, 2)},
            {{"arg_1", 2}, {"arg_2", 1}, {"arg_3", 0}, {"arg_4", 1}}) == numbers{1, 5, -7, -2, 0, 1, 2, 0});
  CHECK(run("aten.topk.values", {x}, {tensor(dtype::float32, 1, 3), tensor(dtype::int64, 1, 3)},
            {{"arg_1", 1}, {"arg_2", 0}, {"arg_3", 1}, {"arg_4", 1}}) == numbers{1, 5, 5, 0, 0, 0});
  CHECK(run("aten.cumsum.out", {x}, {x.type}, {{"arg_1", 1}}) == numbers{1, 6, 11, -2, -2, -9});
}

TEST_CASE("ExecuTorch's reductions, normalizations and images compute the numbers of their formulas") {
  const grid cube{{2, 3, 4}};
  const auto x = counted(cube.type());
  const auto along = [&](std::size_t axis, const std::function<double(const numbers&)>& of) {
    numbers results;
    for (std::int64_t i = 0; i < cube.count(); ++i) {
      auto p = cube.coordinates(i);
      if (p[axis] != 0) continue;
      numbers row;
      for (p[axis] = 0; p[axis] < cube.sizes[axis]; ++p[axis]) row.push_back(x.elements[cube.at(p)]);
      results.push_back(of(row));
    }
    return results;
  };
  const auto product = [](const numbers& row) {
    double result = 1;
    for (const auto each : row) result *= each;
    return result;
  };
  const auto sum = [](const numbers& row) {
    double result = 0;
    for (const auto each : row) result += each;
    return result;
  };
  const auto variance = [&](const numbers& row, double correction) {
    const auto mean = sum(row) / static_cast<double>(row.size());
    double result = 0;
    for (const auto each : row) result += (each - mean) * (each - mean);
    return result / (static_cast<double>(row.size()) - correction);
  };
  const auto scalar = tensor(dtype::float32), pair = tensor(dtype::float32, 2, 4), column = tensor(dtype::float32, 2, 3, 1);
  CHECK(is_near(run("aten.prod.int_out", {x}, {pair}, {{"arg_1", 1}, {"arg_2", 0}}), along(1, product)));
  CHECK(is_near(run("aten.var.correction_out", {x}, {column}, {{"arg_1", list({2})}, {"arg_2", 1}, {"arg_3", 1}}),
                along(2, [&](const numbers& row) { return variance(row, 1); })));
  CHECK(is_near(run("aten.var.out", {x}, {pair}, {{"arg_1", list({1})}, {"arg_2", 0}, {"arg_3", 0}}),
                along(1, [&](const numbers& row) { return variance(row, 0); })));
  CHECK(is_near(run("aten.mean.dtype_out", {x}, {scalar}, {}), {sum(x.elements) / 24}));
  CHECK(run("aten.max.unary_out", {x}, {scalar}, {}) == numbers{22.5});
  CHECK(run("aten.min.unary_out", {x}, {scalar}, {}) == numbers{-23.5});
  CHECK(is_near(run("aten.prod.out", {floats({2, -3, 0.5})}, {scalar}, {}), {-3}));
  const array truth{tensor(dtype::boolean, 2, 3), {0, 0, 0, 0, 1, 0}};
  CHECK(run("aten.any.all_out", {truth}, {tensor(dtype::boolean)}, {}) == numbers{1});
  CHECK(run("aten.any.dims_out", {truth}, {tensor(dtype::boolean, 2)}, {{"arg_1", list({1})}, {"arg_2", 0}}) == numbers{0, 1});

  // Two groups of two channels.
  const grid image{{1, 4, 2, 3}};
  const auto pixels = counted(image.type());
  const array weights{tensor(dtype::float32, 4), {1, 2, -1, 0.5}}, bias{tensor(dtype::float32, 4), {0, 1, 2, 3}};
  numbers plain, scaled;
  for (std::size_t i = 0; i < 24; ++i) {
    const auto first = pixels.elements.begin() + static_cast<std::ptrdiff_t>(i / 12 * 12);
    const numbers group(first, first + 12);
    plain.push_back((pixels.elements[i] - sum(group) / 12) / std::sqrt(variance(group, 0) + 1e-3));
    scaled.push_back(plain.back() * weights.elements[i / 6] + bias.elements[i / 6]);
  }
  const attribute_list arguments{{"arg_3", 1}, {"arg_4", 4}, {"arg_5", 6}, {"arg_6", 2}, {"arg_7", 1e-3}};
  CHECK(is_near(run("aten.native_group_norm.out", {pixels, weights, bias}, {image.type()}, arguments), scaled));
  CHECK(is_near(run("aten.native_group_norm.out", {pixels}, {image.type()}, arguments), plain));

  check_moves("aten.upsample_nearest2d.vec_out", image, {{1, 4, 5, 6}}, {{"arg_1", list({5, 6})}},
              [](const place& p) { return place{0, p[1], p[2] * 2 / 5, p[3] / 2}; });
  // With a factor, a position is a multiple of its inverse in float32.
  const auto nearest =
      run("aten.upsample_nearest2d.vec_out", {pixels}, {tensor(dtype::float32, 1, 4, 2, 8)}, {{"arg_2", "factors"}}, {1, 2.9});
  for (std::int64_t i = 0; i < 64; ++i) {
    const auto column_at = std::min<std::int64_t>(2, static_cast<std::int64_t>(static_cast<float>(i % 8) * static_cast<float>(1 / 2.9)));
    CHECK(nearest[static_cast<std::size_t>(i)] == pixels.elements[static_cast<std::size_t>(i / 8 * 3 + column_at)]);
  }
  const grid large{{1, 4, 6, 9}};
  for (const bool aligns_corners : {false, true}) {
    numbers expected;
    for (std::int64_t i = 0; i < large.count(); ++i) {
      const auto p = large.coordinates(i);
      const auto position = [&](std::size_t d) {
        const auto at = static_cast<double>(p[d]), in = static_cast<double>(image.sizes[d]), out = static_cast<double>(large.sizes[d]);
        return aligns_corners ? at * (in - 1) / (out - 1) : std::max(0.0, (at + 0.5) * in / out - 0.5);
      };
      const auto y = position(2), x_at = position(3);
      double value = 0;
      for (const std::int64_t dy : {0, 1}) {
        for (const std::int64_t dx : {0, 1}) {
          const auto row = std::min<std::int64_t>(static_cast<std::int64_t>(y) + dy, 1),
                     at = std::min<std::int64_t>(static_cast<std::int64_t>(x_at) + dx, 2);
          const auto wy = y - std::floor(y), wx = x_at - std::floor(x_at);
          value += (dy == 0 ? 1 - wy : wy) * (dx == 0 ? 1 - wx : wx) * pixels.elements[image.at({0, p[1], row, at})];
        }
      }
      expected.push_back(value);
    }
    CHECK(is_near(
        run("aten.upsample_bilinear2d.vec_out", {pixels}, {large.type()}, {{"arg_1", list({6, 9})}, {"arg_2", aligns_corners ? 1 : 0}}),
        expected));
  }
  numbers means;
  for (std::int64_t c = 0; c < 4; ++c) {
    for (std::int64_t column_at = 0; column_at < 3; ++column_at)
      means.push_back((pixels.elements[image.at({0, c, 0, column_at})] + pixels.elements[image.at({0, c, 1, column_at})]) / 2);
  }
  CHECK(is_near(run("aten._adaptive_avg_pool2d.out", {pixels}, {tensor(dtype::float32, 1, 4, 1, 3)}, {{"arg_1", list({1, 3})}}), means));
}
