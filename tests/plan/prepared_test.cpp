// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Constants that kernels prepare: 90,000 packed weights within the default limits of the compilers, and small ones.
#include <baton/core/builder.hpp>
#include <baton/core/span.hpp>
#include <baton/plan/shared/prepared_elements.hpp>
#include <baton/run/basic_executor.hpp>

#include "laws/kernel.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>

namespace {

using namespace baton;

// A product of a vector and a matrix, with packed weights.

constexpr auto columns(const program_view& program, const node& record) -> std::size_t {
  return static_cast<std::size_t>(program.shape(program.inputs(record)[0])[0]);
}
constexpr auto rows(const program_view& program, const node& record) -> std::size_t {
  return static_cast<std::size_t>(program.shape(program.outputs_of(record)[0])[0]);
}

/// Sums of products of int8, two rows at a time. A block is two rows: four weights of the first row and four of the second alternate.
struct packed_product {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<> {
    if (!record.is("test.custom.product")) return {refuse()};
    return {accept(), {}, {.prepared = {rows(program, record) / 2, 2 * columns(program, record)}}};
  }
  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, baton::span<std::int8_t> to) {
    const auto size = columns(program, record);
    const char* from = program.data(program[program.inputs(record)[1]].data).data() + 2 * first * size;
    auto* at = to.data();
    for (auto* const end = at + to.size(); at != end; from += 2 * size) {
      for (std::size_t k = 0; k < size; k += 4, at += 8) {
        for (std::size_t i = 0; i < 4; ++i)
          at[i] = static_cast<std::int8_t>(from[k + i]), at[4 + i] = static_cast<std::int8_t>(from[size + k + i]);
      }
    }
  }
  template <class Call>
  static void compute(const Call& call) {
    constexpr auto size = columns(Call::program(), Call::record());
    const auto weights = Call::prepared();
    static_assert(decltype(weights)::extent == size * rows(Call::program(), Call::record()));
    const auto* x = reinterpret_cast<const std::int8_t*>(call.template input<0>());
    auto* to = call.template output<0>();
    for (const auto* w = weights.data(); w != weights.data() + weights.size();) {
      std::int32_t sums[2]{};
      for (std::size_t k = 0; k < size; k += 4, w += 8) {
        for (std::size_t i = 0; i < 4; ++i) sums[0] += x[k + i] * w[i], sums[1] += x[k + i] * w[4 + i];
      }
      std::memcpy(to, sums, sizeof sums);
      to += sizeof sums;
    }
  }
};
static_assert(preparing_kernel<packed_product> && !preparing_kernel<archetypes::kernel>);

template <std::size_t Rows, std::size_t Columns>
constexpr auto weights = [] {
  std::array<char, Rows * Columns> bytes{};
  char* at = bytes.data();
  for (std::size_t row = 0; row < Rows; ++row) {
    for (std::size_t k = 0; k < Columns; ++k) *at++ = static_cast<char>(row * 7 + k * 3);
  }
  return bytes;
}();

template <int Rows, int Columns>
struct make_product {
  constexpr auto operator()() const -> exported_program {
    program_builder b;
    const auto x = b.user_input("x", tensor(dtype::int8, Columns));
    const auto w = b.parameter("w", tensor(dtype::int8, Rows, Columns), weights<Rows, Columns>);
    b.output(b.call("product", "test.custom.product", {x, w}, tensor(dtype::int32, Rows)));
    return b.finish();
  }
};
template <int Rows, int Columns>
constexpr static_program product{make_product<Rows, Columns>{}};

template <int Rows, int Columns>
void check_product() {
  static basic_executor<product<Rows, Columns>, kernels<packed_product>> net;
  std::array<std::int8_t, Columns> input{};
  for (std::size_t k = 0; k < Columns; ++k) input[k] = static_cast<std::int8_t>(5 * k + 1);
  std::array<std::int32_t, Rows> sums{};
  net.run(input, sums);
  std::size_t right = 0;
  for (std::size_t row = 0; row < Rows; ++row) {
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < Columns; ++k) sum += input[k] * static_cast<std::int8_t>(row * 7 + k * 3);
    right += sums[row] == sum ? 1 : 0;
  }
  CHECK(right == Rows);
}

// A table of another type, and an empty one.

/// Prepares the squares of the offsets of 40 bytes. A node of another size has no prepared constant.
struct squares {
  static constexpr auto describe(const program_view& program, const node& record) -> node_description<> {
    if (!record.is("test.custom.squares")) return {refuse()};
    return {accept(), {}, {.prepared = {columns(program, record) == 40 ? 40u : 0u, 1, 3}}};
  }
  static constexpr void prepare(const program_view&, const node&, std::size_t first, baton::span<std::int32_t> to) {
    for (auto& each : to) each = static_cast<std::int32_t>(first * first), ++first;
  }
  template <class Call>
  static void compute(const Call& call) {
    std::memset(call.template output<0>(), 0, columns(Call::program(), Call::record()));
    for (std::size_t i = 0; i < Call::prepared().size(); ++i) {
      call.template output<0>()[i] = static_cast<char>(call.template input<0>()[i] + Call::prepared()[i]);
    }
  }
};
template <int Size>
struct make_squares {
  constexpr auto operator()() const -> exported_program {
    program_builder b;
    b.output(b.call("y", "test.custom.squares", {b.user_input("x", tensor(dtype::int8, Size))}, tensor(dtype::int8, Size)));
    return b.finish();
  }
};

/// Breaks the law: the blocks depend on the first block of the call.
struct restarts_in_each_call : squares {
  static constexpr void prepare(const program_view&, const node&, std::size_t, baton::span<std::int32_t> to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<std::int32_t>(i);
  }
};

/// Products of an input: two with one matrix, one with an equal matrix, one with another; and the product of a narrower input.
struct make_products {
  constexpr auto operator()() const -> exported_program {
    program_builder b;
    const auto x = b.user_input("x", tensor(dtype::int8, 8));
    const auto w = b.parameter("w", tensor(dtype::int8, 6, 8), weights<6, 8>);
    const auto same = b.parameter("same", tensor(dtype::int8, 6, 8), weights<6, 8>);
    auto other = weights<6, 8>;
    other[47] = '\1';
    const auto u = b.parameter("u", tensor(dtype::int8, 6, 8), other);
    const auto narrow = b.user_input("narrow", tensor(dtype::int8, 4));
    const auto type = tensor(dtype::int32, 6);
    b.output(b.call("first", "test.custom.product", {x, w}, type));
    b.output(b.call("second", "test.custom.product", {x, w}, type));
    b.output(b.call("third", "test.custom.product", {x, same}, type));
    b.output(b.call("fourth", "test.custom.product", {x, u}, type));
    b.output(b.call("half", "test.custom.product", {narrow, w}, type));
    return b.finish();
  }
};

/// Prepares a different first byte for the node `second`, so that its constant has the same size but is not the same.
struct product_by_name : packed_product {
  static constexpr void prepare(const program_view& program, const node& record, std::size_t first, baton::span<std::int8_t> to) {
    packed_product::prepare(program, record, first, to);
    if (program.text(record.name) == "second") to.data()[0] = 100;
  }
};

/// Two nodes of equal types without constants, with equal tables.
struct make_tables {
  constexpr auto operator()() const -> exported_program {
    program_builder b;
    const auto x = b.user_input("x", tensor(dtype::int8, 40));
    const auto y = b.call("y", "test.custom.squares", {x}, tensor(dtype::int8, 40));
    b.output(b.call("z", "test.custom.squares", {y}, tensor(dtype::int8, 40)));
    return b.finish();
  }
};

using small = static_program<make_product<6, 8>>;
static_assert(laws::kernel::prepare_is_consistent<packed_product, small>());
static_assert(laws::kernel::prepare_is_consistent<squares, static_program<make_squares<40>>>());
static_assert(laws::kernel::prepare_is_consistent<squares, static_program<make_squares<8>>>());
static_assert(!laws::kernel::prepare_is_consistent<restarts_in_each_call, static_program<make_squares<40>>>());
static_assert(detail::elements_per_constant(kernel_facts::prepared_blocks{300, 600}) == 54 * 600);
static_assert(detail::elements_per_constant(kernel_facts::prepared_blocks{2, 40000}) == 40000);
static_assert(detail::elements_per_constant(kernel_facts::prepared_blocks{9, 600, 4}) == 2400);
static_assert(detail::elements_per_constant(kernel_facts::prepared_blocks{}) == 1);

}  // namespace

TEST_CASE("90,000 weights are packed at compile time, within the default limits of the compilers, and read as one array") {
  check_product<300, 300>();
  check_product<6, 8>();
}

TEST_CASE("prepared constants have the element type and the alignment that the kernel requires") {
  CHECK(laws::kernel::all<packed_product, small>(laws::kernel::bytes(8, '\3')));
  CHECK(laws::kernel::all<squares, static_program<make_squares<40>>>(laws::kernel::bytes(40, '\1')));
  CHECK(laws::kernel::all<squares, static_program<make_squares<8>>>(laws::kernel::bytes(8, '\1')));
  CHECK_FALSE(laws::kernel::prepare_is_consistent<restarts_in_each_call, static_program<make_squares<40>>>());
  const auto packed = prepared_for<small, packed_product, 0>();
  CHECK(reinterpret_cast<std::uintptr_t>(packed.data()) % 4 == 0);
  CHECK(packed[4] == 7);  // the first weight of the second row
}

TEST_CASE("constants that are prepared at run time equal those of compile time") {
  const auto program = make_product<300, 300>{}();
  const auto prepared = prepare_node<packed_product>(program, program.nodes[0]);
  const auto constant = prepared_for<static_program<make_product<300, 300>>, packed_product, 0>();
  CHECK(std::equal(prepared.begin(), prepared.end(), constant.begin(), constant.end()));
}

TEST_CASE("equal constants that nodes prepare from equal weights are stored once") {
  using products = static_program<make_products>;
  const auto* const first = prepared_for<products, packed_product, 0>().data();
  CHECK(prepared_for<products, packed_product, 1>().data() == first);
  CHECK(prepared_for<products, packed_product, 2>().data() == first);
  CHECK(prepared_for<products, packed_product, 3>().data() != first);
  CHECK(prepared_for<products, packed_product, 4>().data() != first);
  const auto* const by_name = prepared_for<products, product_by_name, 0>().data();
  CHECK(prepared_for<products, product_by_name, 1>().data() != by_name);
  CHECK(prepared_for<products, product_by_name, 1>()[0] == 100);
  CHECK(prepared_for<products, product_by_name, 2>().data() == by_name);
  using both = std::tuple<small, products>;  // programs that were lowered together
  CHECK(prepared_for<products, packed_product, 1, both>().data() == prepared_for<small, packed_product, 0, both>().data());
  using tables = static_program<make_tables>;
  CHECK(prepared_for<tables, squares, 0>().data() == prepared_for<tables, squares, 1>().data());
}
