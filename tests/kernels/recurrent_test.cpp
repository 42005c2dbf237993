// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// LSTM, SVDF and circular buffer layers over several inferences against a plain implementation, among them the Cortex-M kernel for int8
// LSTMs. Also rejected nodes and the laws of kernels.
#include <baton/kernels/portable/recurrent.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/static_program.hpp>
#include <baton/kernels/cortex_m/recurrent.hpp>
#include <baton/kernels/portable/circular_buffer.hpp>
#include <baton/kernels/portable/svdf.hpp>
#include <baton/kernels/portable/variables.hpp>

#include "laws/kernel.hpp"
#include "nodes/interpreter.hpp"
#include "reference/recurrent.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace {

using namespace baton;
using numbers = std::vector<double>;
constexpr auto list = kernels<portable::detail::lstm, portable::detail::svdf, portable::detail::circular_buffer>;
constexpr auto omitted = none<value_id>;

template <class T>
void append_as(nodes::bytes& to, double x) {
  const auto number = static_cast<T>(x);
  const auto at = to.size();
  to.resize(at + sizeof(T));
  std::memcpy(to.data() + at, &number, sizeof(T));
}
auto bytes_of(const numbers& from, dtype type) -> nodes::bytes {
  nodes::bytes result;
  for (const auto x : from) {
    if (type == dtype::float32) append_as<float>(result, x);
    if (type == dtype::int8) append_as<std::int8_t>(result, x);
    if (type == dtype::int16) append_as<std::int16_t>(result, x);
    if (type == dtype::int32) append_as<std::int32_t>(result, x);
    if (type == dtype::int64) append_as<std::int64_t>(result, x);
  }
  return result;
}

class drawn {
 public:
  explicit drawn(std::uint32_t seed) : engine_(seed) {}
  auto whole(int min, int max) -> int { return std::uniform_int_distribution<int>(min, max)(engine_); }
  auto size(int max) -> std::size_t { return static_cast<std::size_t>(whole(1, max)); }
  auto real(double min, double max) -> double { return std::uniform_real_distribution<double>(min, max)(engine_); }
  auto scale(double min, double max) -> float { return static_cast<float>(std::exp(real(std::log(min), std::log(max)))); }
  /// Returns `count` random numbers: reals from -1 to 1 if `bits` is 0, else integers of `bits` bits.
  auto many(std::size_t count, int bits) -> numbers {
    numbers result(count);
    for (auto& x : result)
      x = bits == 0 ? static_cast<double>(static_cast<float>(real(-1, 1))) : whole(-(1 << (bits - 1)), (1 << (bits - 1)) - 1);
    return result;
  }

 private:
  std::mt19937 engine_;
};

auto type_of(int bits) -> dtype { return bits == 0 ? dtype::float32 : bits == 8 ? dtype::int8 : dtype::int16; }

/// Adds constants and states to a one-node program.
struct writer {
  program_builder b{};

  auto constant(std::string_view name, dtype type, std::initializer_list<std::size_t> shape, const numbers& data, float scale = 0)
      -> value_id {
    const auto bytes = bytes_of(data, type);
    const auto id = b.constant(name, typed(type, shape), {bytes.data(), bytes.size()});
    if (scale != 0) b.quantize(id, scale, 0);
    return id;
  }
  auto state(std::string_view name, dtype type, std::initializer_list<std::size_t> shape, const numbers& data, float scale, int zero_point)
      -> value_id {
    const auto bytes = bytes_of(data, type);
    const auto id = b.mutable_buffer(name, typed(type, shape), {bytes.data(), bytes.size()});
    if (scale != 0) b.quantize(id, scale, zero_point);
    return id;
  }
  static auto typed(dtype type, std::initializer_list<std::size_t> shape) -> tensor_type {
    tensor_type result{type, 0, {}};
    for (const auto size : shape) result.sizes[result.rank++] = static_cast<std::int64_t>(size);
    return result;
  }
};

auto make(const reference::lstm& l) -> exported_program {
  const auto type = type_of(l.bits);
  const auto weights = l.bits == 0 ? dtype::float32 : dtype::int8;
  const auto biases = l.bits == 0 ? dtype::float32 : l.bits == 8 ? dtype::int32 : dtype::int64;
  writer w;
  const auto first = l.time_major ? l.steps : l.batches;
  const auto second = l.time_major ? l.batches : l.steps;
  const auto x = w.b.user_input("x", writer::typed(type, {first, second, l.inputs}));
  if (l.bits != 0) w.b.quantize(x, l.scale, l.zero_point);
  std::array<value_id, 4> input_weights{}, hidden_weights{}, bias{};
  for (std::size_t g = 0; g < 4; ++g) {
    const auto& gate = l.gates[g];
    input_weights[g] = w.constant(std::string("w") + std::to_string(g), weights, {l.units, l.inputs}, gate.weights, gate.weight_scale);
    hidden_weights[g] = w.constant(std::string("r") + std::to_string(g), weights, {l.units, l.units}, gate.recurrent, gate.recurrent_scale);
    bias[g] = w.constant(std::string("b") + std::to_string(g), biases, {l.units}, gate.bias);
  }
  const auto hidden = w.state("hidden", type, {l.batches, l.units}, l.hidden, l.hidden_scale, l.hidden_zero_point);
  const auto cell = w.state("cell", l.bits == 0 ? dtype::float32 : dtype::int16, {l.batches, l.units}, l.cell, l.cell_scale, 0);
  const auto y = w.b.call("tfl.unidirectional_sequence_lstm",
                          {x,
                           input_weights[0],
                           input_weights[1],
                           input_weights[2],
                           input_weights[3],
                           hidden_weights[0],
                           hidden_weights[1],
                           hidden_weights[2],
                           hidden_weights[3],
                           omitted,
                           omitted,
                           omitted,
                           bias[0],
                           bias[1],
                           bias[2],
                           bias[3],
                           omitted,
                           omitted,
                           hidden,
                           cell},
                          writer::typed(type, {first, second, l.units}),
                          {{"fused_activation_function", "tanh"}, {"time_major", l.time_major}, {"cell_clip", l.clip}});
  if (l.bits != 0) w.b.quantize(y, l.hidden_scale, l.hidden_zero_point);
  w.b.output(y);
  return w.b.finish();
}

auto random_lstm(drawn& from, int bits) -> reference::lstm {
  reference::lstm l{.batches = from.size(3),
                    .steps = from.size(4),
                    .inputs = from.size(from.whole(0, 1) != 0 ? 9 : 50),
                    .units = from.size(from.whole(0, 3) != 0 ? 6 : 35)};
  l.time_major = from.whole(0, 1) != 0;
  l.clip = from.whole(0, 2) == 0 ? static_cast<double>(static_cast<float>(from.real(0.05, 3))) : 0;
  l.bits = bits;
  if (bits != 0) {
    l.scale = bits == 8 ? from.scale(0.004, 0.2) : from.scale(1e-5, 1e-3);
    l.hidden_scale = bits == 8 ? from.scale(0.002, 0.02) : from.scale(1e-5, 1e-4);
    l.zero_point = bits == 8 ? from.whole(-128, 127) : 0;
    l.hidden_zero_point = bits == 8 ? from.whole(-128, 127) : 0;
    l.cell_scale = from.whole(0, 3) != 0 ? std::ldexp(1.0f, from.whole(-16, -8)) : from.scale(1e-5, 1e-2);
  }
  const auto weight_bits = bits == 0 ? 0 : 8;
  for (auto& gate : l.gates) {
    gate.weights = from.many(l.units * l.inputs, weight_bits);
    gate.recurrent = from.many(l.units * l.units, weight_bits);
    gate.bias = from.many(l.units, bits == 0 ? 0 : 14);
    gate.weight_scale = bits == 0 ? 0 : from.scale(0.001, 0.05);
    gate.recurrent_scale = bits == 0 ? 0 : from.scale(0.001, 0.05);
  }
  l.hidden = from.many(l.batches * l.units, bits);
  l.cell = from.many(l.batches * l.units, bits == 0 ? 0 : 16);
  return l;
}

auto make(const reference::svdf& s) -> exported_program;

/// Runs the layer and the reference three times. The states affect the later outputs.
template <class Layer, class List = std::remove_cv_t<decltype(list)>>
void check_runs(Layer layer, drawn& from, std::size_t inputs, int bits, List by = {}) {
  const auto program = make(layer);
  nodes::interpreter runner{program};
  for (int run = 0; run < 3; ++run) {
    const auto x = from.many(inputs, bits);
    nodes::bytes output;
    const auto why = runner.run(by, bytes_of(x, type_of(bits)), output);
    REQUIRE(why == "");
    const auto expected = layer.run(x);
    if (bits != 0) {
      REQUIRE(output == bytes_of(expected, type_of(bits)));
      continue;
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      float y = 0;
      std::memcpy(&y, output.data() + 4 * i, 4);
      REQUIRE(static_cast<double>(y) == doctest::Approx(expected[i]).epsilon(1e-4));
    }
  }
}

TEST_CASE("random LSTM layers match the reference over several inferences") {
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    CAPTURE(seed);
    drawn from(seed);
    const int bits = 8 * static_cast<int>(seed % 3);
    const auto l = random_lstm(from, bits);
    check_runs(l, from, l.batches * l.steps * l.inputs, bits);
    if (bits == 8) check_runs(l, from, l.batches * l.steps * l.inputs, bits, kernels<cortex_m::detail::lstm<>>);
  }
}

auto make(const reference::svdf& s) -> exported_program {
  const auto type = s.state_bits == 0 ? dtype::float32 : dtype::int8;
  const auto filters = s.rank * s.units;
  writer w;
  const auto x = w.b.user_input("x", writer::typed(type, {s.batches, s.inputs}));
  if (s.state_bits != 0) w.b.quantize(x, s.scale, s.zero_point);
  const auto feature = w.constant("feature", type, {filters, s.inputs}, s.feature, s.feature_scale);
  const auto time = w.constant("time", type_of(s.state_bits), {filters, s.memory}, s.time, s.time_scale);
  const auto bias = s.bias.empty() ? omitted : w.constant("bias", s.state_bits == 0 ? dtype::float32 : dtype::int32, {s.units}, s.bias);
  const auto state = w.state("state", type_of(s.state_bits), {s.batches, filters * s.memory}, s.state, s.state_scale, s.state_zero_point);
  const auto y = w.b.call("tfl.svdf", {x, feature, time, bias, state}, writer::typed(type, {s.batches, s.units}),
                          {{"rank", static_cast<int>(s.rank)}, {"fused_activation_function", s.is_relu ? "relu" : "none"}});
  if (s.state_bits != 0) w.b.quantize(y, s.output_scale, s.output_zero_point);
  w.b.output(y);
  return w.b.finish();
}

TEST_CASE("random SVDF layers match the reference over several inferences") {
  for (std::uint32_t seed = 0; seed < 1500; ++seed) {
    CAPTURE(seed);
    drawn from(seed);
    reference::svdf s{.batches = from.size(3), .inputs = from.size(9), .units = from.size(4), .rank = from.size(3), .memory = from.size(5)};
    s.state_bits = 8 * static_cast<int>(seed % 3);
    const auto bits = s.state_bits == 0 ? 0 : 8;
    s.is_relu = from.whole(0, 1) != 0;
    if (bits != 0) {
      s.scale = from.scale(0.01, 0.1);
      s.feature_scale = from.scale(0.001, 0.05);
      s.time_scale = s.state_bits == 8 ? from.scale(0.001, 0.05) : from.scale(1e-5, 1e-3);
      s.state_scale = s.state_bits == 8 ? from.scale(0.05, 0.5) : from.scale(2e-4, 2e-3);
      s.output_scale = from.scale(0.01, 0.5);
      s.zero_point = from.whole(-128, 127);
      s.state_zero_point = s.state_bits == 8 ? from.whole(-128, 127) : 0;
      s.output_zero_point = from.whole(-128, 127);
    }
    s.feature = from.many(s.units * s.rank * s.inputs, bits);
    s.time = from.many(s.units * s.rank * s.memory, s.state_bits == 16 ? 12 : bits);
    if (from.whole(0, 3) != 0) s.bias = from.many(s.units, bits == 0 ? 0 : 12);
    s.state = from.many(s.batches * s.units * s.rank * s.memory, s.state_bits == 16 ? 14 : bits);
    check_runs(s, from, s.batches * s.inputs, bits);
  }
}

// Rejected nodes

template <class Layer, class Change>
auto refusal(const Layer& layer, Change change) -> std::string {
  auto program = make(layer);
  change(program);
  const program_view view(program);
  const auto chosen = choose_kernel(list, view, view.nodes[0]);
  return chosen.support.accepted ? "accepted" : std::string(baton::view(chosen.support.reason));
}
auto operand(exported_program& program, std::size_t i) -> value_id& { return program.operands[program.nodes[0].inputs.first + i]; }
auto record(exported_program& program, std::size_t i) -> value& { return program.values[index(operand(program, i))]; }
auto literal(exported_program& program, std::string_view name) -> attribute& {
  for (auto& each : program.attributes) {
    if (each.key == hash_of(name)) return each;
  }
  return program.attributes[0];
}
auto is(std::string_view text) {
  return [text](const std::string& reason) { return reason.find(text) != std::string::npos; };
}

TEST_CASE("unsupported LSTM layers are rejected with a reason") {
  drawn from(5);
  auto l = random_lstm(from, 8);
  while (l.units == l.inputs || l.units == 1 || l.batches == 1) l = random_lstm(from, 8);
  l.cell_scale = 1.0f / 4096;
  CHECK(refusal(l, [](auto&) {}) == "accepted");
  CHECK(is("hidden state is not a variable tensor")(refusal(l, [](auto& p) { record(p, 18).kind = value_kind::constant; })));
  CHECK(is("cell state is not a variable tensor")(refusal(l, [](auto& p) { record(p, 19).kind = value_kind::user_input; })));
  auto wide = random_lstm(from, 16);  // both states have the same type
  CHECK(is("hidden state and cell state are the same tensor")(refusal(wide, [](auto& p) { operand(p, 18) = operand(p, 19); })));
  CHECK(is("weights is missing")(refusal(l, [](auto& p) { operand(p, 1) = omitted; })));
  CHECK(is("operand 9 (peephole weights)")(refusal(l, [](auto& p) { operand(p, 9) = operand(p, 12); })));
  CHECK(is("operand 16 (a projection)")(refusal(l, [](auto& p) { operand(p, 16) = operand(p, 1); })));
  CHECK(is("weights is int16")(refusal(l, [](auto& p) { record(p, 2).type = dtype::int16; })));
  CHECK(is("cell state is int8")(refusal(l, [](auto& p) { record(p, 19).type = dtype::int8; })));
  CHECK(is("bias is float32")(refusal(l, [](auto& p) { record(p, 14).type = dtype::float32; })));
  CHECK(is("weights are ")(refusal(l, [](auto& p) { operand(p, 3) = operand(p, 5); })));
  CHECK(is("recurrent weights are ")(refusal(l, [](auto& p) { operand(p, 6) = operand(p, 1); })));
  CHECK(is("the cell gate's function is relu")(
      refusal(l, [](auto& p) { literal(p, "fused_activation_function").bytes = program_builder::view("relu"); })));
  CHECK(is("is not finite")(refusal(l, [](auto& p) { literal(p, "cell_clip").real = HUGE_VAL; })));
  CHECK(is("is not finite")(refusal(l, [](auto& p) { literal(p, "cell_clip").real = static_cast<double>(NAN); })));
  CHECK(is("input has no quantization")(refusal(l, [](auto& p) { record(p, 0).quant = {}; })));
  CHECK(is("hidden state and cell state have ")(refusal(l, [](auto& p) { record(p, 19).shape.size = 1; })));
  for (const auto scale : {0.0f, INFINITY, NAN, -1.0f}) {
    auto bad = l;
    bad.scale = scale;
    CHECK(is("input has a scale")(refusal(bad, [](auto&) {})));
  }
  auto far = l;
  far.scale = 1e30f;
  CHECK(is("scale ratio is out of range")(refusal(far, [](auto&) {})));
  far = l;
  far.cell_scale = 1e9f;
  CHECK(is("tanh does not support")(refusal(far, [](auto&) {})));
}

TEST_CASE("the Cortex-M kernel for LSTMs supports int8 only") {
  drawn from(6);
  for (const int bits : {0, 8, 16}) {
    const auto program = make(random_lstm(from, bits));
    const program_view view(program);
    const auto support = baton::ask_kernel<cortex_m::detail::lstm<>>(view, view.nodes[0]).support;
    CHECK(support.accepted == (bits == 8));
    if (bits != 8) CHECK(baton::view(support.reason) == "the Cortex-M kernel of an LSTM supports only int8");
  }
}

TEST_CASE("invalid SVDF layers are rejected with a reason") {
  reference::svdf s{.batches = 2, .inputs = 3, .units = 2, .rank = 2, .memory = 3, .state_bits = 8};
  s.scale = s.feature_scale = s.time_scale = s.state_scale = s.output_scale = 0.1f;
  s.feature = numbers(12, 1);
  s.time = numbers(12, 1);
  s.bias = numbers(2, 1);
  s.state = numbers(24, 0);
  CHECK(refusal(s, [](auto&) {}) == "accepted");
  CHECK(is("state is not a variable tensor")(refusal(s, [](auto& p) { record(p, 4).kind = value_kind::constant; })));
  CHECK(is("rank is 0, not 1 to 1073741824")(refusal(s, [](auto& p) { literal(p, "rank").integer = 0; })));
  CHECK(is("4 filters are not a multiple of rank 3")(refusal(s, [](auto& p) {
    literal(p, "rank").integer = 3;
    p.integers[p.values[index(p.operands[p.nodes[0].outputs.first])].shape.first + 1] = 1;
  })));
  CHECK(is("state is int16")(refusal(s, [](auto& p) { record(p, 4).type = dtype::int16; })));
  CHECK(is("time weights is float32")(refusal(s, [](auto& p) { record(p, 2).type = dtype::float32; })));
  CHECK(is("time weights are for 3 filters, not 4")(refusal(s, [](auto& p) { p.integers[record(p, 2).shape.first] = 3; })));
  CHECK(is("state has 22 elements, not 24")(refusal(s, [](auto& p) { p.integers[record(p, 4).shape.first + 1] = 11; })));
  CHECK(is("bias has 4 elements for 2 units")(refusal(s, [](auto& p) { p.integers[record(p, 3).shape.first] = 4; })));
  CHECK(is("a fused activation other than relu is not supported")(
      refusal(s, [](auto& p) { literal(p, "fused_activation_function").bytes = program_builder::view("relu6"); })));
  s.time_scale = 1e20f;
  s.state_scale = 1e20f;
  CHECK(is("scale ratio is out of range")(refusal(s, [](auto&) {})));
}

// At compile time

constexpr char few[] = "\x10\x20\x30\x40\x50\x60\x70\x08\x18\x28\x38\x48";
constexpr static_program small_lstm{[] {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::int8, 1, 2, 2));
  const auto w = b.constant("w", tensor(dtype::int8, 2, 2), {few, 4});
  const auto bias = b.constant("b", tensor(dtype::int32, 2), {few, 8});
  const auto hidden = b.mutable_buffer("hidden", tensor(dtype::int8, 1, 2), {few, 2});
  const auto cell = b.mutable_buffer("cell", tensor(dtype::int16, 1, 2), {few, 4});
  constexpr auto n = none<value_id>;
  const auto y =
      b.call("tfl.unidirectional_sequence_lstm", {x, w, w, w, w, w, w, w, w, n, n, n, bias, bias, bias, bias, n, n, hidden, cell},
             tensor(dtype::int8, 1, 2, 2), {{"fused_activation_function", "tanh"}});
  b.quantize(x, 0.02f, 1);
  b.quantize(w, 0.01f, 0);
  b.quantize(hidden, 0.008f, -3);
  b.quantize(y, 0.008f, -3);
  b.quantize(cell, 1.0f / 4096, 0);
  b.output(y);
  return b.finish();
}};
constexpr static_program small_svdf{[] {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::int8, 1, 2));
  const auto w = b.constant("w", tensor(dtype::int8, 2, 2), {few, 4});
  const auto state = b.mutable_buffer("state", tensor(dtype::int8, 1, 4), {few, 4});
  const auto y =
      b.call("tfl.svdf", {x, w, w, none<value_id>, state}, tensor(dtype::int8, 1, 1), {{"rank", 2}, {"fused_activation_function", "relu"}});
  b.quantize(x, 0.02f, 1);
  b.quantize(w, 0.01f, 0);
  b.quantize(state, 0.1f, -3);
  b.quantize(y, 0.05f, 4);
  b.output(y);
  return b.finish();
}};

/// FlexBuffer maps with `cycles_max` 1 and 3.
constexpr char every[] = "cycles_max\0\1\xc\1\1\1\1\4\2\x24\1";
constexpr char third[] = "cycles_max\0\1\xc\1\1\1\3\4\2\x24\1";
/// Returns a circular buffer with three slots of two pixels with two channels.
constexpr auto circular(span<const char> options, std::int64_t rows = 1, std::int64_t kept = 12) -> exported_program {
  program_builder b;
  const auto x = b.user_input("x", tensor(dtype::int8, 1, rows, 2, 2));
  const auto state = b.mutable_buffer("state", tensor(dtype::uint8, kept));
  const auto y = b.call("tfl.custom.CIRCULAR_BUFFER", {x, state}, tensor(dtype::int8, 1, 3, 2, 2));
  b.add_attribute({.name = program_builder::view("custom_options"),
                   .key = hash_of("custom_options"),
                   .kind = attribute_kind::bytes,
                   .bytes = b.own({options.data(), options.size()})});
  b.quantize(x, 0.1f, -7);
  b.quantize(y, 0.1f, -7);
  b.output(y);
  return b.finish();
}
constexpr static_program small_circle{[] { return circular({every, sizeof every - 1}); }};

TEST_CASE("a circular buffer that ends inferences early is rejected with a reason") {
  const auto answer = [](const exported_program& program) {
    const auto support = baton::ask_kernel<portable::detail::circular_buffer>(program_view(program), program.nodes[0]).support;
    return support.accepted ? std::string("accepted") : std::string(view(support.reason));
  };
  CHECK(answer(circular({every, sizeof every - 1})) == "accepted");
  CHECK(answer(circular({third, sizeof third - 1})) == "the nodes after this one run in only one of 3 inferences, which is not supported");
  CHECK(answer(circular({})) == "the nodes after this one run in only one of 2 inferences, which is not supported");
  CHECK(answer(circular({every, sizeof every - 1}, 2)) == "input has 1 image of 2 rows; only one image of one row is supported");
  CHECK(answer(circular({every, sizeof every - 1}, 1, 11)) == "state has 11 bytes, not 12");
}

TEST_CASE("operators on variables that are not mutable buffers are rejected with a reason") {
  program_builder b;
  b.output(b.call("tfl.read_variable", {b.call("tfl.var_handle", {}, tensor(dtype::resource))}, tensor(dtype::int8, 2)));
  const auto program = b.finish();
  for (const auto& record : program.nodes) {
    const auto support = baton::ask_kernel<portable::detail::handled_variables>(program_view(program), record).support;
    CHECK_FALSE(support.accepted);
    CHECK(view(support.reason).find("is not a mutable buffer") != std::string_view::npos);
  }
  const auto other = small_lstm.value();
  CHECK(baton::ask_kernel<portable::detail::handled_variables>(other, other.nodes[0]).support.reason.empty());
}

TEST_CASE("a variable that is read before call_once sets its initial value is rejected with its name") {
  program_builder b;
  const auto state = b.call("tfl.var_handle", {}, tensor(dtype::resource), {{"shared_name", "stream"}});
  b.output(b.call("tfl.read_variable", {state}, tensor(dtype::int8, 2)));
  b.call_many("once", "tfl.call_once", {}, {});
  const auto program = b.finish();
  for (const auto& record : program.nodes) {
    CHECK(view(baton::ask_kernel<portable::detail::handled_variables>(program_view(program), record).support.reason) ==
          "the variable stream is read before call_once sets its initial value; in the file, move call_once before all reads");
  }
}

template <class Kernel, auto& Program>
void check_laws(const laws::kernel::bytes& input) {
  using program = std::remove_cvref_t<decltype(Program)>;
  CHECK(laws::kernel::all<Kernel, program>(input));
  // Outputs and states must match the interpreter, which plans at run time.
  const program_view view = Program.value();
  nodes::interpreter runner{view};
  nodes::bytes expected;
  REQUIRE(runner.run(list, nodes::bytes(input.begin(), input.end()), expected) == "");
  for (const auto id : view.inputs(view.nodes[0])) {
    if (id == none<value_id> || view[id].kind != value_kind::mutable_buffer) continue;
    const auto& state = runner.at(id);
    expected.insert(expected.end(), state.begin(), state.end());
  }
  const auto actual = laws::kernel::trial<Kernel, program>{}.run(input);
  CHECK(nodes::bytes(actual.begin(), actual.end()) == expected);
}

TEST_CASE("stateful layers obey the laws of kernels") {
  check_laws<portable::detail::lstm, small_lstm>({1, 2, 3, 4});
  check_laws<cortex_m::detail::lstm<>, small_lstm>({1, 2, 3, 4});
  check_laws<portable::detail::svdf, small_svdf>({5, 6});
  check_laws<portable::detail::circular_buffer, small_circle>({1, -128, 127, 4});
}

}  // namespace
