// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Operators with positions as operands or outputs: random inputs against plain loops, the laws of kernels, and rejected nodes.
#include "laws/kernel.hpp"
#include "one_node.hpp"
#include "reference/positions.hpp"

#include <baton/core/static_program.hpp>
#include <baton/kernels/portable/one_hot.hpp>
#include <baton/kernels/portable/scattering.hpp>
#include <baton/kernels/portable/topk.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace {

using baton::dtype;
using baton::portable::detail::one_hot;
using baton::portable::detail::scatter_nd;
using baton::portable::detail::topk;
using one_node::bytes;
using one_node::says;

auto joined(bytes first, const bytes& second) -> bytes {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}
auto positions_as(dtype type, const std::vector<std::int64_t>& numbers) -> bytes {
  return type == dtype::int64 ? one_node::bytes_of(numbers) : one_node::bytes_of(std::vector<std::int32_t>(numbers.begin(), numbers.end()));
}

struct encoding {
  std::vector<int> shape{2, 3};
  int depth = 4;
  int axis = -1;
  dtype where = dtype::int32;
  dtype type = dtype::int8;
  dtype off_type = dtype::int8;
  bool is_depth_constant = true;
  std::vector<int> shape_of_values{};

  auto place() const -> std::size_t { return axis < 0 ? shape.size() : static_cast<std::size_t>(axis); }
  auto program() const -> baton::exported_program {
    baton::program_builder b;
    auto out = shape;
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(place()), depth);
    const auto x = b.user_input("x", one_node::type_of(where, shape));
    const auto n = is_depth_constant ? one_node::int32_constant(b, "depth", {depth}) : b.user_input("depth", baton::tensor(dtype::int32));
    const auto on = b.user_input("on", one_node::type_of(type, shape_of_values));
    const auto off = b.user_input("off", one_node::type_of(off_type, shape_of_values));
    b.output(b.call("tfl.one_hot", {x, n, on, off}, one_node::type_of(type, out), {{"axis", axis}}));
    return b.finish();
  }
  auto inner() const -> int {
    int count = 1;
    for (auto d = place(); d < shape.size(); ++d) count *= shape[d];
    return count;
  }
};

struct scattered {
  std::vector<int> positions{3, 1};
  std::vector<int> updates{3, 2};
  std::vector<int> shape{4, 2};
  dtype where = dtype::int32;
  dtype type = dtype::int8;
  dtype update_type = dtype::int8;
  bool is_shape_constant = true;

  auto program() const -> baton::exported_program {
    baton::program_builder b;
    const auto at = b.user_input("at", one_node::type_of(where, positions));
    const auto x = b.user_input("x", one_node::type_of(update_type, updates));
    const auto size = is_shape_constant ? one_node::int32_constant(b, "shape", {shape.begin(), shape.end()})
                                        : b.user_input("shape", baton::tensor(dtype::int32, shape.size()));
    b.output(b.call("tfl.scatter_nd", {at, x, size}, one_node::type_of(type, shape)));
    return b.finish();
  }
};

struct selection {
  std::vector<int> shape{2, 5};
  int k = 3;
  dtype type = dtype::int8;
  dtype places = dtype::int32;
  bool is_k_constant = true;

  auto program() const -> baton::exported_program {
    baton::program_builder b;
    auto out = shape;
    out.back() = k;
    const auto x = b.user_input("x", one_node::type_of(type, shape));
    const auto n = is_k_constant ? one_node::int32_constant(b, "k", {k}) : b.user_input("k", baton::tensor(dtype::int32));
    const auto outputs = b.call_many("best", "tfl.topk_v2", {x, n}, {one_node::type_of(type, out), one_node::type_of(places, out)});
    b.output(outputs[0]);
    b.output(outputs[1]);
    return b.finish();
  }
};

template <class T>
void check_selection(const selection& of, const bytes& input) {
  const auto x = one_node::numbers_of<T>(input);
  const auto length = static_cast<std::size_t>(of.shape.back());
  std::vector<T> values;
  std::vector<std::int32_t> places;
  for (std::size_t row = 0; row < x.size(); row += length) {
    const std::vector<T> elements(x.begin() + static_cast<std::ptrdiff_t>(row), x.begin() + static_cast<std::ptrdiff_t>(row + length));
    for (const auto at : reference::largest(elements, static_cast<std::size_t>(of.k))) {
      places.push_back(at);
      values.push_back(elements[static_cast<std::size_t>(at)]);
    }
  }
  CHECK(one_node::run<topk>(of.program(), input) == joined(one_node::bytes_of(values), one_node::bytes_of(places)));
}

struct classes {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::int32, 2, 2));
    const auto depth = b.constant("depth", baton::tensor(dtype::int32), {"\3\0\0\0", 4});
    const auto on = b.constant("on", baton::tensor(dtype::int8), {"\1", 1});
    const auto off = b.user_input("off", baton::tensor(dtype::int8));
    b.output(b.call("tfl.one_hot", {x, depth, on, off}, baton::tensor(dtype::int8, 2, 3, 2), {{"axis", 1}}));
    return b.finish();
  }
};
struct rows_at_places {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto at = b.user_input("at", baton::tensor(dtype::int32, 3, 1));
    const auto x = b.user_input("x", baton::tensor(dtype::int8, 3, 2));
    const auto shape = b.constant("shape", baton::tensor(dtype::int32, 2), {"\4\0\0\0\2\0\0\0", 8});
    b.output(b.call("tfl.scatter_nd", {at, x, shape}, baton::tensor(dtype::int8, 4, 2)));
    return b.finish();
  }
};
struct best_of_rows {
  constexpr auto operator()() const -> baton::exported_program {
    baton::program_builder b;
    const auto x = b.user_input("x", baton::tensor(dtype::int8, 3, 5));
    const auto k = b.constant("k", baton::tensor(dtype::int32), {"\2\0\0\0", 4});
    const auto outputs = b.call_many("best", "tfl.topk_v2", {x, k}, {baton::tensor(dtype::int8, 3, 2), baton::tensor(dtype::int32, 3, 2)});
    b.output(outputs[0]);
    b.output(outputs[1]);
    return b.finish();
  }
};

}  // namespace

TEST_CASE("random one-hot encodings match the reference") {
  one_node::drawn draw(41);
  for (int i = 0; i < 1000; ++i) {
    CAPTURE(i);
    encoding of{.shape = draw.shape(0, 4, 4), .depth = draw.from_to(1, 5)};
    of.axis = draw.from_to(-1, static_cast<int>(of.shape.size()));
    of.where = draw.of({dtype::int32, dtype::int64});
    of.type = of.off_type = draw.of({dtype::int8, dtype::int16, dtype::float32});
    std::vector<std::int64_t> positions(static_cast<std::size_t>(one_node::count_of(of.shape)));
    for (auto& position : positions) position = draw.from_to(-2, of.depth + 1);
    if (of.where == dtype::int64) positions[0] += std::int64_t{1} << 32;  // out of range, although the lower half may be in range
    const auto on = draw.elements(of.type, 1);
    const auto off = draw.elements(of.type, 1);
    const auto actual = one_node::run<one_hot>(of.program(), joined(joined(positions_as(of.where, positions), on), off));
    const auto check = [&](auto element) {
      using T = decltype(element);
      const auto expected =
          reference::one_hot(positions, of.inner(), of.depth, one_node::numbers_of<T>(on)[0], one_node::numbers_of<T>(off)[0]);
      CHECK(actual == one_node::bytes_of(expected));
    };
    if (of.type == dtype::int8) check(std::int8_t{});
    if (of.type == dtype::int16) check(std::int16_t{});
    if (of.type == dtype::float32) check(float{});
  }
}

TEST_CASE("random scattered slices match the reference") {
  one_node::drawn draw(42);
  for (int i = 0; i < 1000; ++i) {
    CAPTURE(i);
    scattered of{.positions = draw.shape(0, 2, 4), .shape = draw.shape(1, 4, 3)};
    of.where = draw.of({dtype::int32, dtype::int64});
    of.type = of.update_type = draw.of({dtype::int8, dtype::int16, dtype::int32, dtype::float32});
    const auto numbers = draw.from_to(1, static_cast<int>(of.shape.size()));
    of.updates = of.positions;
    of.updates.insert(of.updates.end(), of.shape.begin() + numbers, of.shape.end());
    of.positions.push_back(numbers);
    std::vector<std::int64_t> positions(static_cast<std::size_t>(one_node::count_of(of.positions)));
    for (auto& position : positions) position = draw.once_in(12) ? draw.of({-1, 3}) : draw.from_to(0, 2);
    const auto updates = draw.elements(of.type, one_node::count_of(of.updates));
    const auto actual = one_node::run<scatter_nd>(of.program(), joined(positions_as(of.where, positions), updates));
    const auto check = [&](auto element) {
      using T = decltype(element);
      const auto expected = reference::scatter(positions, static_cast<std::size_t>(numbers), one_node::numbers_of<T>(updates), of.shape);
      CHECK(actual == one_node::bytes_of(expected));
    };
    if (of.type == dtype::int8) check(std::uint8_t{});  // sums wrap around
    if (of.type == dtype::int16) check(std::uint16_t{});
    if (of.type == dtype::int32) check(std::uint32_t{});
    if (of.type == dtype::float32) check(float{});  // exact, because the elements are multiples of 1/4
  }
}

TEST_CASE("random largest elements match the reference") {
  one_node::drawn draw(43);
  for (int i = 0; i < 1000; ++i) {
    CAPTURE(i);
    selection of{.shape = draw.shape(1, 3, 12)};
    of.k = draw.from_to(1, of.shape.back());
    of.type = draw.of({dtype::float32, dtype::int8, dtype::uint8, dtype::int16, dtype::int32});
    const auto count = one_node::count_of(of.shape);
    const auto few = draw.once_in(2);  // some elements are equal
    if (of.type == dtype::float32) {
      check_selection<float>(of, draw.elements(of.type, count, few ? 2 : 400));
    } else if (of.type == dtype::int8) {
      check_selection<std::int8_t>(of, draw.elements(few ? dtype::boolean : of.type, count));
    } else if (of.type == dtype::uint8) {
      check_selection<std::uint8_t>(of, draw.elements(few ? dtype::boolean : dtype::int8, count));
    } else if (of.type == dtype::int16) {
      check_selection<std::int16_t>(of, draw.elements(of.type, count));
    } else {
      check_selection<std::int32_t>(of, draw.elements(of.type, count));
    }
  }
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  const auto inf = std::numeric_limits<float>::infinity();
  const selection of{.shape = {6}, .k = 6, .type = dtype::float32};
  const auto actual = one_node::run<topk>(of.program(), one_node::bytes_of(std::vector<float>{nan, -inf, 2, nan, inf, 2}));
  CHECK(one_node::numbers_of<std::int32_t>({actual.begin() + 24, actual.end()}) == std::vector<std::int32_t>{4, 2, 5, 1, 0, 3});
}

TEST_CASE("operators on positions obey the laws at compile time") {
  CHECK(laws::kernel::all<one_hot, baton::static_program<classes>>({'\2', 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, '\7'}));
  CHECK(laws::kernel::all<scatter_nd, baton::static_program<rows_at_places>>({3, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 1, 2, 3, 4, 5, 6}));
  CHECK(laws::kernel::all<topk, baton::static_program<best_of_rows>>({1, 2, 3, 4, 5, 5, 4, 3, 2, 1, 1, 1, 1, 1, 1}));
}

TEST_CASE("unsupported operators on positions are rejected") {
  const auto encode = [](const encoding& of) { return one_node::refusal<one_hot>(of.program()); };
  CHECK(encode({}) == "");
  CHECK(says(encode({.where = dtype::uint8}), "position is uint8"));
  CHECK(says(encode({.off_type = dtype::int16}), "input is int16, output int8"));
  CHECK(says(encode({.is_depth_constant = false}), "depth is not a constant"));
  CHECK(says(encode({.type = dtype::int4, .off_type = dtype::int4}), "not whole bytes"));
  CHECK(says(encode({.shape_of_values = {2}}), "on_value and off_value have 2 and 2 elements"));
  const auto scatter = [](const scattered& of) { return one_node::refusal<scatter_nd>(of.program()); };
  CHECK(scatter({}) == "");
  CHECK(says(scatter({.where = dtype::int16}), "position is int16"));
  CHECK(says(scatter({.update_type = dtype::int16}), "output is int8, but the operator returns int16"));
  CHECK(says(scatter({.type = dtype::boolean, .update_type = dtype::boolean}), "output is bool"));
  CHECK(says(scatter({.is_shape_constant = false}), "shape is not a constant"));
  CHECK(says(scatter({.positions = {}}), "the positions have no dimension"));
  CHECK(says(scatter({.positions = {3, 3}}), "each position has 3 indices, but the tensor has 2 dimensions"));
  CHECK(says(scatter({.updates = {3}}), "updates have rank 1"));
  CHECK(says(scatter({.updates = {3, 3}}), "dimension 1 of the updates is 3, expected is 2"));
  CHECK(says(scatter({.updates = {2, 2}}), "dimension 0 of the updates is 2, expected is 3"));
  const auto select = [](const selection& of) { return one_node::refusal<topk>(of.program()); };
  CHECK(select({}) == "");
  CHECK(says(select({.k = 6}), "k is 6, a row has 5 elements"));
  CHECK(says(select({.type = dtype::boolean}), "input is bool"));
  CHECK(says(select({.places = dtype::int16}), "the output of positions is int16"));
  CHECK(says(select({.is_k_constant = false}), "k is not a constant"));
}
