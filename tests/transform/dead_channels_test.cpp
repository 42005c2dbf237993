// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/transform/dead_channels.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>
#include <baton/executor.hpp>
#include <baton/graph/identical.hpp>
#include <baton/import/tflite.hpp>
#include <baton/operators/find_definition.hpp>
#include <baton/operators/infer.hpp>
#include <baton/operators/verify.hpp>
#include <baton/transform/detail/live_channels.hpp>
#include <baton/transform/transform.hpp>

#include "laws/pass.hpp"
#include "needs_shared.hpp"
#include "transform/int8_interpreter.hpp"
#include "transform/random_int8_net.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace {

using namespace baton;
using int8_interpreter::interpreter;

/// Two convolutions with a layer between them. Its channels, in order: live; without weights, with a bias; always clamped to the zero
/// point; always clamped to 6; live, but the last filter has only weights 0 for it.
struct options {
  const char* between = "tfl.max_pool_2d";
  std::int64_t size = 1;          ///< height and width of the image
  std::int64_t last_filter = 1;   ///< height and width of the last filter
  const char* padding = "valid";  ///< of the last filter
  std::int32_t dead_bias = 40;    ///< of the channel without weights, whose value is the zero point, -128, plus a quarter of this
};

class small_net {
 public:
  program_builder b;
  value_id first_filter{}, hidden{}, middle{}, last_filter{}, result{};

  constexpr explicit small_net(const options& setting = {}) {
    constexpr auto int8 = dtype::int8;
    const auto x = b.user_input("x", tensor(int8, 1, setting.size, setting.size, 2));
    b.quantize(x, 0.5f, 3);
    const std::int8_t weights[] = {7, -3, 0, 0, 5, 9, -2, 4, 11, 1};
    first_filter = b.parameter("first", tensor(int8, 5, 1, 1, 2), bytes_of(weights));
    b.quantize(first_filter, 0.25f, 0);
    const std::int32_t biases[] = {900, setting.dead_bias, -100000, 100000, 800};
    const auto first_bias = b.parameter("first_bias", tensor(dtype::int32, 5), packed(biases));
    b.quantize(first_bias, 0.125f, 0);
    hidden = window("hidden", "tfl.conv_2d", {x, first_filter, first_bias}, tensor(int8, 1, setting.size, setting.size, 5), "valid");
    b.quantize(hidden, 0.5f, -128);
    middle = window("middle", setting.between, {hidden}, tensor(int8, 1, setting.size, setting.size, 5), "valid");
    b.quantize(middle, 0.5f, -128);
    vector<std::int8_t> last;
    for (std::int64_t i = 0; i < 2 * setting.last_filter * setting.last_filter * 5; ++i) {
      last.push_back(i % 5 == 4 ? std::int8_t{0} : static_cast<std::int8_t>(i * 29 % 41 - 20));
    }
    last_filter = b.parameter("last", tensor(int8, 2, setting.last_filter, setting.last_filter, 5), bytes_of(last));
    b.quantize(last_filter, std::array{0.125f, 0.25f}, std::array<std::int64_t, 2>{0, 0}, 0);
    const std::int32_t last_biases[] = {-700, 1500};
    const auto last_bias = b.parameter("last_bias", tensor(dtype::int32, 2), packed(last_biases));
    const bool is_same = std::string_view(setting.padding) == "same";
    const auto size = is_same ? setting.size : setting.size - setting.last_filter + 1;
    result = window("result", "tfl.conv_2d", {middle, last_filter, last_bias}, tensor(int8, 1, size, size, 2), setting.padding);
    b.quantize(result, 1.0f, 5);
    b.output(result);
  }

 private:
  constexpr auto window(std::string_view name, std::string_view op, std::initializer_list<value_id> inputs, const tensor_type& type,
                        const char* padding) -> value_id {
    return b.call(name, op, inputs, type,
                  {{"padding", padding},
                   {"stride_w", 1},
                   {"stride_h", 1},
                   {"filter_width", 1},
                   {"filter_height", 1},
                   {"fused_activation_function", name == "hidden" ? "relu6" : "none"}});
  }
  static constexpr auto bytes_of(baton::span<const std::int8_t> numbers) -> text_buffer {
    text_buffer bytes;
    for (const auto number : numbers) bytes.push_back(static_cast<char>(number));
    return bytes;
  }
  static constexpr auto packed(baton::span<const std::int32_t> numbers) -> text_buffer {
    text_buffer bytes;
    for (const auto number : numbers) {
      for (std::uint32_t at = 0; at < 32; at += 8) bytes.push_back(static_cast<char>(static_cast<std::uint32_t>(number) >> at & 0xff));
    }
    return bytes;
  }
};

constexpr auto channels_of(const program_view& program, value_id id) -> std::int64_t { return program.shape(id).back(); }
/// Returns how many of the five channels in the middle are kept, or -1 if a law is broken.
constexpr auto kept_channels(const small_net& original) -> std::int64_t {
  auto net = original;
  const auto program = net.b.finish();
  const auto result = dead_channels::run(program);
  if (!laws::pass::static_laws<dead_channels>(program) || check_inference(result) || result.nodes.size() != program.nodes.size()) return -1;
  return channels_of(result, net.hidden) == channels_of(result, net.middle) ? channels_of(result, net.middle) : -1;
}
constexpr auto kept_channels(const options& setting) -> std::int64_t { return kept_channels(small_net(setting)); }

constexpr auto only_live_channels_are_kept() -> bool {
  return kept_channels(options{}) == 1 && kept_channels({.size = 4, .last_filter = 3}) == 1 &&
         kept_channels({.between = "tfl.average_pool_2d"}) == 1;
}
static_assert(only_live_channels_are_kept());

/// If the last filter pads, a constant channel is removed only if its constant is the zero point. The constant 6 is kept, and so is
/// the constant of the bias, unless the bias is 0.
constexpr auto padding_keeps_constants_other_than_the_zero_point() -> bool {
  return kept_channels({.size = 4, .last_filter = 3, .padding = "same"}) == 3 &&
         kept_channels({.size = 4, .last_filter = 3, .padding = "same", .dead_bias = 0}) == 2;
}
static_assert(padding_keeps_constants_other_than_the_zero_point());

/// All five channels are kept if anything other than supported layers depends on them.
constexpr auto all_are_kept_if_others_depend_on_them() -> bool {
  const auto kept_after = [](auto change) {
    small_net net;
    change(net);
    return kept_channels(net);
  };
  return kept_channels({.between = "tfl.my_own"}) == 5 && kept_after([](small_net& net) { net.b.output(net.middle); }) == 5 &&
         kept_after([](small_net& net) { net.b.output(net.b.call("tfl.relu", {net.hidden}, tensor(dtype::int8, 1, 1, 1, 5))); }) == 5 &&
         kept_after([](small_net& net) { net.b.at(net.first_filter).kind = value_kind::mutable_buffer; }) == 5 &&
         kept_after([](small_net& net) { net.b.quantize(net.first_filter, 0.25f, 1); }) == 5 &&
         kept_after([](small_net& net) { net.b.quantize(net.middle, 0.5f, -127); }) == 5;
}
static_assert(all_are_kept_if_others_depend_on_them());

/// Weights that two layers use are kept.
constexpr auto shared_weights_are_kept() -> bool {
  small_net net;
  net.b.output(net.b.call("again", "tfl.conv_2d", {net.hidden, net.last_filter, none<value_id>}, tensor(dtype::int8, 1, 1, 1, 2),
                          {{"padding", "valid"}}));
  return kept_channels(net) == 5;
}
static_assert(shared_weights_are_kept());

/// Dead channels account for four fifths of the multiply-adds.
constexpr auto channels_are_removed_only_if_that_saves_enough() -> bool {
  const auto program = small_net().b.finish();
  return is_identical(dead_channels::saving_at_least<80>::run(program), dead_channels::run(program)) &&
         is_identical(dead_channels::saving_at_least<81>::run(program), program) &&
         laws::pass::static_laws<dead_channels::saving_at_least<80>>(program) &&
         laws::pass::static_laws<dead_channels::saving_at_least<81>>(program);
}
static_assert(channels_are_removed_only_if_that_saves_enough());

constexpr static_program model{[] { return small_net().b.finish(); }};
constexpr auto smaller = transform(model, passes<dead_channels>);
static_assert(program_view(smaller).shape(small_net().middle).back() == 1);
static_assert(multiply_adds(model, model->nodes[0]) + multiply_adds(model, model->nodes[2]) == 20);
static_assert(multiply_adds(smaller, smaller->nodes[0]) + multiply_adds(smaller, smaller->nodes[2]) == 4);
executor<model> net;
executor<smaller> smaller_net;

/// Whether two programs with one input of `size` elements agree in 12 runs.
auto agree(const exported_program& one, const exported_program& other, std::size_t size, std::uint32_t seed) -> bool {
  interpreter before(one), after(other);
  vector<std::int8_t> input(size);
  for (int run = 0; run < 12; ++run) {
    for (auto& element : input) {
      seed = seed * 1664525u + 1013904223u;
      element = static_cast<std::int8_t>(run == 0       ? -128
                                         : run == 1     ? 127
                                         : run % 3 == 0 ? (seed >> 31 != 0 ? 127 : -128)
                                                        : static_cast<int>(seed >> 24) - 128);
    }
    before.run(input);
    after.run(input);
    if (!(before.output() == after.output())) return false;
  }
  return true;
}
auto input_size(const program_view& program) -> std::size_t {
  for (const auto id : program.inputs(program.root())) {
    if (program[id].kind == value_kind::user_input) return static_cast<std::size_t>(element_count(program.shape(id)));
  }
  return 0;
}
auto work_of(const program_view& program) -> std::uint64_t {
  std::uint64_t sum = 0;
  for (const auto& record : program.nodes) sum += multiply_adds(program, record);
  return sum;
}
auto weights_of(const program_view& program) -> std::uint64_t {
  std::uint64_t sum = 0;
  for (const auto& record : program.nodes) {
    if (multiply_adds(program, record) != 0 && record.inputs.size > 1) sum += program[program.inputs(record)[1]].data.size;
  }
  return sum;
}

auto file(const std::string& name) -> vector<char> {
  std::ifstream stream(std::string(BATON_SHARED_DIR) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("only channels that cannot affect an output are removed") {
  CHECK(only_live_channels_are_kept());
  CHECK(padding_keeps_constants_other_than_the_zero_point());
  CHECK(all_are_kept_if_others_depend_on_them());
  CHECK(shared_weights_are_kept());
  CHECK(channels_are_removed_only_if_that_saves_enough());
}

TEST_CASE("a small net without its dead channels has the same output for every input") {
  const auto program = small_net().b.finish();
  interpreter reference(program);
  for (int a = -128; a < 128; ++a) {
    for (int b = -128; b < 128; ++b) {
      const std::array input{static_cast<std::int8_t>(a), static_cast<std::int8_t>(b)};
      std::array<std::int8_t, 2> expected{}, actual{};
      net.run(input, expected);
      smaller_net.run(input, actual);
      reference.run(input);
      REQUIRE(actual == expected);
      REQUIRE(std::equal(actual.begin(), actual.end(), reference.output().begin()));
    }
  }
}

TEST_CASE("the intervals of a first layer are exactly those of its outputs") {
  const small_net original;
  auto copy = original;
  const auto program = copy.b.finish();
  rewriter change(program);
  const detail::live_channels live(change);
  std::array<int, 5> lows{127, 127, 127, 127, 127}, highs{-128, -128, -128, -128, -128};
  interpreter reference(program);
  for (int a = -128; a < 128; ++a) {
    for (int b = -128; b < 128; ++b) {
      reference.run(std::array{static_cast<std::int8_t>(a), static_cast<std::int8_t>(b)});
      for (std::size_t c = 0; c < 5; ++c) {
        lows[c] = std::min<int>(lows[c], reference[original.hidden][c]);
        highs[c] = std::max<int>(highs[c], reference[original.hidden][c]);
      }
    }
  }
  for (std::size_t c = 0; c < 5; ++c) {
    CHECK(live.channels(original.hidden)[c].possible_values.low == lows[c]);
    CHECK(live.channels(original.hidden)[c].possible_values.high == highs[c]);
  }
}

TEST_CASE("random nets have equal outputs, keep the laws, and have values inside their intervals") {
  std::uint64_t before = 0, after = 0;
  int changed = 0;
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    const auto program = int8_nets::random_net(seed).build();
    REQUIRE_FALSE(verify(program));
    REQUIRE_FALSE(check_inference(program));
    const auto result = dead_channels::run(program);
    CHECK_MESSAGE(laws::pass::static_laws<dead_channels>(program), seed);
    CHECK_MESSAGE(!check_inference(result), seed);
    CHECK_MESSAGE(agree(program, result, input_size(program), seed), seed);
    before += work_of(program);
    after += work_of(result);
    changed += work_of(result) < work_of(program) ? 1 : 0;

    rewriter change(program);
    const detail::live_channels live(change);
    CHECK_MESSAGE(detail::saved_multiply_adds(program, live) == work_of(program) - work_of(result), seed);
    interpreter run(program);
    vector<std::int8_t> input(input_size(program));
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = (seed + i) % 2 == 0 ? 127 : -128;
    run.run(input);
    for (std::uint32_t v = 0; v < program.values.size(); ++v) {
      const auto id = static_cast<value_id>(v);
      for (std::size_t i = 0; i < run[id].size() && live.channel_count(id) != 0; ++i) {
        const auto& possible_values = live.channels(id)[i % live.channel_count(id)].possible_values;
        const bool is_inside = run[id][i] >= possible_values.low && run[id][i] <= possible_values.high;
        CHECK_MESSAGE(is_inside, seed, ", value ", v);
      }
    }
  }
  CHECK(changed > 200);
  CHECK(after < before * 3 / 4);
}

TEST_CASE("the shared models keep the expected work, weights and reference outputs" * tests::needs_shared("models")) {
  struct figures {
    std::string_view model;
    std::uint64_t multiply_adds, weights, multiply_adds_left, weights_left;
  };
  constexpr figures all[] = {{"ad01_int8", 264192, 264192, 264192, 264192},
                             {"hello_world_int8", 288, 288, 220, 220},
                             {"kws_ref_model", 2656768, 22016, 2656768, 22016},
                             {"person_detect", 7157888, 207968, 7077246, 207676},
                             {"pretrainedResnet_quant", 12501632, 77360, 12501632, 77360},
                             {"vww_96_int8", 7489664, 208112, 3727313, 29066}};
  for (const auto& each : all) {
    const std::string name(each.model);
    const auto bytes = file("models/" + name + ".tflite");
    REQUIRE(!bytes.empty());
    const auto program = tflite::read_bytes(bytes);
    const auto result = transform(program, passes<dead_channels>);
    CHECK(!check_inference(result));
    CHECK_MESSAGE(laws::pass::static_laws<dead_channels>(program), name);
    CHECK_MESSAGE(work_of(program) == each.multiply_adds, name);
    CHECK_MESSAGE(weights_of(program) == each.weights, name);
    CHECK_MESSAGE(work_of(result) == each.multiply_adds_left, name);
    CHECK_MESSAGE(weights_of(result) == each.weights_left, name);
    const auto input = file("golden/" + name + "/input_0.bin");
    if (input.empty()) continue;
    vector<std::int8_t> numbers;
    for (const auto byte : input) numbers.push_back(static_cast<std::int8_t>(byte));
    interpreter run(result);
    run.run(numbers);
    std::size_t compared = 0;
    for (std::uint32_t n = 0; n < result.nodes.size(); ++n) {
      const auto out = program_view(result).outputs_of(result.nodes[n])[0];
      const auto expected = file("golden/" + name + "/layer_" + (n < 10 ? "0" : "") + std::to_string(n) + ".bin");
      if (result.nodes[n].is("tfl.softmax") || expected.size() != run[out].size()) continue;  // a value with fewer channels
      CHECK_MESSAGE(std::memcmp(expected.data(), run[out].data(), expected.size()) == 0, name, ", operator ", n);
      compared += 1;
    }
    CHECK(compared >= 2);
  }
}
