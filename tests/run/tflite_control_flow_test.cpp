// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The branches and loops of a TFLite model run like those of other programs.
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/tflite.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/run/basic_executor.hpp>

#include "import/tflite_writer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace {

using namespace baton;
using tests::int_field;
using tests::tflite_writer;

constexpr std::string_view float_one{"\0\0\x80\x3f", 4};

// Doubles x while i is less than limit, then again if `again` is true.
constexpr auto model_file() -> baton::vector<char> {
  tflite_writer w;
  const auto add = w.operator_code(0);
  const auto less = w.operator_code(58);
  const auto choose = w.operator_code(118);
  const auto loop = w.operator_code(119);
  const auto scalar = [&](std::string_view name, int buffer = 0) { return w.tensor(name, {}, tests::float32, buffer); };
  const auto pair = [&](std::string_view name) { return w.tensor(name, {2}, tests::float32); };
  const auto sum = w.options(11, {});
  const auto comparison = w.options(43, {});
  const auto turns = w.options(93, {int_field(0, 1), int_field(1, 2)});
  const auto branches = w.options(92, {int_field(0, 3), int_field(1, 4)});
  const auto run_loop = w.operation(3, {0, 1, 2}, {4, 5, 6}, turns);
  const auto run_branch = w.operation(2, {3, 6}, {7}, branches);
  const auto main = w.graph({scalar("i"), scalar("limit"), pair("x"), w.tensor("again", {}, tests::boolean), scalar("i_end"),
                             scalar("limit_end"), pair("x_end"), pair("y")},
                            {0, 1, 2, 3}, {7, 4}, {run_loop, run_branch});
  const auto compare = w.operation(1, {0, 1}, {3}, comparison);
  const auto condition =
      w.graph({scalar("i"), scalar("limit"), pair("x"), w.tensor("goes_on", {}, tests::boolean)}, {0, 1, 2}, {3}, {compare}, "condition");
  const auto count = w.operation(0, {0, 3}, {4}, sum);
  const auto twice = w.operation(0, {2, 2}, {5}, sum);
  const auto body = w.graph({scalar("i"), scalar("limit"), pair("x"), scalar("one", 1), scalar("next"), pair("twice")}, {0, 1, 2},
                            {4, 1, 5}, {count, twice}, "body");
  const auto again = w.operation(0, {0, 0}, {1}, sum);
  const auto on_true = w.graph({pair("x"), pair("y")}, {0}, {1}, {again}, "on_true");
  const auto on_false = w.graph({pair("x")}, {0}, {0}, {}, "on_false");
  return w.model({add, less, choose, loop}, {main, condition, body, on_true, on_false}, {w.buffer({}), w.buffer(float_one)});
}
constexpr auto model_size = [] {
  const auto file = model_file();
  return file.size();
}();
constexpr auto model_bytes = [] {
  const auto file = model_file();
  std::array<char, model_size> bytes{};
  std::ranges::copy(file, bytes.begin());
  return bytes;
}();

constexpr static_program model{[] { return tflite::importer::read(model_bytes); }};
static_assert(model->graphs.size() == 5);

auto run(float limit, bool again, std::array<float, 2> x) -> std::array<float, 2> {
  static basic_executor<model, portable_kernels> net;
  std::array<float, 2> y{};
  std::array<float, 1> end{};
  net.run(std::array<float, 1>{0}, std::array<float, 1>{limit}, x, std::array<bool, 1>{again}, y, end);
  CHECK(end[0] == std::max(limit, 0.0f));
  return y;
}

}  // namespace

TEST_CASE("the loop and the conditional of a TFLite model run") {
  CHECK(run(0, false, {1, 3}) == std::array<float, 2>{1, 3});
  CHECK(run(1, false, {1, 3}) == std::array<float, 2>{2, 6});
  CHECK(run(1, true, {1, 3}) == std::array<float, 2>{4, 12});
  CHECK(run(5, true, {1, -1}) == std::array<float, 2>{64, -64});
  CHECK(run(-1, false, {2, 4}) == std::array<float, 2>{2, 4});
}
