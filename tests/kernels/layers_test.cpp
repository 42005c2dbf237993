// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random layers with weights and random pools in every type: built at run time, computed by the plain algorithm and compared with the
// reference. Some are also computed at compile time.
#include "laws/kernel.hpp"
#include "nodes/interpreter.hpp"
#include "reference/layers.hpp"

#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernels/portable/convolution.hpp>
#include <baton/kernels/portable/depthwise.hpp>
#include <baton/kernels/portable/fully_connected.hpp>
#include <baton/kernels/portable/pooling.hpp>
#include <baton/kernels/portable/transpose_conv.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/verify.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <set>

namespace {

using namespace baton;
using reference::layers::kind;
using reference::layers::layer;

constexpr auto tested = kernels<portable::conv_2d, portable::depthwise_conv_2d, portable::fully_connected, portable::detail::transpose_conv,
                                portable::average_pool_2d, portable::max_pool_2d, portable::detail::l2_pool_2d>;

class dice {
 public:
  explicit dice(unsigned seed) : engine_(seed) {}
  auto from_to(int min, int max) -> int { return min + static_cast<int>(engine_() % static_cast<unsigned>(max - min + 1)); }
  auto once_in(int n) -> bool { return from_to(1, n) == 1; }
  template <class T, std::size_t N>
  auto of(const T (&choices)[N]) -> T {
    return choices[engine_() % N];
  }
  auto real() -> double { return static_cast<double>(static_cast<float>(engine_() >> 8) / 8388608.0f - 1.0f); }

 private:
  std::mt19937 engine_;
};

auto numbers(dice& draw, int count, kind is, double min, double max) -> std::vector<double> {
  std::vector<double> result;
  const bool is_extreme = draw.once_in(8);
  for (int i = 0; i < count; ++i) {
    if (is == kind::float32_by_float16) {
      result.push_back(std::ldexp(draw.from_to(-2047, 2047), draw.from_to(-24, -10)));
    } else if (is == kind::float32 || is == kind::hybrid || is == kind::hybrid_by_int4) {
      result.push_back(draw.real());
    } else {
      const auto low = static_cast<int>(min);
      const auto high = static_cast<int>(max);
      result.push_back(is_extreme ? draw.of({low, high}) : draw.from_to(low, high));
    }
  }
  return result;
}

auto random_layer(unsigned seed) -> layer {
  dice draw(seed);
  layer l;
  const char* ops[] = {"tfl.conv_2d",         "tfl.depthwise_conv_2d", "tfl.fully_connected", "tfl.transpose_conv",
                       "tfl.average_pool_2d", "tfl.max_pool_2d",       "tfl.l2_pool_2d"};
  l.op = draw.of(ops);
  l.is = draw.of({kind::float32, kind::int8, kind::int8_by_int4, kind::int16, kind::int16_wide, kind::hybrid, kind::hybrid_by_int4,
                  kind::float32_by_float16});
  if (l.is_transposed() && (l.is == kind::int8_by_int4 || l.is == kind::hybrid_by_int4)) l.is = kind::hybrid;
  if ((l.is_transposed() || l.is_depthwise()) && l.is == kind::int16) l.is = kind::int16_wide;
  if (l.is_pool()) l.is = l.op == "tfl.l2_pool_2d" ? kind::float32 : draw.of({kind::float32, kind::int8, kind::int16_wide});
  l.batch = draw.of({1, 1, 2, 3});
  l.channels = draw.of({1, 2, 3, 4, 6, 9});
  l.out_channels = draw.of({1, 2, 3, 5, 8, 19});
  if (!l.is_dense()) {
    l.height = draw.from_to(1, 6);
    l.width = draw.from_to(1, 6);
    l.filter_height = draw.from_to(1, 4);
    l.filter_width = draw.from_to(1, 4);
    l.stride_h = draw.from_to(1, 3);
    l.stride_w = draw.from_to(1, 3);
  } else if (draw.once_in(3)) {
    l.channels = draw.from_to(100, 300);
  }
  if (l.op == "tfl.conv_2d" || l.is_depthwise()) {
    l.dilation_h = draw.of({1, 1, 2, 3});
    l.dilation_w = draw.of({1, 1, 2, 3});
  }
  if (l.op == "tfl.conv_2d" && draw.once_in(4)) {
    l.groups = l.channels % 2 == 0 ? 2 : l.channels;
    l.out_channels = l.groups * draw.from_to(1, 3);
  }
  if (l.is_depthwise()) l.out_channels = l.channels * draw.of({1, 1, 2, 3});
  if (l.is_pool()) l.out_channels = l.channels;
  const auto span_h = (l.filter_height - 1) * l.dilation_h;
  const auto span_w = (l.filter_width - 1) * l.dilation_w;
  l.is_same = draw.once_in(2) || (!l.is_transposed() && (span_h >= l.height || span_w >= l.width));
  if (l.is_transposed()) {
    // The height for which the inverse convolution yields the input's height, or some rows more or less.
    l.out_height = std::max((l.height - 1) * l.stride_h + l.filter_height, l.filter_height) + draw.from_to(l.height == 1 ? 0 : -1, 2);
    l.out_width = l.is_same ? l.width * l.stride_w : (l.width - 1) * l.stride_w + l.filter_width;
  } else {
    l.out_height = reference::layers::windows(l.is_same, l.height, l.filter_height, l.stride_h, l.dilation_h);
    l.out_width = reference::layers::windows(l.is_same, l.width, l.filter_width, l.stride_w, l.dilation_w);
  }
  l.is_per_channel = draw.once_in(2) && l.out_channels > 1;
  l.is_asymmetric = draw.once_in(2);
  if (l.op == "tfl.conv_2d") l.is_asymmetric = l.is_per_channel;
  if (l.is_depthwise() || l.is_transposed()) l.is_asymmetric = true;
  const char* activations[] = {"none", "none", "relu", "relu6", "relu_n1_to_1"};
  l.fused = draw.of(activations);
  const auto group_channels = l.is_depthwise() ? 1 : l.channels / l.groups;
  const auto products = l.filter_height * l.filter_width * group_channels;
  const auto top = l.is == kind::int8_by_int4 || l.is == kind::hybrid_by_int4 ? 7 : 127;
  if (!l.is_real()) {
    const bool has_zero_points = !l.is_int16() || (l.is_dense() && draw.once_in(2));
    l.input_scale = static_cast<double>(l.is_int16() ? 0.0002f : 0.05f);
    if (has_zero_points) {
      l.input_zero_point = draw.of({0, 3, -128, 127});
      l.zero_point = draw.of({0, -5, -128, 127});
    }
    if (l.is_pool()) {
      l.output_scale = l.input_scale;
      l.zero_point = l.input_zero_point;
    }
  }
  double mean = 0;
  for (int c = 0; c < (l.is_per_channel ? l.out_channels : 1); ++c) {
    auto scale = 0.9f / static_cast<float>(top) * (1 + 0.3f * static_cast<float>(draw.real()));
    const bool may_be_negative = !l.is_int16() && !(l.is_dense() && !l.is_per_channel);
    if (may_be_negative && draw.once_in(6)) scale = -scale;
    mean += static_cast<double>(std::fabs(scale)) / (l.is_per_channel ? l.out_channels : 1);
    l.filter_scales.push_back(scale);
  }
  if (!l.is_real() && !l.is_pool()) {
    l.output_scale =
        static_cast<double>(static_cast<float>(l.input_scale * mean * top * std::sqrt(products) * draw.of({0.01, 0.4, 1.5, 3.0})));
  }
  l.input = numbers(draw, l.batch * l.height * l.width * l.channels, l.is, l.min(), l.max());
  if (l.is_pool()) return l;
  l.filter = numbers(draw, l.out_channels * products, l.is_hybrid() ? kind::int8 : l.is, -top, top);
  if (!draw.once_in(3)) l.bias = numbers(draw, l.out_channels, l.is, -3000, 3000);
  return l;
}

template <class T>
void put(nodes::bytes& to, T number) {
  const auto* bytes = reinterpret_cast<const char*>(&number);
  to.insert(to.end(), bytes, bytes + sizeof(T));
}
/// Returns the float16 encoding of a number that float16 can represent.
auto half_of(double x) -> std::uint16_t {
  const auto sign = std::signbit(x) ? 0x8000 : 0;
  if (std::fabs(x) < 0x1p-14) return static_cast<std::uint16_t>(sign | static_cast<int>(std::ldexp(std::fabs(x), 24)));
  int exponent = 0;
  const auto fraction = std::frexp(std::fabs(x), &exponent);  // 0.5 to 1
  return static_cast<std::uint16_t>(sign | (exponent + 14) << 10 | (static_cast<int>(std::ldexp(fraction, 11)) & 1023));
}
auto packed(dtype type, const std::vector<double>& of) -> nodes::bytes {
  nodes::bytes result;
  for (std::size_t i = 0; i < of.size(); ++i) {
    const auto x = of[i];
    if (type == dtype::float32) put(result, static_cast<float>(x));
    if (type == dtype::float16) put(result, half_of(x));
    if (type == dtype::int8) put(result, static_cast<std::int8_t>(x));
    if (type == dtype::int16) put(result, static_cast<std::int16_t>(x));
    if (type == dtype::int32) put(result, static_cast<std::int32_t>(x));
    if (type == dtype::int64) put(result, static_cast<std::int64_t>(x));
    if (type == dtype::int4) {
      const auto half = static_cast<int>(x) & 15;
      if (i % 2 == 0)
        result.push_back(static_cast<char>(half));
      else
        result.back() = static_cast<char>(static_cast<unsigned char>(result.back()) | half << 4);
    }
  }
  return result;
}
auto unpacked(dtype type, const nodes::bytes& of) -> std::vector<double> {
  std::vector<double> result;
  const auto size = static_cast<std::size_t>(facts(type).bits / 8);
  for (std::size_t i = 0; i < of.size(); i += size) {
    float real = 0;
    std::int16_t number = of[i];
    if (size > 1) std::memcpy(size == 4 ? static_cast<void*>(&real) : &number, of.data() + i, size);
    result.push_back(size == 4 ? static_cast<double>(real) : number);
  }
  return result;
}

auto activations_of(const layer& l) -> dtype { return l.is_real() ? dtype::float32 : l.is_int16() ? dtype::int16 : dtype::int8; }
auto weights_of(const layer& l) -> dtype {
  if (l.is == kind::float32) return dtype::float32;
  if (l.is == kind::float32_by_float16) return dtype::float16;
  return l.is == kind::int8_by_int4 || l.is == kind::hybrid_by_int4 ? dtype::int4 : dtype::int8;
}
auto bias_of(const layer& l) -> dtype {
  if (l.is == kind::float32_by_float16 && l.is_asymmetric) return dtype::float16;  // otherwise only the weights are float16
  return l.is_real() ? dtype::float32 : l.is == kind::int16_wide ? dtype::int64 : dtype::int32;
}

/// Returns the program of a layer. If `has_computed_weights` is true, the filter is a user input.
auto build(const layer& l, bool has_computed_weights) -> exported_program {
  program_builder b;
  const auto type = activations_of(l);
  const auto in = l.is_dense() ? tensor(type, l.batch, l.channels) : tensor(type, l.batch, l.height, l.width, l.channels);
  const auto out = l.is_dense() ? tensor(type, l.batch, l.out_channels) : tensor(type, l.batch, l.out_height, l.out_width, l.out_channels);
  const auto x = b.user_input("x", in);
  std::vector<value_id> inputs;
  if (l.is_transposed()) {
    const auto sizes = packed(dtype::int32, {double(l.batch), double(l.out_height), double(l.out_width), double(l.out_channels)});
    inputs.push_back(b.parameter("shape", tensor(dtype::int32, 4), {sizes.data(), sizes.size()}));
  } else {
    inputs.push_back(x);
  }
  if (!l.is_pool()) {
    const auto each = l.channels / l.groups;
    const auto shape = l.is_dense()       ? tensor(weights_of(l), l.out_channels, l.channels)
                       : l.is_depthwise() ? tensor(weights_of(l), 1, l.filter_height, l.filter_width, l.out_channels)
                                          : tensor(weights_of(l), l.out_channels, l.filter_height, l.filter_width, each);
    const auto bytes = packed(weights_of(l), l.filter);
    const auto filter = has_computed_weights ? b.user_input("filter", shape) : b.parameter("filter", shape, {bytes.data(), bytes.size()});
    if (!l.has_real_sums()) {
      const std::vector<std::int64_t> zeros(l.filter_scales.size(), 0);
      b.quantize(filter, {l.filter_scales.data(), l.filter_scales.size()}, {zeros.data(), zeros.size()}, l.is_depthwise() ? 3 : 0);
    }
    inputs.push_back(filter);
    if (l.is_transposed()) inputs.push_back(x);
    if (!l.bias.empty()) {
      const auto bias = packed(bias_of(l), l.bias);
      inputs.push_back(b.parameter("bias", tensor(bias_of(l), l.out_channels), {bias.data(), bias.size()}));
    }
  }
  const auto y = b.add_value(b.make_value("y", out, value_kind::intermediate));
  if (!l.is_real()) {
    b.quantize(x, static_cast<float>(l.input_scale), l.input_zero_point);
    b.quantize(y, static_cast<float>(l.output_scale), l.zero_point);
  }
  const std::array<named_literal, 12> literals{{{"padding", l.is_same ? "same" : "valid"},
                                                {"stride_h", l.stride_h},
                                                {"stride_w", l.stride_w},
                                                {"dilation_h_factor", l.dilation_h},
                                                {"dilation_w_factor", l.dilation_w},
                                                {"filter_height", l.filter_height},
                                                {"filter_width", l.filter_width},
                                                {"depth_multiplier", l.out_channels / l.channels},
                                                {"fused_activation_function", l.fused.c_str()},
                                                {"keep_num_dims", false},
                                                {"asymmetric_quantize_inputs", l.is_asymmetric},
                                                {"quantized_bias_type", l.is == kind::int16 ? "int32" : "float32"}}};
  b.add_node(b.make_node("y", l.op), {inputs.data(), inputs.size()}, span{&y, 1}, literals);
  b.output(y);
  return b.finish();
}

auto run(const layer& l, bool has_computed_weights, nodes::bytes& result) -> std::string {
  const auto program = build(l, has_computed_weights);
  const auto view = program_view(program);
  REQUIRE_FALSE(verify(view));
  REQUIRE_FALSE(check_inference(view));
  auto input = packed(activations_of(l), l.input);
  if (has_computed_weights) {
    const auto weights = packed(weights_of(l), l.filter);
    input.insert(input.end(), weights.begin(), weights.end());
  }
  nodes::interpreter interpreter(view);
  return interpreter.run(tested, input, result);
}

/// True if integers are equal and floats differ by at most 1e-5 of the largest magnitude. Hybrid layers may round differently from the
/// reference.
auto is_near(const layer& l, const std::vector<double>& actual, const std::vector<double>& expected) -> bool {
  if (actual.size() != expected.size()) return false;
  double largest = 1;
  for (const auto x : expected) largest = std::max(largest, std::fabs(x));
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (l.is_real() ? !(std::fabs(actual[i] - expected[i]) <= 1e-5 * largest) : actual[i] != expected[i]) return false;
  }
  return true;
}

/// A layer that is computed at compile time: 4 by 4 pixels of two channels with 2 by 2 windows, or 2 rows of 8 elements if fully connected.
struct fixed {
  std::string_view op = "tfl.conv_2d";
  dtype type = dtype::int8;
  dtype weights = dtype::int8;
  dtype bias = dtype::int32;
};
constexpr fixed fixed_nodes[] = {
    {"tfl.conv_2d", dtype::int16, dtype::int8, dtype::int64},
    {"tfl.depthwise_conv_2d", dtype::int8, dtype::int4, dtype::int32},
    {"tfl.fully_connected", dtype::float32, dtype::int8, dtype::float32},
    {"tfl.transpose_conv", dtype::int8, dtype::int8, dtype::int32},
    {"tfl.average_pool_2d", dtype::int16},
    {"tfl.l2_pool_2d", dtype::float32},
    {"tfl.conv_2d", dtype::float32, dtype::int4, dtype::float32},
    {"tfl.transpose_conv", dtype::float32, dtype::int8, dtype::float32},
    {"tfl.conv_2d", dtype::float32, dtype::float16, dtype::float16},
    {"tfl.depthwise_conv_2d", dtype::float32, dtype::float16, dtype::float32},
    {"tfl.fully_connected", dtype::float32, dtype::float16, dtype::float16},
};
constexpr std::string_view some_bytes =
    "What the compiler makes of a layer that has no form of its own are the plain loops, with bounds that it knows.";

constexpr std::string_view bias_bytes("\7\1\0\0\0\0\0\0\7\2\0\0\0\0\0\0\7\3\0\0\0\0\0\0", 24);

template <std::size_t Which>
struct make_fixed {
  constexpr auto operator()() const -> exported_program {
    const auto f = fixed_nodes[Which];
    const bool is_dense = f.op == "tfl.fully_connected";
    const bool is_depthwise = f.op == "tfl.depthwise_conv_2d";
    const bool is_transposed = f.op == "tfl.transpose_conv";
    const bool is_pool = f.op == "tfl.average_pool_2d" || f.op == "tfl.l2_pool_2d";
    const auto channels = is_pool ? 2 : is_depthwise ? 4 : 3;
    const auto size = is_transposed ? 8 : 4;
    program_builder b;
    const auto x = b.user_input("x", is_dense ? tensor(f.type, 2, 8) : tensor(f.type, 1, 4, 4, 2));
    const auto y = b.add_value(
        b.make_value("y", is_dense ? tensor(f.type, 2, channels) : tensor(f.type, 1, size, size, channels), value_kind::intermediate));
    std::array<value_id, 4> inputs{x};
    std::size_t count = 1;
    if (is_transposed) {
      inputs[0] = b.parameter("shape", tensor(dtype::int32, 4));
      b.at(inputs[0]).data = b.view(std::string_view("\1\0\0\0\10\0\0\0\10\0\0\0\3\0\0\0", 16));
    }
    if (!is_pool) {
      const auto shape = is_dense       ? tensor(f.weights, channels, 8)
                         : is_depthwise ? tensor(f.weights, 1, 2, 2, channels)
                                        : tensor(f.weights, channels, 2, 2, 2);
      inputs[count] = b.parameter("filter", shape);
      b.at(inputs[count]).data = b.view(some_bytes.substr(0, static_cast<std::size_t>(byte_count(f.weights, shape.shape()))));
      const std::array<float, 4> scales{0.02f, 0.04f, 0.03f, 0.05f};
      const std::array<std::int64_t, 4> zeros{};
      b.quantize(inputs[count], span{scales}.first(static_cast<std::size_t>(channels)),
                 span{zeros}.first(static_cast<std::size_t>(channels)), is_depthwise ? 3 : 0);
      ++count;
      if (is_transposed) inputs[count++] = x;
      inputs[count] = b.parameter("bias", tensor(f.bias, channels));
      b.at(inputs[count]).data = b.view(bias_bytes.substr(0, static_cast<std::size_t>(channels) * facts(f.bias).bits / 8));
      ++count;
    }
    if (f.type != dtype::float32) {
      b.quantize(x, 0.05f, f.type == dtype::int8 ? 3 : 0);
      b.quantize(y, is_pool ? 0.05f : 0.2f, f.type == dtype::int8 ? -5 : 0);
    }
    const std::array<named_literal, 7> literals{{{"padding", "same"},
                                                 {"stride_h", is_transposed ? 2 : 1},
                                                 {"stride_w", is_transposed ? 2 : 1},
                                                 {"filter_height", 2},
                                                 {"filter_width", 2},
                                                 {"fused_activation_function", "relu"},
                                                 {"asymmetric_quantize_inputs", true}}};
    b.add_node(b.make_node("y", f.op), span{inputs}.first(count), span{&y, 1}, literals);
    b.output(y);
    return b.finish();
  }
};

template <class Kernel, std::size_t Which>
void check_fixed() {
  using program = static_program<make_fixed<Which>>;
  CAPTURE(Which);
  static_assert(baton::ask_kernel<Kernel>(program::value(), program::value().nodes[0]).support.accepted);
  laws::kernel::bytes input;
  dice draw(7);
  const auto count = static_cast<int>(element_count(program_view(program::value()).shape(value_id{0})));
  std::vector<double> drawn;
  for (int i = 0; i < count; ++i) drawn.push_back(fixed_nodes[Which].type == dtype::float32 ? draw.real() : draw.from_to(-100, 100));
  const auto bytes = packed(fixed_nodes[Which].type, drawn);
  input.assign(bytes.begin(), bytes.end());
  CHECK(laws::kernel::all<Kernel, program>(input));
  nodes::interpreter interpreter(program::value());
  nodes::bytes plain;
  REQUIRE(interpreter.run(kernels<Kernel>, bytes, plain) == "");
  const auto compiled = laws::kernel::trial<Kernel, program>{}.run(input);
  CHECK(plain == nodes::bytes(compiled.begin(), compiled.end()));
  CHECK(std::set<char>(compiled.begin(), compiled.end()).size() > 4);
}

}  // namespace

TEST_CASE("layers computed by the plain algorithm obey the laws and match the interpreter") {
  check_fixed<portable::conv_2d, 0>();
  check_fixed<portable::depthwise_conv_2d, 1>();
  check_fixed<portable::fully_connected, 2>();
  check_fixed<portable::detail::transpose_conv, 3>();
  check_fixed<portable::average_pool_2d, 4>();
  check_fixed<portable::detail::l2_pool_2d, 5>();
  check_fixed<portable::conv_2d, 6>();
  check_fixed<portable::detail::transpose_conv, 7>();
  check_fixed<portable::conv_2d, 8>();
  check_fixed<portable::depthwise_conv_2d, 9>();
  check_fixed<portable::fully_connected, 10>();
}

TEST_CASE("random layers match the reference in every type") {
  std::set<std::string> seen;
  int varied = 0;
  for (unsigned seed = 0; seed < 6000; ++seed) {
    CAPTURE(seed);
    const auto l = random_layer(seed);
    CAPTURE(l.op);
    CAPTURE(static_cast<int>(l.is));
    nodes::bytes result;
    const bool has_computed_weights = !l.is_pool() && seed % 5 == 0;
    REQUIRE(run(l, has_computed_weights, result) == "");
    const auto expected = reference::layers::compute(l);
    REQUIRE(is_near(l, unpacked(activations_of(l), result), expected));
    seen.insert(l.op + std::to_string(static_cast<int>(l.is)));
    varied += std::set<double>(expected.begin(), expected.end()).size() > 2;
  }
  CHECK(seen.size() == 35);  // pairs of operators and types
  CHECK(varied > 4000);      // otherwise the comparison has little value
}

namespace {

/// Returns a small layer whose weights and biases are all 1.
auto plain(const char* op, kind is) -> layer {
  layer l;
  l.op = op;
  l.is = is;
  l.channels = 2;
  l.out_channels = l.is_pool() ? 2 : 4;
  l.height = l.width = l.filter_height = l.filter_width = l.is_dense() ? 1 : 3;
  l.out_height = l.out_width = l.height;
  l.input_scale = l.output_scale = static_cast<double>(0.05f);
  l.filter_scales = {0.01f};
  l.is_per_channel = false;
  l.filter.assign(static_cast<std::size_t>(l.out_channels * l.filter_height * l.filter_width * (l.is_depthwise() ? 1 : 2)), 1);
  if (!l.is_pool()) l.bias.assign(4, 1);
  return l;
}
/// Applies `change` to a layer and `damage` to its program. Returns "yes" if it is supported, or the reason if not.
template <class F, class G>
auto answer(layer l, F change, G damage) -> std::string {
  change(l);
  auto program = build(l, false);
  damage(program);
  const auto support = choose_kernel(tested, program, program.nodes[0]).support;
  return support.accepted ? "yes" : std::string(view(support.reason));
}
template <class F>
auto answer(const layer& l, F change) -> std::string {
  return answer(l, change, [](exported_program&) {});
}
constexpr auto nothing = [](auto&) {};

}  // namespace

TEST_CASE("unsupported layers and pools are rejected with a reason") {
  for (const auto* op : {"tfl.conv_2d", "tfl.depthwise_conv_2d", "tfl.transpose_conv"}) {
    const auto wide = plain(op, kind::int16_wide);
    CHECK(answer(wide, nothing) == "yes");
    CHECK(answer(wide, [](auto& l) { l.zero_point = 1; }) == "zero points 0 and 1 of int16 are not 0");
    CHECK(answer(wide, [](auto& l) { l.input_zero_point = -1; }) == "zero points -1 and 0 of int16 are not 0");
    CHECK(answer(wide, [](auto& l) { l.filter_scales[0] = -0.01f; }) == "filter scale 0 results in a factor that is negative or too large");
    CHECK(answer(wide, [](auto& l) { l.filter_scales[0] = 127; }) == "filter scale 0 results in a factor that is negative or too large");
    CHECK(answer(wide, [](auto& l) { l.filter_scales[0] = 126; }) == "yes");
    CHECK(answer(wide, [](auto& l) { l.bias[2] = 70368744177664.0; }) == "bias 2 does not fit 47 bits");
    CHECK(answer(wide, [](auto& l) { l.bias[3] = -70368744177664.0; }) == "yes");
    CHECK(answer(wide, [](auto& l) { l.bias[3] = -70373039144961.0; }) == "bias 3 does not fit 47 bits");
    CHECK(answer(wide, [](auto& l) { l.fused = "tanh"; }) == "fused activation tanh is not supported");
    CHECK(answer(wide, [](auto& l) { l.out_channels = 3; }) != "yes");
    CHECK(answer(wide, [](auto& l) { l.stride_h = 0; }) == "stride_h is 0, not 1 to 1073741824");
    CHECK(answer(wide, [](auto& l) { l.stride_w = -1; }) == "stride_w is -1, not 1 to 1073741824");
  }
  const auto dense = plain("tfl.fully_connected", kind::int16_wide);
  CHECK(answer(dense, [](auto& l) { l.zero_point = 1; }) == "yes");
  CHECK(answer(dense, [](auto& l) { l.filter_scales[0] = -0.01f; }) == "filter scale 0 results in a factor that is negative or too large");
  CHECK(answer(plain("tfl.fully_connected", kind::int16), [](auto& l) { l.filter_scales[0] = -0.01f; }) ==
        "the filter's only scale is negative, which TensorFlow Lite rejects");
  CHECK(answer(plain("tfl.conv_2d", kind::int16), nothing) == "yes");
  // Only convolutions and fully connected layers support an int32 bias in int16 layers.
  CHECK(answer(plain("tfl.depthwise_conv_2d", kind::int16), nothing) == "bias is int32, not int64");
  CHECK(answer(plain("tfl.transpose_conv", kind::int16), nothing) == "bias is int32, not int64 or int16");
  CHECK(answer(plain("tfl.conv_2d", kind::int16_wide), nothing, [](auto& p) { p.values[2].type = dtype::int16; }) ==
        "bias is int16, not int64");
  CHECK(answer(plain("tfl.transpose_conv", kind::int8_by_int4), nothing) == "input int8 with filter int4 is not supported");
  CHECK(answer(plain("tfl.transpose_conv", kind::hybrid_by_int4), nothing) == "input float32 with filter int4 is not supported");
  CHECK(answer(plain("tfl.conv_2d", kind::hybrid), [](auto& l) { l.filter_scales[0] = std::numeric_limits<float>::infinity(); }) ==
        "filter scale 0 is not finite");
  CHECK(answer(plain("tfl.conv_2d", kind::hybrid), nothing, [](auto& p) { p.values[1].quant.channels = 0; }) ==
        "filter has 0 scales along axis 0 for 4 channels along axis 0");
  CHECK(answer(plain("tfl.conv_2d", kind::int16), nothing, [](auto& p) { p.values[1].type = dtype::int16; }) ==
        "input int16, filter int16 and output int16 are not supported as types of a layer with weights");
  CHECK(answer(plain("tfl.conv_2d", kind::int8), nothing, [](auto& p) { p.values[0].type = p.values.back().type = dtype::uint8; }) ==
        "input uint8, filter int8 and output uint8 are not supported as types of a layer with weights");
}

TEST_CASE("unsupported transposed convolutions are rejected with a reason") {
  const auto l = plain("tfl.transpose_conv", kind::int8);
  CHECK(answer(l, nothing) == "yes");
  const auto sizes = [](exported_program& p, std::size_t value) { return p.integers.data() + p.values[value].shape.first; };
  const auto change = [&](std::size_t value, std::size_t axis, std::int64_t size) {
    return answer(l, nothing, [&](auto& p) { sizes(p, value)[axis] = size; });
  };
  // Values: 0 input, 1 shape, 2 filter, 3 bias, 4 output.
  CHECK(change(0, 3, 1) == "filter channels 2 do not match input channels 1");
  CHECK(change(0, 0, 2) == "batch size of the input is 2, of the output 1");
  CHECK(change(2, 0, 3) == "filter has 3 output channels, the output has 4");
  CHECK(change(4, 1, 4) == "output has a different shape than inferred");
  CHECK(answer(l, [](auto& of) { of.is_same = false, of.filter_height = 4, of.filter.resize(96); }) ==
        "filter height 4 exceeds the output's 3");
  CHECK(answer(l, [](auto& of) { of.stride_h = 1 << 30; }) == "input height 3 is too large for stride 1073741824");
  CHECK(answer(l, nothing, [](auto& p) { p.nodes[0].inputs.size = 2; }) == "the operator has 2 operands, not 3 to 4");
}

TEST_CASE("unsupported pools of integers are rejected with a reason") {
  const auto average = plain("tfl.average_pool_2d", kind::int16_wide);
  CHECK(answer(average, nothing) == "yes");
  CHECK(answer(average, [](auto& l) { l.filter_height = l.filter_width = 256; }) == "sums over 256 by 256 elements may not fit 32 bits");
  CHECK(answer(average, [](auto& l) { l.output_scale = 0.06; }) == "scales of input and output differ");
  CHECK(answer(plain("tfl.l2_pool_2d", kind::int8), nothing) == "input is not float32");
  CHECK(answer(plain("tfl.l2_pool_2d", kind::float32), nothing) == "yes");
}
