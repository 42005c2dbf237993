// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A backend that repacks 300,000 weights: each piece of the blob is a constant of its own, within the default limits of every compiler.
#include <baton/backend/lowered_module.hpp>
#include <baton/backend/packed_constant.hpp>
#include <baton/core/builder.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/constant_tagging.hpp>
#include <baton/run/basic_executor.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace {

using namespace baton;

constexpr std::size_t rows = 600;
constexpr std::size_t columns = 512;

// A literal, as embedded models are; in 89 bytes, which is prime, none is there twice.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Woverlength-strings"
#endif
#define BATON_TIMES_15(text) text text text text text text text text text text text text text text text
#define BATON_BASE "!#$&'()*+,-./0123456789:;<=>@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}"
constexpr std::string_view base{BATON_BASE};
constexpr char weights[] = BATON_TIMES_15(BATON_TIMES_15(BATON_TIMES_15(BATON_BASE) BATON_BASE));
static_assert(base.size() == 89 && sizeof weights > rows * columns);

/// A weight of a layer with as many columns.
constexpr auto weight_at(std::size_t row, std::size_t column, std::size_t of_columns) -> char {
  return base[(row * of_columns + column) % base.size()];
}

template <std::size_t Rows, std::size_t Columns>
struct make_layer {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    const auto x = build.user_input("x", tensor(dtype::int32, 2));
    const auto weight = build.parameter("weight", tensor(dtype::int8, Rows, Columns));
    build.output(build.call("y", "test.layer", {x, weight}, tensor(dtype::int8, 1)));
    auto made = build.finish();
    made.values[index(weight)].data = program_builder::view({weights, Rows * Columns});  // as importers do
    return made;
  }
};
using large_layer = make_layer<rows, columns>;
using small_layer = make_layer<37, 9>;
constexpr static_program large{large_layer{}};
constexpr static_program small{small_layer{}};

/// Wants tiles of 16 rows, each column by column, between a header and a mark; a last tile is padded.
struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr std::uint32_t tile = 16;
  static constexpr std::size_t header = 6;

  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    preprocess_result made{"header"};
    for (const auto& each : part.nodes) {
      const auto weight = part.inputs(each)[1];
      const auto height = static_cast<std::uint32_t>(part.shape(weight)[0]);
      const auto width = static_cast<std::uint32_t>(part.shape(weight)[1]);
      made.pack(part, {weight,
                       {{.dimension = 0, .count = (height + tile - 1) / tile, .step = tile},
                        {.dimension = 1, .count = width},
                        {.dimension = 0, .count = tile}},
                       '\x11'});
    }
    append(made.processed_bytes, "end");
    return made;
  }
  static constexpr auto place(std::size_t row, std::size_t column, std::size_t of_columns) -> std::size_t {
    return header + (row / tile * of_columns + column) * tile + row % tile;
  }
  /// Looks up the weight at a row and a column.
  static void execute(const delegate_call& call) {
    std::array<std::int32_t, 2> x{};
    std::memcpy(x.data(), call.inputs[0].data(), sizeof x);
    call.outputs[0][0] = call.blob[place(static_cast<std::size_t>(x[0]), static_cast<std::size_t>(x[1]), columns)];
  }
};
/// The same, with the parts of all methods at once.
struct batch_npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs& specs) -> preprocess_result {
    return npu::preprocess(part, specs);
  }
  static constexpr auto preprocess_multimethod(const by_method<exported_program>& parts, const by_method<compile_specs>&)
      -> by_method<preprocess_result> {
    by_method<preprocess_result> made;
    for (const auto& [method, programs] : parts) {
      for (const auto& part : programs) made[view(method)].push_back(preprocess(part, {}));
    }
    return made;
  }
};
/// A backend that compiles nothing: what it is given keeps its own blobs.
struct takes_all {
  static constexpr auto id = name<"TakesAll">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};
template <class Backend>
using all_layers = with_constants<by_support<Backend, operator_names<"test.layer">>>;

constexpr auto large_is_right(std::string_view blob) -> bool {
  for (const auto row : {0u, 1u, 15u, 16u, 255u, 598u, 599u}) {
    for (const auto column : {0u, 1u, 300u, 511u}) {
      if (blob[npu::place(row, column, columns)] != weight_at(row, column, columns)) return false;
    }
  }
  return blob.size() == npu::header + 608 * columns + 3 && blob.starts_with("header") && blob.ends_with("end") &&
         blob[npu::place(rows, 0, columns)] == '\x11' && blob[blob.size() - 4] == '\x11';
}
constexpr auto small_is_right(std::string_view blob) -> bool {
  for (std::size_t row = 0; row < 48; ++row) {
    for (std::size_t column = 0; column < 9; ++column) {
      if (blob[npu::place(row, column, 9)] != (row < 37 ? weight_at(row, column, 9) : '\x11')) return false;
    }
  }
  return blob.size() == npu::header + 48 * 9 + 3 && blob.starts_with("header") && blob.ends_with("end");
}

constexpr auto lowered = to_backend(backends<npu>, large, all_layers<npu>{});
static_assert(delegates(lowered).size() == 1 && large_is_right(delegates(lowered)[0].processed_bytes()));

// By id, at once with the parts of other methods, and nested in what is lowered again: computed as well.
constexpr auto by_id = to_backend(backends<npu>, name<"Npu">, small);
static_assert(small_is_right(by_id.view().processed_bytes()));
constexpr auto both = to_backend(backends<batch_npu>, methods(method<"first">(small), method<"second">(small)), all_layers<batch_npu>{});
static_assert(small_is_right(delegates(both[name<"second">])[0].processed_bytes()));
constexpr auto small_lowered = to_backend(backends<npu>, small, all_layers<npu>{});
constexpr auto nested = to_backend(backends<npu, takes_all>, name<"TakesAll">, small_lowered);
static_assert(small_is_right(lowered_module_view(nested.view().program(), delegate_id{0}).processed_bytes()));

constexpr auto is_right_within_a_constant() -> bool {
  const auto made = to_backend(backends<npu>, small_layer{}(), all_layers<npu>{});
  return small_is_right(delegates(made)[0].processed_bytes());
}
static_assert(is_right_within_a_constant());

}  // namespace

TEST_CASE("a blob of 300,000 repacked weights is computed at compile time, and is that of run time") {
  const auto made = to_backend(backends<npu>, large_layer{}(), all_layers<npu>{});
  CHECK(large_is_right(delegates(made)[0].processed_bytes()));
  CHECK(delegates(made)[0].processed_bytes() == delegates(lowered)[0].processed_bytes());
}

TEST_CASE("a blob with packed constants, by every way of lowering") {
  CHECK(is_right_within_a_constant());
  CHECK(small_is_right(to_backend(backends<npu>, "Npu", small_layer{}()).view().processed_bytes()));
  const auto together = to_backend(backends<batch_npu>, methods(method<"first">(small_layer{}()), method<"second">(small_layer{}())),
                                   all_layers<batch_npu>{});
  CHECK(small_is_right(delegates(together["first"])[0].processed_bytes()));
  CHECK(small_is_right(delegates(together["second"])[0].processed_bytes()));
}

TEST_CASE("execute finds each weight at its place") {
  basic_executor<lowered, kernels<>> net;
  std::array<std::int8_t, 1> found{};
  for (std::uint32_t row = 0; row < rows; row += 7) {
    for (std::uint32_t column = 0; column < columns; column += 5) {
      net.run(std::array<std::int32_t, 2>{static_cast<std::int32_t>(row), static_cast<std::int32_t>(column)}, found);
      REQUIRE(found[0] == weight_at(row, column, columns));
    }
  }
}
