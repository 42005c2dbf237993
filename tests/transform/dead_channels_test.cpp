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

/// Two layers of 1x1 with a layer between them, whose channels are, in order: alive; of no weights, with a bias; always cut to its zero
/// point; always cut to 6; alive, but nobody has a weight on it.
struct options {
  const char* between = "tfl.max_pool_2d";
  std::int64_t size = 1;          ///< height and width of the image
  std::int64_t last_filter = 1;   ///< height and width of the last filter
  const char* padding = "valid";  ///< of the last filter
  std::int32_t dead_bias = 40;    ///< of the channel without weights, whose number is a quarter of that more than the zero point, -128
};

class small_net {
 public:
  program_builder b;
  value_id first_filter{}, hidden{}, middle{}, last_filter{}, result{};

  constexpr explicit small_net(const options& of = {}) {
    constexpr auto int8 = dtype::int8;
    const auto x = b.user_input("x", tensor(int8, 1, of.size, of.size, 2));
    b.quantize(x, 0.5f, 3);
    const std::int8_t weights[] = {7, -3, 0, 0, 5, 9, -2, 4, 11, 1};
    first_filter = b.parameter("first", tensor(int8, 5, 1, 1, 2), bytes_of(weights));
    b.quantize(first_filter, 0.25f, 0);
    const std::int32_t biases[] = {900, of.dead_bias, -100000, 100000, 800};
    const auto first_bias = b.parameter("first_bias", tensor(dtype::int32, 5), packed(biases));
    b.quantize(first_bias, 0.125f, 0);
    hidden = window("hidden", "tfl.conv_2d", {x, first_filter, first_bias}, tensor(int8, 1, of.size, of.size, 5), "valid");
    b.quantize(hidden, 0.5f, -128);
    middle = window("middle", of.between, {hidden}, tensor(int8, 1, of.size, of.size, 5), "valid");
    b.quantize(middle, 0.5f, -128);
    vector<std::int8_t> last;
    for (std::int64_t i = 0; i < 2 * of.last_filter * of.last_filter * 5; ++i) {
      last.push_back(i % 5 == 4 ? std::int8_t{0} : static_cast<std::int8_t>(i * 29 % 41 - 20));
    }
    last_filter = b.parameter("last", tensor(int8, 2, of.last_filter, of.last_filter, 5), bytes_of(last));
    b.quantize(last_filter, std::array{0.125f, 0.25f}, std::array<std::int64_t, 2>{0, 0}, 0);
    const std::int32_t last_biases[] = {-700, 1500};
    const auto last_bias = b.parameter("last_bias", tensor(dtype::int32, 2), packed(last_biases));
    const bool is_same = std::string_view(of.padding) == "same";
    const auto size = is_same ? of.size : of.size - of.last_filter + 1;
    result = window("result", "tfl.conv_2d", {middle, last_filter, last_bias}, tensor(int8, 1, size, size, 2), of.padding);
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
    text_buffer made;
    for (const auto number : numbers) made.push_back(static_cast<char>(number));
    return made;
  }
  static constexpr auto packed(baton::span<const std::int32_t> numbers) -> text_buffer {
    text_buffer made;
    for (const auto number : numbers) {
      for (std::uint32_t at = 0; at < 32; at += 8) made.push_back(static_cast<char>(static_cast<std::uint32_t>(number) >> at & 0xff));
    }
    return made;
  }
};

constexpr auto channels_of(const program_view& program, value_id id) -> std::int64_t { return program.shape(id).back(); }
/// How many of the five channels in the middle stay, -1 if a law is broken.
constexpr auto left_of(const small_net& net_of) -> std::int64_t {
  auto net = net_of;
  const auto program = net.b.finish();
  const auto made = dead_channels::run(program);
  if (!laws::pass::of_form<dead_channels>(program) || check_inference(made) || made.nodes.size() != program.nodes.size()) return -1;
  return channels_of(made, net.hidden) == channels_of(made, net.middle) ? channels_of(made, net.middle) : -1;
}
constexpr auto left_of(const options& of) -> std::int64_t { return left_of(small_net(of)); }

constexpr auto only_what_lives_is_left() -> bool {
  return left_of(options{}) == 1 && left_of({.size = 4, .last_filter = 3}) == 1 && left_of({.between = "tfl.average_pool_2d"}) == 1;
}
static_assert(only_what_lives_is_left());

/// A number that is not the zero point stays in front of padding; the zero point goes. 6 is one; of the bias 0 is none.
constexpr auto padding_keeps_numbers_that_are_not_zero() -> bool {
  return left_of({.size = 4, .last_filter = 3, .padding = "same"}) == 3 &&
         left_of({.size = 4, .last_filter = 3, .padding = "same", .dead_bias = 0}) == 2;
}
static_assert(padding_keeps_numbers_that_are_not_zero());

/// All five stay where more depends on them than layers.
constexpr auto all_stay_where_others_see_them() -> bool {
  const auto left_after = [](auto change) {
    small_net net;
    change(net);
    return left_of(net);
  };
  return left_of({.between = "tfl.my_own"}) == 5 && left_after([](small_net& net) { net.b.output(net.middle); }) == 5 &&
         left_after([](small_net& net) { net.b.output(net.b.call("tfl.relu", {net.hidden}, tensor(dtype::int8, 1, 1, 1, 5))); }) == 5 &&
         left_after([](small_net& net) { net.b.at(net.first_filter).kind = value_kind::mutable_buffer; }) == 5 &&
         left_after([](small_net& net) { net.b.quantize(net.first_filter, 0.25f, 1); }) == 5 &&
         left_after([](small_net& net) { net.b.quantize(net.middle, 0.5f, -127); }) == 5;
}
static_assert(all_stay_where_others_see_them());

/// Weights that two layers use stay as they are.
constexpr auto shared_weights_stay() -> bool {
  small_net net;
  net.b.output(net.b.call("again", "tfl.conv_2d", {net.hidden, net.last_filter, none<value_id>}, tensor(dtype::int8, 1, 1, 1, 2),
                          {{"padding", "valid"}}));
  return left_of(net) == 5;
}
static_assert(shared_weights_stay());

/// Four fifths of the multiply-adds are dead.
constexpr auto goes_if_it_saves_enough() -> bool {
  const auto program = small_net().b.finish();
  return is_identical(dead_channels::saving_at_least<80>::run(program), dead_channels::run(program)) &&
         is_identical(dead_channels::saving_at_least<81>::run(program), program) &&
         laws::pass::of_form<dead_channels::saving_at_least<80>>(program) &&
         laws::pass::of_form<dead_channels::saving_at_least<81>>(program);
}
static_assert(goes_if_it_saves_enough());

constexpr static_program model{[] { return small_net().b.finish(); }};
constexpr auto smaller = transform(model, passes<dead_channels>);
static_assert(program_view(smaller).shape(small_net().middle).back() == 1);
static_assert(multiply_adds(model, model->nodes[0]) + multiply_adds(model, model->nodes[2]) == 20);
static_assert(multiply_adds(smaller, smaller->nodes[0]) + multiply_adds(smaller, smaller->nodes[2]) == 4);
executor<model> net;
executor<smaller> smaller_net;

/// A small program and what a pass makes of it agree on all inputs.
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

TEST_CASE("channels that never tell anything go, and no others") {
  CHECK(only_what_lives_is_left());
  CHECK(padding_keeps_numbers_that_are_not_zero());
  CHECK(all_stay_where_others_see_them());
  CHECK(shared_weights_stay());
  CHECK(goes_if_it_saves_enough());
}

TEST_CASE("a small net without its dead channels gives the same for every input there is") {
  const auto program = small_net().b.finish();
  interpreter meant(program);
  for (int a = -128; a < 128; ++a) {
    for (int b = -128; b < 128; ++b) {
      const std::array input{static_cast<std::int8_t>(a), static_cast<std::int8_t>(b)};
      std::array<std::int8_t, 2> expected{}, found{};
      net.run(input, expected);
      smaller_net.run(input, found);
      meant.run(input);
      REQUIRE(found == expected);
      REQUIRE(std::equal(found.begin(), found.end(), meant.output().begin()));
    }
  }
}

TEST_CASE("intervals of a first layer are what its outputs take, no more and no less") {
  const small_net of;
  auto copy = of;
  const auto program = copy.b.finish();
  rewriter change(program);
  const detail::live_channels live(change);
  std::array<int, 5> least{127, 127, 127, 127, 127}, most{-128, -128, -128, -128, -128};
  interpreter meant(program);
  for (int a = -128; a < 128; ++a) {
    for (int b = -128; b < 128; ++b) {
      meant.run(std::array{static_cast<std::int8_t>(a), static_cast<std::int8_t>(b)});
      for (std::size_t c = 0; c < 5; ++c) {
        least[c] = std::min<int>(least[c], meant[of.hidden][c]);
        most[c] = std::max<int>(most[c], meant[of.hidden][c]);
      }
    }
  }
  for (std::size_t c = 0; c < 5; ++c) {
    CHECK(live.channels(of.hidden)[c].can_be.low == least[c]);
    CHECK(live.channels(of.hidden)[c].can_be.high == most[c]);
  }
}

TEST_CASE("random nets: equal outputs, the laws, and values inside their intervals") {
  std::uint64_t before = 0, after = 0;
  int changed = 0;
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    const auto program = int8_nets::random_net(seed).build();
    REQUIRE_FALSE(verify(program));
    REQUIRE_FALSE(check_inference(program));
    const auto made = dead_channels::run(program);
    CHECK_MESSAGE(laws::pass::of_form<dead_channels>(program), seed);
    CHECK_MESSAGE(!check_inference(made), seed);
    CHECK_MESSAGE(agree(program, made, input_size(program), seed), seed);
    before += work_of(program);
    after += work_of(made);
    changed += work_of(made) < work_of(program) ? 1 : 0;

    rewriter change(program);
    const detail::live_channels live(change);
    CHECK_MESSAGE(detail::saved_multiply_adds(program, live) == work_of(program) - work_of(made), seed);
    interpreter run(program);
    vector<std::int8_t> input(input_size(program));
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = (seed + i) % 2 == 0 ? 127 : -128;
    run.run(input);
    for (std::uint32_t v = 0; v < program.values.size(); ++v) {
      const auto id = static_cast<value_id>(v);
      for (std::size_t i = 0; i < run[id].size() && live.period(id) != 0; ++i) {
        const auto& can_be = live.channels(id)[i % live.period(id)].can_be;
        const bool is_inside = run[id][i] >= can_be.low && run[id][i] <= can_be.high;
        CHECK_MESSAGE(is_inside, seed, ", value ", v);
      }
    }
  }
  CHECK(changed > 200);
  CHECK(after < before * 3 / 4);
}

TEST_CASE("the shared models: what is left, and the outputs of the reference" * tests::needs_shared("models")) {
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
    const std::string name_of(each.model);
    const auto bytes = file("models/" + name_of + ".tflite");
    REQUIRE(!bytes.empty());
    const auto program = tflite::read_bytes(bytes);
    const auto made = transform(program, passes<dead_channels>);
    CHECK(!check_inference(made));
    CHECK_MESSAGE(laws::pass::of_form<dead_channels>(program), name_of);
    CHECK_MESSAGE(work_of(program) == each.multiply_adds, name_of);
    CHECK_MESSAGE(weights_of(program) == each.weights, name_of);
    CHECK_MESSAGE(work_of(made) == each.multiply_adds_left, name_of);
    CHECK_MESSAGE(weights_of(made) == each.weights_left, name_of);
    const auto input = file("golden/" + name_of + "/input_0.bin");
    if (input.empty()) continue;
    vector<std::int8_t> numbers;
    for (const auto byte : input) numbers.push_back(static_cast<std::int8_t>(byte));
    interpreter run(made);
    run.run(numbers);
    std::size_t compared = 0;
    for (std::uint32_t n = 0; n < made.nodes.size(); ++n) {
      const auto out = program_view(made).outputs_of(made.nodes[n])[0];
      const auto expected = file("golden/" + name_of + "/layer_" + (n < 10 ? "0" : "") + std::to_string(n) + ".bin");
      if (made.nodes[n].is("tfl.softmax") || expected.size() != run[out].size()) continue;  // a smaller value
      CHECK_MESSAGE(std::memcmp(expected.data(), run[out].data(), expected.size()) == 0, name_of, ", operator ", n);
      compared += 1;
    }
    CHECK(compared >= 2);
  }
}
