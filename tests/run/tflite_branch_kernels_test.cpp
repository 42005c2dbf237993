// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Portable kernels compute the same in the branches and loops of a TFLite model as outside of them.
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/import/tflite.hpp>
#include <baton/kernels/kernels.hpp>
#include <baton/run/basic_executor.hpp>

#include "import/tflite_writer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace {

using namespace baton;
using tests::byte_field;
using tests::float_field;
using tests::int_field;
using tests::tflite_writer;

constexpr std::string_view float_one{"\0\0\x80\x3f", 4};
constexpr std::string_view float_three{"\0\0\x40\x40", 4};
constexpr std::string_view int_one{"\1\0\0\0", 4};

// Computes the cumulative sums of the rows of x three times. Returns their softmax, or the rows divided by their length, plus the mean of
// the quotients.
constexpr auto model_file() -> baton::vector<char> {
  tflite_writer w;
  const auto add = w.operator_code(0);
  const auto less = w.operator_code(58);
  const auto choose = w.operator_code(118);
  const auto loop = w.operator_code(119);
  const auto cumsum = w.operator_code(128);
  const auto softmax = w.operator_code(25);
  const auto l2_normalization = w.operator_code(11);
  const auto mean = w.operator_code(40);
  const auto scalar = [&](std::string_view name, int buffer = 0) { return w.tensor(name, {}, tests::float32, buffer); };
  const auto rows = [&](std::string_view name) { return w.tensor(name, {2, 3}, tests::float32); };
  const auto axis = [&] { return w.tensor("axis", {1}, tests::int32, 3); };
  const auto run_loop = w.operation(3, {0, 1}, {3, 4}, w.options(93, {int_field(0, 1), int_field(1, 2)}));
  const auto run_branch = w.operation(2, {2, 4}, {5}, w.options(92, {int_field(0, 3), int_field(1, 4)}));
  const auto main = w.graph({scalar("i"), rows("x"), w.tensor("is_softmax", {}, tests::boolean), scalar("i_end"), rows("sums"), rows("y")},
                            {0, 1, 2}, {5}, {run_loop, run_branch});
  const auto compare = w.operation(1, {0, 2}, {3}, w.options(43, {}));
  const auto condition =
      w.graph({scalar("i"), rows("x"), scalar("three", 2), w.tensor("goes_on", {}, tests::boolean)}, {0, 1}, {3}, {compare}, "condition");
  const auto count = w.operation(0, {0, 2}, {4}, w.options(11, {}));
  const auto sum_up = w.operation(4, {1, 3}, {5}, w.options(102, {}));
  const auto body =
      w.graph({scalar("i"), rows("x"), scalar("one", 1), axis(), scalar("next"), rows("sums")}, {0, 1}, {4, 5}, {count, sum_up}, "body");
  const auto exponentials = w.operation(5, {0}, {1}, w.options(9, {float_field(0, 1.0f)}));
  const auto on_true = w.graph({rows("x"), rows("y")}, {0}, {1}, {exponentials}, "on_true");
  const auto divide = w.operation(6, {0}, {2}, w.options(12, {}));
  const auto average = w.operation(7, {2, 1}, {3}, w.options(27, {byte_field(0, 1)}));
  const auto raise = w.operation(0, {2, 3}, {4}, w.options(11, {}));
  const auto on_false = w.graph({rows("x"), axis(), rows("unit"), w.tensor("mean", {2, 1}, tests::float32), rows("y")}, {0}, {4},
                                {divide, average, raise}, "on_false");
  return w.model({add, less, choose, loop, cumsum, softmax, l2_normalization, mean}, {main, condition, body, on_true, on_false},
                 {w.buffer({}), w.buffer(float_one), w.buffer(float_three), w.buffer(int_one)});
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

using rows = std::array<float, 6>;

auto run(bool is_softmax, const rows& x) -> rows {
  static basic_executor<model, portable_kernels> net;
  rows y{};
  net.run(std::array<float, 1>{0}, x, std::array<bool, 1>{is_softmax}, y);
  return y;
}

auto expected(bool is_softmax, rows x) -> rows {
  for (int iteration = 0; iteration < 3; ++iteration) {
    for (std::size_t i = 0; i < 6; ++i) x[i] += i % 3 == 0 ? 0.0f : x[i - 1];
  }
  for (std::size_t row = 0; row < 6; row += 3) {
    float exponentials = 0;
    float squares = 0;
    float sum = 0;
    for (std::size_t i = row; i < row + 3; ++i) {
      exponentials += std::exp(x[i]);
      squares += x[i] * x[i];
      sum += x[i];
    }
    for (std::size_t i = row; i < row + 3; ++i) x[i] = is_softmax ? std::exp(x[i]) / exponentials : (x[i] + sum / 3) / std::sqrt(squares);
  }
  return x;
}

}  // namespace

TEST_CASE("portable kernels compute the same in the loop and the branches of a TFLite model") {
  for (const bool is_softmax : {true, false, true}) {
    for (const rows& x : {rows{1, -2, 0.5f, 0.25f, 3, -4}, rows{0.5f, 0, 0, -1, 1, 2}}) {
      const auto actual = run(is_softmax, x);
      const auto expected_rows = expected(is_softmax, x);
      for (std::size_t i = 0; i < 6; ++i) CHECK(std::fabs(actual[i] - expected_rows[i]) < 1e-5f);
    }
  }
}
