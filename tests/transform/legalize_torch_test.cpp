// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators of torch.export become operators of the kernels, with the numbers that PyTorch's documentation states. The files themselves are
// tested in tests/formats. BATON_PROPERTY_SEEDS is the number of random programs, 300 by default.
#include <baton/transform/legalize_torch.hpp>

#include "laws/pass.hpp"
#include "properties/environment.hpp"
#include "transform/qdq_builder.hpp"
#include "transform/random_torch_net.hpp"
#include "transform/torch_comparison.hpp"
#include "transform/torch_node.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/print.hpp>
#include <baton/core/tensor.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/torch.hpp>
#include <baton/operators/verify.hpp>
#include <baton/transform/legalize.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace baton;
using enum dtype;

using namespace torch_tests;
using attribute_list = std::initializer_list<named_literal>;

/// A network at compile time: a convolution, batch normalization, an activation, pools and a layer, as a plain export writes it.
constexpr auto small_network() -> exported_program {
  program_builder b;
  b.set_dialect(torch::dialect);
  const auto constant = [&](std::string_view name, const tensor_type& type) {
    text_buffer bytes;
    for (std::int64_t i = 0; i < element_count(type.shape()); ++i) {
      const auto bits = std::bit_cast<std::uint32_t>(element(1, static_cast<std::size_t>(i)) + 3.0f);
      for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(bits >> shift & 0xff));
    }
    return b.constant(name, type, view(bytes));
  };
  const auto x = b.user_input("x", floats(1, 2, 8, 8));
  const auto conv = b.call("conv", "aten.conv2d.default", {x, constant("w", floats(4, 2, 3, 3)), none<value_id>}, floats(1, 4, 4, 4),
                           {{"arg_3", list<2, 2>}, {"arg_4", list<1, 1>}});
  const auto four = floats(4);
  const auto norm = b.call("norm", "aten.batch_norm.default",
                           {conv, constant("scale", four), constant("shift", four), constant("mean", four), constant("variance", four)},
                           floats(1, 4, 4, 4), {{"arg_5", false}, {"arg_7", 1e-5}});
  const auto relu = b.call("relu", "aten.relu.default", {norm}, floats(1, 4, 4, 4));
  const auto pool = b.call("pool", "aten.max_pool2d.default", {relu}, floats(1, 4, 2, 2), {{"arg_1", list<2, 2>}});
  const auto dropout = b.call("dropout", "aten.dropout.default", {pool}, floats(1, 4, 2, 2), {{"arg_1", 0.5}, {"arg_2", false}});
  const auto row = b.call("row", "aten.flatten.using_ints", {dropout}, floats(1, 16), {{"arg_1", 1}});
  const auto linear =
      b.call("linear", "aten.linear.default", {row, constant("weights", floats(3, 16)), constant("bias", floats(3))}, floats(1, 3));
  b.output(b.call("softmax", "aten.softmax.int", {linear}, floats(1, 3), {{"arg_1", 1}}));
  return b.finish();
}
/// The flattened image stays with the channels last, because the weights of the layer are permuted.
constexpr auto a_network_becomes_operators_of_the_kernels() -> bool {
  const auto program = small_network();
  const auto result = legalize_torch::run(program);
  return result && !verify(program) && !check_inference(program) && legalize::is_needed(program) &&
         qdq::has_operators(result.value,
                            "tfl.transpose baton.conv_2d tfl.mul tfl.add tfl.relu tfl.max_pool_2d tfl.reshape tfl.fully_connected "
                            "tfl.softmax ") &&
         laws::pass::static_laws<legalize_torch>(program);
}
static_assert(a_network_becomes_operators_of_the_kernels());

/// Quantized values around a layer with a float32 bias, as PT2E writes them. Weights have the range -127 to 127.
/// A quantizer that derives the scales of a tensor writes int32 zero points instead of int64.
constexpr auto quantized_network(dtype zero_point_type = int64) -> exported_program {
  program_builder b;
  b.set_dialect(torch::dialect);
  const auto quantized = [&](std::string_view name, value_id in, const tensor_type& type, double scale, int zero_point) {
    auto integer = type;
    integer.type = int8;
    const auto q = b.call(name, "quantized_decomposed.quantize_per_tensor.default", {in}, integer,
                          {{"arg_1", scale}, {"arg_2", zero_point}, {"arg_3", -128}, {"arg_4", 127}});
    return b.call("quantized_decomposed.dequantize_per_tensor.default", {q}, type,
                  {{"arg_1", scale}, {"arg_2", zero_point}, {"arg_3", -128}, {"arg_4", 127}});
  };
  const char weights[] = {1, 2, 3, 4, 5, 6}, zeros[16] = {}, scales[] = {0, 0, 0, 0x3f, 0, 0, '\x80', 0x3e};  // 0.5 and 0.25
  const char bias[] = {'\xcd', '\xcc', '\xcc', 0x3d, 0, 0, 0, 0};                                             // 0.1 and 0
  const auto x = quantized("q", b.user_input("x", floats(1, 3)), floats(1, 3), 0.25, 3);
  const auto w = b.call("quantized_decomposed.dequantize_per_channel.default",
                        {b.constant("w", tensor(int8, 2, 3), {weights, 6}), b.constant("s", floats(2), {scales, 8}),
                         b.constant("z", tensor(zero_point_type, 2), {zeros, zero_point_type == int64 ? 16U : 8U})},
                        floats(2, 3), {{"arg_3", 0}, {"arg_4", -127}, {"arg_5", 127}});
  const auto y = b.call("linear", "aten.linear.default", {x, w, b.constant("b", floats(2), {bias, 8})}, floats(1, 2));
  const auto relu = b.call("relu", "aten.relu.default", {y}, floats(1, 2));
  b.output(quantized("q_1", relu, floats(1, 2), 0.5, -128));
  return b.finish();
}
constexpr auto quantized_layers_multiply_by_the_reciprocal_and_keep_a_float_bias(dtype zero_point) -> bool {
  const auto result = legalize::run(quantized_network(zero_point));
  if (!result || !qdq::has_operators(result.value, "baton.quantize baton.fully_connected tfl.dequantize ")) return false;
  const program_view program = result.value;
  const auto bias = program.inputs(program.nodes[1])[2];
  return program.text(program.nodes[0], "by") == "reciprocal" && program[bias].type == float32;
}
static_assert(quantized_layers_multiply_by_the_reciprocal_and_keep_a_float_bias(int64));
static_assert(quantized_layers_multiply_by_the_reciprocal_and_keep_a_float_bias(int32));

static_assert(detail::fits_int32(int8, 4, true) && !detail::fits_int32(int8, 5, true));
static_assert(detail::fits_int32(int16, 65535, false) && !detail::fits_int32(int16, 65536, false));
static_assert(detail::fits_int32(boolean, 1 << 30, false) && !detail::fits_int32(int32, 1, false));
static_assert(detail::promoted_type(uint8, int8) == int16 && detail::promoted_type(int8, uint8) == int16);
static_assert(detail::promoted_type(uint8, uint8) == uint8 && detail::promoted_type(int16, uint8) == int16);
/// Integers that are moved keep the scale and the zero point of their quantization.
constexpr auto moved_integers_keep_their_quantization(std::string_view op, const tensor_type& out, attribute_list arguments) -> bool {
  program_builder b;
  b.set_dialect(torch::dialect);
  const auto q = b.call("q", "quantized_decomposed.quantize_per_tensor.default", {b.user_input("x", floats(2, 3))}, tensor(int8, 2, 3),
                        {{"arg_1", 0.25}, {"arg_2", 3}, {"arg_3", -128}, {"arg_4", 127}});
  b.output(b.call("moved", op, {q}, out, arguments));
  const auto result = legalize_torch::run(b.finish());
  if (!result) return false;
  const program_view program = result.value;
  const auto& moved = program[program.outputs_of(program.nodes[program.nodes.size() - 1])[0]];
  return moved.quant.channels == 1 && program.scale(moved.quant, 0) == 0.25f && program.zero_point(moved.quant, 0) == 3;
}
static_assert(moved_integers_keep_their_quantization("aten.flip.default", tensor(int8, 2, 3), {{"arg_1", list<0, 1>}}));
static_assert(moved_integers_keep_their_quantization("aten.repeat.default", tensor(int8, 1, 2, 6), {{"arg_1", list<1, 1, 2>}}));

/// Nodes of one operator with the same reason are counted; nodes beyond the largest number of reasons are only counted.
constexpr auto refusals_are_counted(int kinds) -> bool {
  program_builder b;
  b.set_dialect(torch::dialect);
  const auto type = floats(2, 3);
  auto x = b.user_input("x", type);
  for (int i = 0; i < 3; ++i) x = b.call("aten.fft_fft.default", {x}, type);
  for (int i = 0; i < 2; ++i) x = b.call("aten.relu.default", {x}, type, {{"scale", 2}});
  for (int i = 2; i < kinds; ++i) x = b.call(view(join("aten.unknown_", i, ".default")), {x}, type);
  b.output(x);
  const auto program = b.finish();
  const auto result = legalize::run(program);
  const auto reason = view(result.error.reason);
  const bool is_long = kinds > static_cast<int>(detail::refused_nodes::max_groups);
  return result.error.is<"unsupported_operator">() && view(result.error.op) == "aten.fft_fft.default" &&
         reason.find("no legalization of this operator exists (3 nodes); also aten.relu.default ") != reason.npos &&
         reason.find(": the argument scale is not supported (2 nodes)") != reason.npos &&
         reason.ends_with("; and 8 other nodes") == is_long && program.nodes.size() == static_cast<std::size_t>(kinds) + 3;
}
static_assert(refusals_are_counted(2));

auto sigmoid(double x) -> double { return 1 / (1 + std::exp(-x)); }
auto softplus(double x) -> double { return std::log1p(std::exp(x)); }

constexpr auto row = floats(2, 5);
constexpr auto image = floats(1, 3, 6, 5);

void check_unary(std::string_view op, const std::function<double(double)>& f, attribute_list arguments = {}) {
  CAPTURE(op);
  one_node node(op, {{row}}, {row}, arguments);
  check(node.run(), each(node.x(0), f));
}

/// A sum over windows of an image [1, channels, height, width], with `pad` zeros around it.
auto window_sums(const numbers& x, const tensor_type& of, const tensor_type& out, std::int64_t filter, std::int64_t stride,
                 std::int64_t pad, const std::function<double(std::size_t c, std::size_t k, std::size_t tap)>& weight) -> numbers {
  numbers result;
  for (std::int64_t k = 0; k < out.sizes[1]; ++k) {
    for (std::int64_t i = 0; i < out.sizes[2] * out.sizes[3]; ++i) {
      double sum = 0;
      for (std::int64_t c = 0; c < of.sizes[1]; ++c) {
        for (std::int64_t tap = 0; tap < filter * filter; ++tap) {
          const auto h = i / out.sizes[3] * stride - pad + tap / filter, w = i % out.sizes[3] * stride - pad + tap % filter;
          if (h < 0 || w < 0 || h >= of.sizes[2] || w >= of.sizes[3]) continue;
          const auto at = static_cast<std::size_t>((c * of.sizes[2] + h) * of.sizes[3] + w);
          sum += x[at] * weight(static_cast<std::size_t>(c), static_cast<std::size_t>(k), static_cast<std::size_t>(tap));
        }
      }
      result.push_back(sum);
    }
  }
  return result;
}

/// Two layers of an LSTM (`is_lstm`) or GRU in both directions over 3 steps of 2 batches: 2 inputs, and states of size 2. The operands are
/// those of the node; `states` is the number of operands with states.
auto recurrent_layers(const one_node& node, bool is_lstm) -> numbers {
  constexpr std::size_t steps = 3, batches = 2, hidden = 2;
  const std::size_t first = is_lstm ? 3 : 2;
  numbers last, cells, rows = node.x(0);  // rows [batches, steps, size]
  std::size_t size = 2;
  for (std::size_t layer = 0; layer < 2; ++layer) {
    numbers next(batches * steps * 2 * hidden);
    for (std::size_t d = 0; d < 2; ++d) {
      const auto at = layer * 2 + d, weights = first + 4 * at;
      numbers h, c;
      for (std::size_t i = 0; i < batches * hidden; ++i) {
        h.push_back(node.x(1)[at * batches * hidden + i]);
        c.push_back(is_lstm ? node.x(2)[at * batches * hidden + i] : 0);
      }
      for (std::size_t i = 0; i < steps; ++i) {
        const auto t = d == 0 ? i : steps - 1 - i;
        const auto before = h;
        for (std::size_t b = 0; b < batches; ++b) {
          for (std::size_t k = 0; k < hidden; ++k) {
            const auto of_input = [&](std::size_t g) {
              auto sum = node.x(weights + 2)[g * hidden + k];
              for (std::size_t j = 0; j < size; ++j) sum += rows[(b * steps + t) * size + j] * node.x(weights)[(g * hidden + k) * size + j];
              return sum;
            };
            const auto of_state = [&](std::size_t g) {
              auto sum = node.x(weights + 3)[g * hidden + k];
              for (std::size_t j = 0; j < hidden; ++j) sum += before[b * hidden + j] * node.x(weights + 1)[(g * hidden + k) * hidden + j];
              return sum;
            };
            const auto gate = [&](std::size_t g) { return of_input(g) + of_state(g); };
            auto& state = h[b * hidden + k];
            auto& cell = c[b * hidden + k];
            if (is_lstm) {
              cell = sigmoid(gate(1)) * cell + sigmoid(gate(0)) * std::tanh(gate(2));
              state = sigmoid(gate(3)) * std::tanh(cell);
            } else {
              const auto candidate = std::tanh(of_input(2) + sigmoid(gate(0)) * of_state(2)), update = sigmoid(gate(1));
              state = (1 - update) * candidate + update * state;
            }
            next[(b * steps + t) * 2 * hidden + d * hidden + k] = state;
          }
        }
      }
      last.insert(last.end(), h.begin(), h.end());
      cells.insert(cells.end(), c.begin(), c.end());
    }
    rows = next;
    size = 2 * hidden;
  }
  rows.insert(rows.end(), last.begin(), last.end());
  if (is_lstm) rows.insert(rows.end(), cells.begin(), cells.end());
  return rows;
}

}  // namespace

TEST_CASE("a network of torch.export becomes operators of the kernels") {
  CHECK(a_network_becomes_operators_of_the_kernels());
  CHECK(quantized_layers_multiply_by_the_reciprocal_and_keep_a_float_bias(int64));
  CHECK(quantized_layers_multiply_by_the_reciprocal_and_keep_a_float_bias(int32));
}

TEST_CASE("functions of one element have the defaults of PyTorch") {
  check_unary("aten.relu6.default", [](double x) { return std::clamp(x, 0.0, 6.0); });
  check_unary("aten.sigmoid.default", sigmoid);
  check_unary("aten.log_sigmoid.default", [](double x) { return -softplus(-x); });
  check_unary("aten.silu.default", [](double x) { return x * sigmoid(x); });
  check_unary("aten.mish.default", [](double x) { return x * std::tanh(softplus(x)); });
  check_unary("aten.gelu.default", [](double x) { return x / 2 * (1 + std::erf(x / std::sqrt(2.0))); });
  check_unary("aten.gelu.default",
              [](double x) { return x / 2 * (1 + std::tanh(std::sqrt(2 / 3.14159265358979) * (x + 0.044715 * x * x * x))); },
              {{"arg_1", "tanh"}});
  check_unary("aten.hardswish.default", [](double x) { return x * std::clamp(x + 3, 0.0, 6.0) / 6; });
  check_unary("aten.hardsigmoid.default", [](double x) { return std::clamp(x / 6 + 0.5, 0.0, 1.0); });
  check_unary("aten.hardtanh.default", [](double x) { return std::clamp(x, -1.0, 1.0); });
  check_unary("aten.hardtanh.default", [](double x) { return std::clamp(x, -0.5, 1.25); }, {{"arg_1", -0.5}, {"arg_2", 1.25}});
  check_unary("aten.clamp.default", [](double x) { return std::min(x, 0.5); }, {{"arg_2", 0.5}});
  check_unary("aten.clamp_min.default", [](double x) { return std::max(x, 0.0); }, {{"arg_1", 0}});
  check_unary("aten.leaky_relu.default", [](double x) { return x < 0 ? 0.01 * x : x; });
  check_unary("aten.elu.default", [](double x) { return x < 0 ? 2 * std::expm1(x) : x; }, {{"arg_1", 2.0}});
  check_unary("aten.celu.default", [](double x) { return x < 0 ? 0.5 * std::expm1(2 * x) : x; }, {{"arg_1", 0.5}});
  check_unary("aten.softplus.default", [](double x) { return softplus(3 * x) / 3; }, {{"arg_1", 3.0}});
  check_unary("aten.softplus.default", [](double x) { return x > 1 ? x : softplus(x); }, {{"arg_1", 1}, {"arg_2", 1}});
  check_unary("aten.softplus.default", [](double x) { return 2 * x > 0.5 ? x : softplus(2 * x) / 2; }, {{"arg_1", 2}, {"arg_2", 0.5}});
  check_unary("aten.threshold.default", [](double x) { return x > 0.5 ? x : -7; }, {{"arg_1", 0.5}, {"arg_2", -7}});
  check_unary("aten.erf.default", [](double x) { return std::erf(x); });
  check_unary("aten.round.default", [](double x) { return std::nearbyint(x); });
  check_unary("aten.pow.Tensor_Scalar", [](double x) { return x * x; }, {{"arg_1", 2}});
  check_unary("aten.pow.Scalar", [](double x) { return std::pow(2, x); }, {{"arg_0", 2}});
  check_unary("aten.rsub.Scalar", [](double x) { return 1 - 2 * x; }, {{"arg_1", 1}, {"arg_2", 2}});
  check_unary("aten.fmod.Scalar", [](double x) { return std::fmod(x, 0.75); }, {{"arg_1", 0.75}});
  check_unary("aten.remainder.Scalar", [](double x) { return x - 0.75 * std::floor(x / 0.75); }, {{"arg_1", 0.75}});
  check_unary("aten.div.Tensor_mode", [](double x) { return std::floor(x / 0.75); }, {{"arg_1", 0.75}, {"arg_2", "floor"}});
  check_unary("aten.div.Tensor_mode", [](double x) { return std::trunc(x / 0.75); }, {{"arg_1", 0.75}, {"arg_2", "trunc"}});
  check_unary("aten.expm1.default", [](double x) { return std::expm1(x); });
  check_unary("aten.trunc.default", [](double x) { return std::trunc(x); });
  one_node slopes("aten.prelu.default", {{image}, fixed(floats(3), {0.1, 0.2, 0.3})}, {image});
  auto expected = slopes.x(0);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] *= expected[i] < 0 ? 0.1 * static_cast<double>(i / 30 + 1) : 1;
  check(slopes.run(), expected);
}

TEST_CASE("operands are promoted, and numbers can replace tensors") {
  const auto whole = stored(tensor(int64, 2, 5), {0, 1, 2, 3, 4, 5, 6, 7, 8, -9});
  one_node sum("aten.add.Tensor", {{row}, fixed(floats(5))}, {row}, {{"arg_2", 3}});
  check(sum.run(), pairs(sum.x(0), sum.x(1), [](double a, double b) { return a + 3 * b; }));
  one_node half("aten.mul.Tensor", {whole}, {row}, {{"arg_1", 0.5}});
  check(half.run(), each(half.x(0), [](double a) { return a / 2; }));
  one_node quotient("aten.div.Tensor", {whole}, {row}, {{"arg_1", 4}});
  check(quotient.run(), each(quotient.x(0), [](double a) { return a / 4; }));
  one_node next("aten.add.Tensor", {whole}, {tensor(int64, 2, 5)}, {{"arg_1", 1}});
  check(next.run(), each(next.x(0), [](double a) { return a + 1; }));
  one_node position("aten.remainder.Scalar", {whole}, {tensor(int64, 2, 5)}, {{"arg_1", 4}});
  check(position.run(), each(position.x(0), [](double a) { return a - 4 * std::floor(a / 4); }));
  one_node less("aten.lt.Scalar", {whole}, {tensor(boolean, 2, 5)}, {{"arg_1", 2.5}});
  check(less.run(), each(less.x(0), [](double a) { return a < 2.5 ? 1.0 : 0.0; }));
  one_node mixed("aten.lt.Tensor", {stored(tensor(uint8, 3), {200, 3, 0}), stored(tensor(int8, 3), {1, 4, -1})}, {tensor(boolean, 3)});
  check(mixed.run(), {0, 1, 0});
  constexpr std::int64_t large = 5000000000;
  one_node distant("aten.gt.Scalar", {stored(tensor(int64, 3), {1, 6e9, -6e9})}, {tensor(boolean, 3)}, {{"arg_1", large}});
  check(distant.run(), {0, 1, 0});
  one_node moved("aten.add.Tensor", {whole}, {tensor(int64, 2, 5)}, {{"arg_1", large}});
  check(moved.run(), each(moved.x(0), [](double a) { return a + 5e9; }), 0);
  one_node greater("aten.gt.Tensor", {{row}, whole}, {tensor(boolean, 2, 5)});
  check(greater.run(), pairs(greater.x(0), greater.x(1), [](double a, double b) { return a > b ? 1.0 : 0.0; }));
  one_node both("aten.logical_and.default", {{row}, whole}, {tensor(boolean, 2, 5)});
  check(both.run(), pairs(both.x(0), both.x(1), [](double a, double b) { return a != 0 && b != 0 ? 1.0 : 0.0; }));
  one_node bits("aten.bitwise_xor.Tensor", {stored(tensor(int32, 4), {0, 1, 6, -9}), stored(tensor(boolean, 4), {1, 1, 0, 1})},
                {tensor(int32, 4)});
  check(bits.run(), {1, 0, 6, -10});
  one_node where("aten.where.ScalarOther", {stored(tensor(boolean, 5), {1, 0, 1, 0, 1}), {row}}, {row}, {{"arg_2", -1}});
  check(where.run(), pairs(where.x(1), where.x(0), [](double a, double test) { return test != 0 ? a : -1; }));
  one_node first("aten.where.ScalarSelf", {stored(tensor(boolean, 5), {1, 0, 1, 0, 1}), {row}}, {row}, {{"arg_1", 4.5}});
  check(first.run(), pairs(first.x(1), first.x(0), [](double a, double test) { return test != 0 ? 4.5 : a; }));
  one_node masked("aten.masked_fill.Scalar", {{row}, stored(tensor(boolean, 5), {1, 0, 1, 0, 1})}, {row}, {{"arg_2", 9}});
  check(masked.run(), pairs(masked.x(0), masked.x(1), [](double a, double test) { return test != 0 ? 9 : a; }));
  one_node cast("aten.to.dtype", {{row}}, {tensor(int32, 2, 5)}, {{"arg_1", 3}});
  check(cast.run(), each(cast.x(0), [](double a) { return std::trunc(a); }));
}

TEST_CASE("layers compute the sums of their windows") {
  const auto weight = [](const one_node& node, std::size_t filter, std::size_t channels) {
    return
        [&node, filter, channels](std::size_t c, std::size_t k, std::size_t tap) { return node.x(1)[(k * channels + c) * filter + tap]; };
  };
  one_node conv("aten.conv2d.default", {{image}, fixed(floats(4, 3, 3, 3))}, {floats(1, 4, 3, 3)},
                {{"arg_3", list<2, 2>}, {"arg_4", list<1, 1>}});
  check(conv.run(), window_sums(conv.x(0), image, floats(1, 4, 3, 3), 3, 2, 1, weight(conv, 9, 3)));
  one_node same("aten.conv2d.padding", {{image}, fixed(floats(4, 3, 3, 3))}, {floats(1, 4, 6, 5)}, {{"arg_4", "same"}});
  check(same.run(), window_sums(same.x(0), image, floats(1, 4, 6, 5), 3, 1, 1, weight(same, 9, 3)));
  one_node depthwise("aten.conv2d.default", {{image}, fixed(floats(3, 1, 3, 3)), omitted}, {floats(1, 3, 4, 3)}, {{"arg_6", 3}});
  check(depthwise.run(), window_sums(depthwise.x(0), image, floats(1, 3, 4, 3), 3, 1, 0,
                                     [&](std::size_t c, std::size_t k, std::size_t t) { return c == k ? depthwise.x(1)[k * 9 + t] : 0; }));
  one_node average("aten.avg_pool2d.default", {{image}}, {floats(1, 3, 3, 3)}, {{"arg_1", list<2, 2>}, {"arg_3", list<1, 1>}});
  const auto pooled = floats(1, 3, 4, 3);  // the padding counts by default
  one_node padded("aten.avg_pool2d.default", {{image}}, {pooled}, {{"arg_1", list<2, 2>}, {"arg_3", list<1, 1>}});
  const auto mean = [](std::size_t c, std::size_t k, std::size_t) { return c == k ? 0.25 : 0; };
  check(padded.run(), window_sums(padded.x(0), image, pooled, 2, 2, 1, mean));
  one_node adaptive("aten.adaptive_avg_pool2d.default", {{image}}, {floats(1, 3, 2, 1)}, {{"arg_1", list<2, 1>}});
  numbers means;
  for (std::size_t c = 0; c < 6; ++c) {
    double sum = 0;
    for (std::size_t i = 0; i < 15; ++i) sum += adaptive.x(0)[c * 15 + i];
    means.push_back(sum / 15);
  }
  check(adaptive.run(), means);
  one_node transposed("aten.conv_transpose2d.input", {{floats(1, 2, 2, 2)}, fixed(floats(2, 1, 2, 2))}, {floats(1, 1, 4, 4)},
                      {{"arg_3", list<2, 2>}});
  numbers spread(16);
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t t = 0; t < 4; ++t)
        spread[(i / 2 * 2 + t / 2) * 4 + i % 2 * 2 + t % 2] += transposed.x(0)[c * 4 + i] * transposed.x(1)[c * 4 + t];
    }
  }
  check(transposed.run(), spread);
}

TEST_CASE("products accept vectors, and weights that are inputs") {
  const auto product = [](const numbers& a, const numbers& b, std::size_t rows, std::size_t inner, std::size_t columns,
                          bool is_transposed) {
    numbers result;
    for (std::size_t i = 0; i < rows * columns; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < inner; ++k)
        sum += a[i / columns * inner + k] * b[is_transposed ? i % columns * inner + k : k * columns + i % columns];
      result.push_back(sum);
    }
    return result;
  };
  one_node linear("aten.linear.default", {{row}, {floats(3, 5)}, fixed(floats(3), {1, 2, 3})}, {floats(2, 3)});
  auto expected = product(linear.x(0), linear.x(1), 2, 5, 3, true);
  for (std::size_t i = 0; i < 6; ++i) expected[i] += static_cast<double>(i % 3 + 1);
  check(linear.run(), expected);
  one_node matrix("aten.matmul.default", {{row}, {floats(5, 4)}}, {floats(2, 4)});
  check(matrix.run(), product(matrix.x(0), matrix.x(1), 2, 5, 4, false));
  one_node column("aten.matmul.default", {{row}, {floats(5)}}, {floats(2)});
  check(column.run(), product(column.x(0), column.x(1), 2, 5, 1, false));
  one_node first("aten.matmul.default", {{floats(5)}, fixed(floats(5, 4))}, {floats(4)});
  check(first.run(), product(first.x(0), first.x(1), 1, 5, 4, false));
  one_node sum("aten.addmm.default", {fixed(floats(4), {1, 1, 1, 1}), {row}, {floats(5, 4)}}, {floats(2, 4)}, {{"arg_3", 2}});
  check(sum.run(), each(product(sum.x(1), sum.x(2), 2, 5, 4, false), [](double x) { return x + 2; }));
}

TEST_CASE("normalizations work with and without weights") {
  const auto normalized = [](const numbers& x, std::size_t size) {
    numbers result;
    for (std::size_t from = 0; from < x.size(); from += size) {
      double mean = 0, variance = 0;
      for (std::size_t i = 0; i < size; ++i) mean += x[from + i] / static_cast<double>(size);
      for (std::size_t i = 0; i < size; ++i) variance += (x[from + i] - mean) * (x[from + i] - mean) / static_cast<double>(size);
      for (std::size_t i = 0; i < size; ++i) result.push_back((x[from + i] - mean) / std::sqrt(variance + 1e-5));
    }
    return result;
  };
  one_node layer("aten.layer_norm.default", {{row}, fixed(floats(5)), fixed(floats(5))}, {row}, {{"arg_1", list<5>}});
  auto expected = normalized(layer.x(0), 5);
  for (std::size_t i = 0; i < 10; ++i) expected[i] = expected[i] * layer.x(1)[i % 5] + layer.x(2)[i % 5];
  check(layer.run(), expected);
  one_node plain("aten.layer_norm.default", {{row}}, {row}, {{"arg_1", list<5>}});
  check(plain.run(), normalized(plain.x(0), 5));
  one_node group("aten.group_norm.default", {{floats(1, 4, 3, 2)}}, {floats(1, 4, 3, 2)}, {{"arg_1", 2}});
  check(group.run(), normalized(group.x(0), 12));
  const numbers means{0, 1, -1, 0.5}, variances{0, 1, 2, 3};
  one_node batch("aten._native_batch_norm_legit_no_training.default",
                 {{floats(1, 4, 3, 2)}, omitted, omitted, fixed(floats(4), means), fixed(floats(4), variances)}, {floats(1, 4, 3, 2)},
                 {{"arg_6", 0.5}});
  numbers scaled;
  for (std::size_t i = 0; i < 24; ++i) scaled.push_back((batch.x(0)[i] - means[i / 6]) / std::sqrt(variances[i / 6] + 0.5));
  check(batch.run(), scaled);
  one_node instance("aten.instance_norm.default", {{image}}, {image}, {{"arg_5", true}});
  check(instance.run(), normalized(instance.x(0), 30));
}

TEST_CASE("attention and recurrent cells are decomposed") {
  constexpr auto heads = floats(2, 4, 3);
  const auto attend = [](const numbers& q, const numbers& k, const numbers& v,
                         const std::function<double(std::size_t, std::size_t)>& mask) {
    numbers result(24);
    for (std::size_t h = 0; h < 2; ++h) {
      for (std::size_t i = 0; i < 4; ++i) {
        double scores[4], sum = 0;
        for (std::size_t j = 0; j < 4; ++j) {
          scores[j] = 0;
          for (std::size_t e = 0; e < 3; ++e) scores[j] += q[(h * 4 + i) * 3 + e] * k[(h * 4 + j) * 3 + e] / std::sqrt(3.0);
          sum += scores[j] = std::exp(scores[j] + mask(i, j));
        }
        for (std::size_t j = 0; j < 4; ++j) {
          for (std::size_t e = 0; e < 3; ++e) result[(h * 4 + i) * 3 + e] += scores[j] / sum * v[(h * 4 + j) * 3 + e];
        }
      }
    }
    return result;
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  one_node plain("aten.scaled_dot_product_attention.default", {{heads}, {heads}, {heads}}, {heads});
  check(plain.run(), attend(plain.x(0), plain.x(1), plain.x(2), [](std::size_t, std::size_t) { return 0; }));
  one_node causal("aten.scaled_dot_product_attention.default", {{heads}, {heads}, {heads}}, {heads}, {{"arg_5", true}});
  check(causal.run(), attend(causal.x(0), causal.x(1), causal.x(2), [](std::size_t i, std::size_t j) { return j > i ? -infinity : 0; }));
  one_node masked("aten.scaled_dot_product_attention.default",
                  {{heads}, {heads}, {heads}, stored(tensor(boolean, 4, 4), {1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1})}, {heads});
  check(masked.run(), attend(masked.x(0), masked.x(1), masked.x(2),
                             [&](std::size_t i, std::size_t j) { return masked.x(3)[i * 4 + j] != 0 ? 0 : -infinity; }));

  const auto gate = [](const one_node& node, std::size_t first, std::size_t at, bool is_state, std::size_t g) {
    const auto inputs = is_state ? std::size_t{2} : std::size_t{3};
    const auto& x = node.x(is_state ? 1 : 0);
    double sum = node.x(first + 2 + (is_state ? 1 : 0))[g * 2 + at % 2];
    for (std::size_t i = 0; i < inputs; ++i)
      sum += x[at / 2 * inputs + i] * node.x(first + (is_state ? 1 : 0))[(g * 2 + at % 2) * inputs + i];
    return sum;
  };
  one_node gru("aten.gru_cell.default",
               {{floats(2, 3)}, {floats(2, 2)}, fixed(floats(6, 3)), fixed(floats(6, 2)), fixed(floats(6)), fixed(floats(6))},
               {floats(2, 2)});
  numbers states;
  for (std::size_t at = 0; at < 4; ++at) {
    const auto of = [&](bool is_state, std::size_t g) { return gate(gru, 2, at, is_state, g); };
    const auto reset = sigmoid(of(false, 0) + of(true, 0)), update = sigmoid(of(false, 1) + of(true, 1));
    const auto candidate = std::tanh(of(false, 2) + reset * of(true, 2));
    states.push_back((1 - update) * candidate + update * gru.x(1)[at]);
  }
  check(gru.run(), states);
  one_node lstm("aten.lstm_cell.default",
                {{floats(2, 3)}, {floats(2, 2)}, {floats(2, 2)}, {floats(8, 3)}, fixed(floats(8, 2)), fixed(floats(8)), fixed(floats(8))},
                {floats(2, 2), floats(2, 2)});
  numbers cells;
  states.clear();
  for (std::size_t at = 0; at < 4; ++at) {
    const auto of = [&](std::size_t g) { return gate(lstm, 3, at, false, g) + gate(lstm, 3, at, true, g); };
    cells.push_back(sigmoid(of(1)) * lstm.x(2)[at] + sigmoid(of(0)) * std::tanh(of(2)));
    states.push_back(sigmoid(of(3)) * std::tanh(cells.back()));
  }
  states.insert(states.end(), cells.begin(), cells.end());
  check(lstm.run(), states);
}

TEST_CASE("recurrent layers of both directions are computed step by step") {
  const auto weights = [](std::int64_t gates, std::int64_t inputs) {
    return std::vector<operand>{fixed(floats(gates * 2, inputs)), fixed(floats(gates * 2, 2)), fixed(floats(gates * 2)),
                                fixed(floats(gates * 2))};
  };
  for (const bool is_lstm : {true, false}) {
    std::vector<operand> operands{{floats(2, 3, 2)}, {floats(4, 2, 2)}};
    std::vector<tensor_type> outputs{floats(2, 3, 4), floats(4, 2, 2)};
    if (is_lstm) {
      operands.push_back({floats(4, 2, 2)});
      outputs.push_back(floats(4, 2, 2));
    }
    for (const std::int64_t inputs : {2, 2, 4, 4}) {
      for (const auto& each : weights(is_lstm ? 4 : 3, inputs)) operands.push_back(each);
    }
    one_node node(is_lstm ? "aten.lstm.input" : "aten.gru.input", operands, outputs,
                  {{"arg_3", 1}, {"arg_4", 2}, {"arg_5", 0.0}, {"arg_6", 0}, {"arg_7", 1}, {"arg_8", 1}});
    check(node.run(), recurrent_layers(node, is_lstm));
  }
}

TEST_CASE("reductions take all dimensions, some, or one") {
  const auto sums = [](const numbers& x) { return numbers{x[0] + x[1] + x[2] + x[3] + x[4], x[5] + x[6] + x[7] + x[8] + x[9]}; };
  one_node sum("aten.sum.dim_IntList", {{row}}, {floats(2)}, {{"arg_1", list<-1>}});
  check(sum.run(), sums(sum.x(0)));
  one_node total("aten.sum.default", {{row}}, {floats()});
  check(total.run(), {sums(total.x(0))[0] + sums(total.x(0))[1]});
  one_node mean("aten.mean.dim", {{row}}, {floats(1, 1)}, {{"arg_1", list<0, 1>}, {"arg_2", true}});
  check(mean.run(), {(sums(mean.x(0))[0] + sums(mean.x(0))[1]) / 10});
  one_node count("aten.sum.default", {stored(tensor(boolean, 5), {1, 0, 1, 0, 1})}, {tensor(int64)});
  check(count.run(), {3});
  const auto data = stored(row, {1, 5, 3, 5, 2, -1, -2, -3, -0.5, -9});
  one_node variance("aten.var.correction", {stored(floats(1, 4), {1, 2, 3, 6})}, {floats(1)}, {{"arg_1", list<1>}, {"arg_2", 0}});
  check(variance.run(), {3.5});
  one_node largest("aten.max.dim", {data}, {floats(2), tensor(int64, 2)}, {{"arg_1", 1}});
  check(largest.run(), {5, -0.5, 1, 3});
  one_node place("aten.argmax.default", {data}, {tensor(int64)});
  check(place.run(), {1});
  one_node any("aten.any.dim", {stored(tensor(boolean, 2, 2), {0, 0, 0, 1})}, {tensor(boolean, 2, 1)}, {{"arg_1", 1}, {"arg_2", true}});
  check(any.run(), {0, 1});
  one_node cumulative("aten.cumsum.default", {data}, {row}, {{"arg_1", 1}});
  check(cumulative.run(), {1, 6, 9, 14, 16, -1, -3, -6, -6.5, -15.5});
  one_node top("aten.topk.default", {data}, {floats(2, 2), tensor(int64, 2, 2)}, {{"arg_1", 2}});
  check(top.run(), {5, 5, -0.5, -1, 1, 3, 3, 0});
}

TEST_CASE("parts of tensors are selected, joined and written") {
  const auto data = stored(floats(2, 3), {1, 2, 3, 4, 5, 6});
  const auto outcome = [](std::string_view op, std::initializer_list<operand> operands, std::vector<tensor_type> outputs,
                          std::initializer_list<named_literal> literals = {}) {
    CAPTURE(op);
    return one_node(op, operands, std::move(outputs), literals).run();
  };
  check(outcome("aten.stack.default", {data, data}, {floats(2, 2, 3)}, {{"arg_1", 1}}), {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6});
  check(outcome("aten.cat.default", {data, data}, {floats(2, 6)}, {{"arg_1", -1}}), {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6});
  check(outcome("aten.chunk.default", {data}, {floats(2, 2), floats(2, 1)}, {{"arg_1", 2}, {"arg_2", 1}}), {1, 2, 4, 5, 3, 6});
  check(outcome("aten.unbind.int", {data}, {floats(2), floats(2), floats(2)}, {{"arg_1", 1}}), {1, 4, 2, 5, 3, 6});
  check(outcome("aten.slice.Tensor", {data}, {floats(2, 2)}, {{"arg_1", 1}, {"arg_3", INT64_MAX}, {"arg_4", 2}}), {1, 3, 4, 6});
  check(outcome("aten.narrow.default", {data}, {floats(2, 1)}, {{"arg_1", 1}, {"arg_2", -2}, {"arg_3", 1}}), {2, 5});
  check(outcome("aten.select.int", {data}, {floats(2)}, {{"arg_1", 1}, {"arg_2", -1}}), {3, 6});
  check(outcome("aten.embedding.default", {data, stored(tensor(int64, 1, 3), {1, 0, 1})}, {floats(1, 3, 3)}), {4, 5, 6, 1, 2, 3, 4, 5, 6});
  check(outcome("aten.index_select.default", {data, stored(tensor(int64, 2), {2, 0})}, {floats(2, 2)}, {{"arg_1", 1}}), {3, 1, 6, 4});
  check(outcome("aten.gather.default", {data, stored(tensor(int64, 2, 1), {2, 0})}, {floats(2, 1)}, {{"arg_1", 1}}), {3, 4});
  check(outcome("aten.scatter.src", {data, stored(tensor(int64, 2, 1), {2, 0}), stored(floats(2, 1), {7, 8})}, {floats(2, 3)},
                {{"arg_1", 1}}),
        {1, 2, 7, 8, 5, 6});
  check(outcome("aten.index.Tensor", {data, omitted, stored(tensor(int64, 2), {2, 0})}, {floats(2, 2)}), {3, 1, 6, 4});
  check(outcome("aten.index_put.default", {data, stored(tensor(int64, 1), {1}), stored(floats(1, 3), {7, 8, 9})}, {floats(2, 3)}),
        {1, 2, 3, 7, 8, 9});
  check(outcome("aten.index_put.default", {data, stored(tensor(int64, 1), {0}), stored(floats(), {7})}, {floats(2, 3)}, {{"arg_3", true}}),
        {8, 9, 10, 4, 5, 6});
  // The positions are equal. Elements are equal, too, or they are added: PyTorch does not define which of several different elements is
  // written.
  const auto twice = fixed(tensor(int64, 2), {-2, 0});
  check(outcome("aten.index_put.default", {data, twice, stored(floats(), {7})}, {floats(2, 3)}), {7, 7, 7, 4, 5, 6});
  check(outcome("aten.index_put.default", {data, stored(tensor(int64, 2), {0, -2}), stored(floats(1, 3), {7, 8, 9})}, {floats(2, 3)}),
        {7, 8, 9, 4, 5, 6});
  const auto cube = stored(floats(2, 2, 2), {1, 2, 3, 4, 5, 6, 7, 8});
  check(outcome("aten.index_put.default", {cube, omitted, stored(tensor(int64, 3), {1, 1, -1}), stored(floats(2, 1, 1), {-1, -2})},
                {floats(2, 2, 2)}),
        {1, 2, -1, -1, 5, 6, -2, -2});
  check(outcome("aten.index_put.default", {data, twice, stored(floats(2, 3), {1, 1, 1, 2, 2, 2})}, {floats(2, 3)}, {{"arg_3", true}}),
        {4, 5, 6, 4, 5, 6});
  check(
      outcome("aten.index_put.default", {data, fixed(tensor(int64, 2), {1, 0}), stored(floats(2, 3), {1, 1, 1, 2, 2, 2})}, {floats(2, 3)}),
      {2, 2, 2, 1, 1, 1});
  check(outcome("aten.index_copy.default", {data, stored(tensor(int64, 1), {2}), stored(floats(2, 1), {7, 8})}, {floats(2, 3)},
                {{"arg_1", 1}}),
        {1, 2, 7, 4, 5, 8});
  check(outcome("aten.slice_scatter.default", {data, stored(floats(2, 2), {7, 8, 9, 10})}, {floats(2, 3)}, {{"arg_2", 1}, {"arg_3", 1}}),
        {1, 7, 8, 4, 9, 10});
  check(outcome("aten.select_scatter.default", {data, stored(floats(3), {7, 8, 9})}, {floats(2, 3)}, {{"arg_2", 0}, {"arg_3", 0}}),
        {7, 8, 9, 4, 5, 6});
}

TEST_CASE("elements get another order, are repeated, or created") {
  const auto data = stored(floats(2, 3), {1, 2, 3, 4, 5, 6});
  const auto outcome = [](std::string_view op, std::initializer_list<operand> operands, const tensor_type& output,
                          std::initializer_list<named_literal> literals = {}) {
    CAPTURE(op);
    return one_node(op, operands, {output}, literals).run();
  };
  check(outcome("aten.t.default", {data}, floats(3, 2)), {1, 4, 2, 5, 3, 6});
  check(outcome("aten.transpose.int", {stored(floats(1, 2, 3), {1, 2, 3, 4, 5, 6})}, floats(1, 3, 2), {{"arg_1", -1}, {"arg_2", 1}}),
        {1, 4, 2, 5, 3, 6});
  check(outcome("aten.permute.default", {data}, floats(3, 2), {{"arg_1", list<1, 0>}}), {1, 4, 2, 5, 3, 6});
  check(outcome("aten.permute.default", {stored(floats(2, 1, 3), {1, 2, 3, 4, 5, 6})}, floats(3, 2, 1), {{"arg_1", list<-1, 0, -2>}}),
        {1, 4, 2, 5, 3, 6});
  check(outcome("aten.expand.default", {stored(floats(2, 1), {1, 2})}, floats(2, 2), {{"arg_1", list<-1, 2>}}), {1, 1, 2, 2});
  check(outcome("aten.repeat.default", {stored(floats(2), {1, 2})}, floats(2, 4), {{"arg_1", list<2, 2>}}), {1, 2, 1, 2, 1, 2, 1, 2});
  check(outcome("aten.flip.default", {data}, floats(2, 3), {{"arg_1", list<0, 1>}}), {6, 5, 4, 3, 2, 1});
  check(outcome("aten.pad.default", {data}, floats(3, 4), {{"arg_1", list<1, 0, 0, 1>}, {"arg_2", "constant"}, {"arg_3", 9}}),
        {9, 1, 2, 3, 9, 4, 5, 6, 9, 9, 9, 9});
  check(
      outcome("aten.constant_pad_nd.default", {stored(tensor(int32, 2), {1, 2})}, tensor(int32, 3), {{"arg_1", list<0, 1>}, {"arg_2", 7}}),
      {1, 2, 7});
  check(outcome("aten.pad.default", {stored(floats(1, 3), {1, 2, 3})}, floats(1, 5), {{"arg_1", list<1, 1>}, {"arg_2", "reflect"}}),
        {2, 1, 2, 3, 2});
  check(outcome("aten.roll.default", {data}, floats(2, 3), {{"arg_1", list<1>}, {"arg_2", list<1>}}), {3, 1, 2, 6, 4, 5});
  check(outcome("aten.replication_pad1d.default", {stored(floats(1, 1, 2), {1, 2})}, floats(1, 1, 5), {{"arg_1", list<1, 2>}}),
        {1, 1, 2, 2, 2});
  check(outcome("aten.glu.default", {stored(floats(1, 2), {3, 0})}, floats(1, 1)), {1.5});
  check(outcome("aten.tril.default", {stored(floats(2, 2), {1, 2, 3, 4})}, floats(2, 2)), {1, 0, 3, 4});
  check(outcome("aten.triu.default", {stored(floats(2, 2), {1, 2, 3, 4})}, floats(2, 2), {{"arg_1", 1}}), {0, 2, 0, 0});
  check(outcome("aten.zeros.default", {}, floats(2), {{"arg_0", list<2>}}), {0, 0});
  check(outcome("aten.full.default", {}, tensor(int64, 2), {{"arg_0", list<2>}, {"arg_1", -3}}), {-3, -3});
  constexpr std::int64_t large = 5000000000;
  check(outcome("aten.full.default", {}, tensor(int64, 2), {{"arg_0", list<2>}, {"arg_1", large}}), {5e9, 5e9}, 0);
  check(outcome("aten.full.default", {}, tensor(int64, 2), {{"arg_0", list<2>}, {"arg_1", -6e9}}), {-6e9, -6e9}, 0);
  check(outcome("aten.full.default", {}, tensor(int32, 2), {{"arg_0", list<2>}, {"arg_1", 2.5}}), {2, 2}, 0);
  check(outcome("aten.full_like.default", {data}, tensor(boolean, 2, 3), {{"arg_1", true}}), {1, 1, 1, 1, 1, 1});
  check(outcome("aten.arange.start", {}, tensor(int64, 3), {{"arg_0", 1}, {"arg_1", 4}, {"arg_2", 4}}), {1, 2, 3});  // arg_2 is a dtype
  check(outcome("aten.arange.start", {}, floats(3), {{"arg_0", 1.5}, {"arg_1", 4}, {"arg_2", 6}}), {1.5, 2.5, 3.5});
  check(outcome("aten.arange.start_step", {}, tensor(int64, 3), {{"arg_0", 5}, {"arg_1", -1}, {"arg_2", -2}}), {5, 3, 1});
  check(outcome("aten.arange.start_step", {}, tensor(int64, 3), {{"arg_0", 1.5}, {"arg_1", 9}, {"arg_2", 2.5}}), {1, 3, 5});
  check(outcome("aten.upsample_nearest2d.vec", {stored(floats(1, 1, 2, 2), {1, 2, 3, 4})}, floats(1, 1, 4, 2), {{"arg_1", list<4, 2>}}),
        {1, 2, 1, 2, 3, 4, 3, 4});
  check(outcome("aten.upsample_bilinear2d.vec", {stored(floats(1, 1, 1, 2), {0, 4})}, floats(1, 1, 1, 4), {{"arg_1", list<1, 4>}}),
        {0, 1, 3, 4});
  check(outcome("aten.pixel_shuffle.default", {stored(floats(1, 4, 1, 1), {1, 2, 3, 4})}, floats(1, 1, 2, 2), {{"arg_1", 2}}),
        {1, 2, 3, 4});
}

TEST_CASE("images are resized by their factors, or by the quotients of their sizes") {
  // Position i of the output is position floor(i * scale) of the input in float32 (upsample_nearest2d of PyTorch).
  const auto nearest = [](std::int64_t in, std::int64_t out, float scale) {
    numbers result;
    for (std::int64_t i = 0; i < out; ++i)
      result.push_back(static_cast<double>(std::min(in - 1, static_cast<std::int64_t>(static_cast<float>(i) * scale))));
    return result;
  };
  const auto counted = [](std::int64_t size) {
    numbers result;
    for (std::int64_t i = 0; i < size; ++i) result.push_back(static_cast<double>(i));
    return stored(floats(1, 1, 1, size), result);
  };
  one_node by_factors("aten.upsample_nearest2d.vec", {counted(3)}, {floats(1, 1, 1, 7)}, {{"arg_2", "factors"}});
  by_factors.set_factors({1, 2.6});
  check(by_factors.run(), nearest(3, 7, static_cast<float>(1 / 2.6)));
  one_node by_scales("aten.upsample_nearest2d.default", {counted(3)}, {floats(1, 1, 1, 7)},
                     {{"arg_1", list<1, 7>}, {"arg_2", 1.0}, {"arg_3", 2.6}});
  check(by_scales.run(), nearest(3, 7, static_cast<float>(1 / 2.6)));
  // In float32, a product of a position and the quotient of these sizes is on the other side of an integer.
  for (const auto& [in, out] : {std::pair<std::int64_t, std::int64_t>{26, 44}, {14, 46}, {6, 74}}) {
    const std::int64_t sizes[] = {1, out};
    one_node by_sizes("aten.upsample_nearest2d.default", {counted(in)}, {floats(1, 1, 1, out)},
                      {{"arg_1", span<const std::int64_t>{sizes}}});
    check(by_sizes.run(), nearest(in, out, static_cast<float>(in) / static_cast<float>(out)));
  }
  one_node linear("aten.upsample_bilinear2d.vec", {counted(2)}, {floats(1, 1, 1, 4)}, {{"arg_3", "factors"}});
  linear.set_factors({1, 2});
  check(linear.run(), {0, 0.25, 0.75, 1});
  one_node other("aten.upsample_bilinear2d.vec", {counted(2)}, {floats(1, 1, 1, 4)}, {{"arg_3", "factors"}});
  other.set_factors({1, 2.4});
  CHECK(other.reason() == "a scale differs from output size / input size");
  one_node scales("aten.upsample_bilinear2d.default", {counted(2)}, {floats(1, 1, 1, 4)},
                  {{"arg_1", list<1, 4>}, {"arg_2", false}, {"arg_3", 1.0}, {"arg_4", 2.4}});
  CHECK(scales.reason() == "a scale differs from output size / input size");
  one_node aligned("aten.upsample_bilinear2d.default", {counted(2)}, {floats(1, 1, 1, 4)},
                   {{"arg_1", list<1, 4>}, {"arg_2", true}, {"arg_4", 2.4}});
  check(aligned.run(), {0, 1.0 / 3, 2.0 / 3, 1});
}

TEST_CASE("one error refuses all nodes that cannot be replaced, with the reasons") {
  CHECK(refusals_are_counted(2));
  CHECK(refusals_are_counted(40));
  const auto reason = [](std::string_view op, std::initializer_list<operand> operands, const tensor_type& output,
                         std::initializer_list<named_literal> literals = {}) {
    return one_node(op, operands, {output}, literals).reason();
  };
  CHECK(reason("aten.dropout.default", {{row}}, row, {{"arg_2", true}}) ==
        "training is not supported; export the model in evaluation mode");
  CHECK(reason("aten.adaptive_avg_pool2d.default", {{image}}, floats(1, 3, 4, 1), {{"arg_1", list<4, 1>}}) ==
        "input size 6 is not a multiple of output size 4; use a pool with an explicit window size");
  const std::string unbatched = "images without batches are not supported; add a dimension to them";
  CHECK(reason("aten.narrow.default", {{floats(2, 3)}}, floats(2, 2), {{"arg_1", 1}, {"arg_2", 2}, {"arg_3", 2}}) ==
        "the slice of 2 elements at position 2 is not inside dimension 1, which has 3 elements");
  CHECK(reason("aten.adaptive_avg_pool2d.default", {{floats(3, 4, 4)}}, floats(3, 2, 2), {{"arg_1", list<2, 2>}}) == unbatched);
  CHECK(reason("aten.avg_pool2d.default", {{floats(1, 3, 3)}}, floats(1, 3, 3),
               {{"arg_1", list<3, 3>}, {"arg_2", list<1, 1>}, {"arg_3", list<1, 1>}}) == unbatched);
  CHECK(reason("aten.max_pool2d.default", {{floats(1, 4, 4)}}, floats(1, 4, 4), {{"arg_1", list<1, 1>}}) == unbatched);
  CHECK(reason("aten.max_pool1d.default", {{image}}, image, {{"arg_1", list<1>}}) == "the operand has 4 dimensions, not 3");
  CHECK(reason("aten.matmul.default", {{row}, {floats(5)}}, floats(1, 1, 1, 1, 1, 1, 1, 2)) == "the output has 8 dimensions, not 1");
  CHECK(reason("aten.matmul.default", {{floats(5)}, {floats(5, 2)}}, floats()) == "the output has 0 dimensions, not 1");
  CHECK(reason("aten.full.default", {}, tensor(int8, 2), {{"arg_0", list<2>}, {"arg_1", 128}}) == "the number 128 does not fit int8");
  CHECK(reason("aten.full.default", {}, tensor(int64, 2), {{"arg_0", list<2>}, {"arg_1", 1e19}}) == "argument 1 does not fit int64");
  CHECK(reason("aten.lt.Scalar", {{tensor(uint8, 2)}}, tensor(boolean, 2), {{"arg_1", -1}}) == "the number -1 does not fit uint8");
  CHECK(reason("aten.sum.default", {{tensor(int32, 4)}}, tensor(int64)) ==
        "a reduction of 4 int32 elements can overflow int32; convert them to float32");
  CHECK(reason("aten.prod.default", {{tensor(int8, 5)}}, tensor(int64)) ==
        "a reduction of 5 int8 elements can overflow int32; convert them to float32");
  CHECK(reason("aten.div.Tensor_mode", {{row}}, row, {{"arg_1", 2}, {"arg_2", "up"}}) == "rounding up is not supported");
  CHECK(reason("aten.add.Tensor", {{row}}, row) == "operand 1 is missing");
  CHECK(reason("aten.relu.default", {{row}}, row, {{"scale", 2}}) == "the argument scale is not supported");
  const auto twice = fixed(tensor(int64, 2), {1, -1});
  constexpr auto written_twice = "several elements are written to one position; PyTorch and ONNX do not define which one remains";
  CHECK(reason("aten.index_put.default", {{row}, twice, {row}}, row) == written_twice);
  CHECK(reason("aten.index_copy.default", {{row}, fixed(tensor(int64, 2), {4, 4}), {floats(2, 2)}}, row, {{"arg_1", 1}}) == written_twice);
  CHECK(reason("aten.scatter.src", {{row}, fixed(tensor(int64, 1, 2), {4, -1}), {floats(1, 2)}}, row, {{"arg_1", 1}}) == written_twice);
  CHECK(reason("aten.unbind.int", {{row}}, floats(2), {{"arg_1", 1}}) == "dimension 1 has 5 elements, but the node has 1 output");
  CHECK(reason("aten.permute.default", {{row}}, row, {{"arg_1", list<-1, 1>}}) == "perm is not a permutation of 2 dimensions");
  CHECK(reason("aten.fft_fft.default", {{row}}, row) == "no legalization of this operator exists");
  CHECK(reason("quantized_decomposed.quantize_per_tensor.default", {{row}}, tensor(int8, 2, 5),
               {{"arg_1", 1.0}, {"arg_3", -127}, {"arg_4", 127}}) ==
        "quantization to int8 with the range -127 to 127 is not supported; the type must be int8, uint8 or int16 with its whole range");
}

TEST_CASE("a type without kernels is named") {
  program_builder b;
  b.set_dialect(torch::dialect);
  const auto type = tensor(float64, 2);
  b.output(b.call("relu", "aten.relu.default", {b.user_input("x", type)}, type));
  const auto legal = legalize::run(b.finish());
  REQUIRE(legal);
  nodes::bytes output;
  const auto why = nodes::interpreter(legal.value).run(portable_kernels, nodes::bytes(16), output);
  CHECK(why == "relu: input is float64");
}

TEST_CASE("attention, recurrent layers and products of images read the layout of the file after a pool") {
  program_builder b;
  b.set_dialect(torch::dialect);
  const auto weights = [&](std::string_view name, const tensor_type& type) {
    std::vector<char> bytes;
    for (std::int64_t i = 0; i < element_count(type.shape()); ++i)
      put(bytes, float32, static_cast<double>(element(1, static_cast<std::size_t>(i))));
    return b.constant(name, type, {bytes.data(), bytes.size()});
  };
  const auto pooled_row = b.call("row", "aten.avg_pool1d.default", {b.user_input("x", floats(1, 3, 5))}, floats(1, 3, 4),
                                 {{"arg_1", list<2>}, {"arg_2", list<1>}});
  const auto attention = b.call("attention", "aten.scaled_dot_product_attention.default",
                                {pooled_row, weights("k", floats(1, 2, 4)), weights("v", floats(1, 2, 5))}, floats(1, 3, 5));
  const auto states = b.call("states", "aten.rnn_tanh.input",
                             {pooled_row, weights("h", floats(1, 1, 2)), weights("w", floats(2, 4)), weights("u", floats(2, 2)),
                              weights("c", floats(2)), weights("d", floats(2))},
                             floats(1, 3, 2), {{"arg_3", 1}, {"arg_4", 1}, {"arg_8", 1}});
  const auto pooled_image = b.call("image", "aten.avg_pool2d.default", {b.user_input("y", floats(1, 2, 4, 4))}, floats(1, 2, 3, 3),
                                   {{"arg_1", list<2, 2>}, {"arg_2", list<1, 1>}});
  const auto product = b.call("product", "aten.linear.default", {pooled_image, weights("m", floats(5, 3))}, floats(1, 2, 3, 5));
  for (const auto id : {attention, states, product}) b.output(id);
  const auto program = b.finish();
  const auto legal = legalize::run(program);
  REQUIRE_MESSAGE(legal, std::string(view(legal.error.reason)));
  comparison sum;
  compare(program, legal.value, 1, sum);
  CHECK(sum.wrong == "");
  CHECK(sum.floats == 15 + 6 + 30);
}

TEST_CASE("random programs of torch.export match a simple interpreter of PyTorch") {
  const auto seeds = properties::number_from_environment("BATON_PROPERTY_SEEDS", 300);
  comparison sum;
  std::map<std::string, std::size_t> operators;
  std::size_t integer_layers = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto program = random_net(seed).build();
    const auto legal = legalize::run(program);
    std::string wrong;
    const auto note = [&](const failure& why) {
      if (why && wrong.empty()) wrong = std::string(view(message(why)));
    };
    note(verify(program));
    note(check_inference(program));
    note(legal.error);
    note(verify(legal.value));
    note(check_inference(legal.value));
    if (seed % 8 == 0 && wrong.empty() && !laws::pass::static_laws<legalize_torch>(program)) wrong = "laws of legalize_torch";
    if (wrong.empty()) {
      compare(program, legal.value, seed, sum);
      wrong = sum.wrong;
    }
    for (const auto& record : program.nodes) ++operators[std::string(program_view(program).text(record.target))];
    for (const auto& record : legal.value.nodes)
      integer_layers += program_view(legal.value).text(record.target).starts_with("baton.") ? 1 : 0;
    if (wrong.empty()) continue;
    const auto text = print(program), after = print(legal.value);
    FAIL("seed " << seed << ": " << wrong << "\n" << std::string(view(text)) << "\nafter:\n" << std::string(view(after)));
  }
  MESSAGE(seeds << " programs of " << operators.size() << " operators: " << sum.floats << " floats, the largest difference is "
                << sum.largest << "; " << sum.integers << " integers, " << sum.off_by_one << " near a tie differ by one step; "
                << sum.uncertain << " outputs after a tie are not compared; " << integer_layers << " nodes of the namespace baton");
  if (seeds < 300) return;
  CHECK(operators.size() > 100);
  CHECK(sum.integers > 20000);
  CHECK(1000 * sum.off_by_one <= sum.integers);
}
