// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/core/detail/deferred_arrays.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/byte_recipe.hpp>
#include <baton/core/shared/joined_bytes.hpp>
#include <baton/core/span.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/then.hpp>
#include <baton/transform/legalize.hpp>
#include <baton/transform/rewriter.hpp>
#include <baton/transform/transform.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

struct numbered {
  static constexpr void copy(std::size_t first, span<char> to) {
    char* at = to.data();
    for (auto i = first; i < first + to.size(); ++i) *at++ = static_cast<char>(i * 37 >> 3);
  }
};

// A network whose weights need more steps than one constant expression may take.

constexpr std::int64_t channels = 184;
constexpr auto weights = joined_bytes<numbered, std::size_t{9} * channels * channels>();

/// A quantized convolution of an ONNX file. The weights are uint8, and stored with the input channels first.
struct make_convolution {
  constexpr auto operator()() const -> exported_program {
    program_builder b;
    const auto image = tensor(dtype::float32, 1, channels, 2, 2), filter = tensor(dtype::uint8, channels, channels, 3, 3);
    auto integers = image, reals = filter;
    integers.type = dtype::uint8;
    reals.type = dtype::float32;
    const char quarter[] = {0, 0, '\x80', '\x3e'}, center[] = {'\x80'};
    const std::int64_t pads[] = {1, 1, 1, 1};
    const auto scale = b.constant("scale", tensor(dtype::float32), quarter), zero = b.constant("zero", tensor(dtype::uint8), center);
    const auto w = b.constant("w", filter, {});
    b.draft().values[index(w)].data = {weights.data(), 0, static_cast<std::uint32_t>(weights.size())};
    const auto q = b.call("q", "onnx.QuantizeLinear", {b.user_input("x", image), scale, zero}, integers);
    const auto x = b.call("dq", "onnx.DequantizeLinear", {q, scale, zero}, image);
    const std::int64_t order[] = {1, 0, 2, 3};
    const auto turned = b.call("turned", "onnx.Transpose", {w}, filter, {{"perm", span{order}}});
    const auto real = b.call("dw", "onnx.DequantizeLinear", {turned, scale, zero}, reals);
    const auto y = b.call("conv", "onnx.Conv", {x, real}, image, {{"pads", span{pads}}});
    b.output(b.call("y", "onnx.DequantizeLinear", {b.call("qy", "onnx.QuantizeLinear", {y, scale, zero}, integers), scale, zero}, image));
    return b.finish();
  }
};
constexpr auto legal = transform(static_program{make_convolution{}}, passes<legalize>);

constexpr auto filter_of(const program_view& program) -> const value& {
  for (const auto& record : program.values) {
    if (record.data.size == weights.size()) return record;
  }
  return program.values[0];
}
/// Every 1,013th weight is at its place, and int8.
constexpr auto weights_are_moved_and_shifted() -> bool {
  const program_view program = legal;
  const auto& filter = filter_of(program);
  const auto data = program.data(filter.data);
  bool is_right = filter.type == dtype::int8 && data.size() == weights.size() && program.bytes.size() < 10'000;
  for (std::size_t at = 0; is_right && at < data.size(); at += 1013) {
    const auto in = at % channels, tap = at / channels % 9, out = at / channels / 9;
    is_right = static_cast<unsigned char>(data[at]) == (static_cast<unsigned char>(weights[(in * channels + out) * 9 + tap]) ^ 0x80u);
  }
  return is_right;
}
static_assert(weights_are_moved_and_shifted());

// A step of a static program, and the same step at run time.

constexpr auto numbers = [] {
  std::array<char, 1200> bytes{};
  numbered::copy(0, bytes);
  return bytes;
}();

/// A program of constants: one outside the program, and others of its byte pool.
struct make_constants {
  constexpr auto operator()() const -> exported_program {
    program_builder b;
    b.output(b.constant("numbers", tensor(dtype::uint8, 1200), {}));
    b.draft().values[0].data = {numbers.data(), 0, 1200};
    b.output(b.constant("copy", tensor(dtype::uint8, 1200), numbers));
    for (const auto* const name : {"moved", "few", "again", "added", "wrong", "pairs"}) {
      b.output(b.constant(name, tensor(dtype::uint8, 1200), {}));
    }
    return b.finish();
  }
};
/// Computes constants from other constants.
struct derive_constants {
  static constexpr bool defers_bytes = true;

  static constexpr auto run(const program_view& program, byte_recipe::timing when) -> exported_program {
    rewriter change(program);
    const auto derive = [&](std::uint32_t to, const byte_recipe& recipe, byte_ref from) {
      const auto data = change.derive(recipe, from, when);
      change.edit(value_id{to}).data = data;
    };
    const auto outside = program.values[0].data, inside = program.values[1].data;
    derive(2, {{{{40, 1}, {30, 40}}}, 2, 1, 0}, outside);
    derive(3, byte_recipe::inversion(5, 0xff), change.own("a few"));
    derive(4, byte_recipe::inversion(1200, 0x80), change[value_id{2}].data);  // from data that is also deferred
    derive(5, byte_recipe::inversion(600, 0x01), change.own({numbers.data(), 600}));
    derive(6, byte_recipe::inversion(600, 0x01), inside);
    derive(7, {{{{10, 4}, {30, 40}, {2, 2}}}, 3, 2, 0x0f}, inside);
    change.set_attribute(change.insert_before(node_id{0}, "last", "mine.last", {}, {}), {"list", span{numbers_of_list}});
    return change.finish();
  }
  constexpr auto operator()(const program_view& program) const -> result<exported_program> {
    return run(program, byte_recipe::timing::deferred);
  }

  static constexpr std::int64_t numbers_of_list[] = {1, 2, 3};
};
constexpr auto constants = static_program{make_constants{}};
constexpr auto derived = then(constants, derive_constants{});

constexpr auto derived_constants_are_right() -> bool {
  const program_view program = derived;
  const auto byte_of = [&](std::uint32_t v, std::size_t at) {
    return static_cast<unsigned char>(program.data(program.values[v].data)[at]);
  };
  const auto number = [](std::size_t at) { return static_cast<unsigned char>(numbers[at]); };
  bool is_right =
      program.values[3].data.outside == nullptr && program.values[2].data.outside != nullptr && program.values[6].data.size == 0;
  for (std::size_t i = 0; is_right && i < 1200; ++i) {
    const auto from = i / 30 + i % 30 * 40, pair = i / 120 * 4 + i / 4 % 30 * 40;
    is_right = byte_of(2, i) == number(from) && byte_of(4, i) == (number(from) ^ 0x80u) &&
               byte_of(7, i) == (number(pair + i % 4) ^ 0x0fu) && (i >= 600 || byte_of(5, i) == (number(i) ^ 1u)) &&
               (i >= 5 || byte_of(3, i) == static_cast<unsigned char>(~"a few"[i]));
  }
  return is_right;
}
static_assert(derived_constants_are_right());

/// The records are the same with and without deferred data, because no recipes remain.
constexpr auto deferral_changes_nothing() -> bool {
  return same(derived, derive_constants::run(constants, byte_recipe::timing::at_once)) && derived->attributes.size() == 1;
}
static_assert(deferral_changes_nothing());

}  // namespace

TEST_CASE("large weights are permuted and shifted in separate constants") {
  CHECK(weights_are_moved_and_shifted());
  CHECK(same(legal, transform(make_convolution{}(), passes<legalize>)));
}
TEST_CASE("constants are computed from other constants, at once or deferred") {
  CHECK(derived_constants_are_right());
  CHECK(deferral_changes_nothing());
}
