// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A backend that repacks 300,000 weights. Each piece of the processed bytes is a separate constant, within the default limits of every
// compiler.
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

// A string literal, as embedded models are. Its period is 89 bytes, a prime number, and no byte occurs twice in a period.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Woverlength-strings"
#endif
#define BATON_TIMES_15(text) text text text text text text text text text text text text text text text
#define BATON_BASE "!#$&'()*+,-./0123456789:;<=>@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}"
constexpr std::string_view base{BATON_BASE};
constexpr char weights[] = BATON_TIMES_15(BATON_TIMES_15(BATON_TIMES_15(BATON_BASE) BATON_BASE));
static_assert(base.size() == 89 && sizeof weights > rows * columns);

/// The weight at a row and a column of a layer with `width` columns.
constexpr auto weight_at(std::size_t row, std::size_t column, std::size_t width) -> char {
  return base[(row * width + column) % base.size()];
}

template <std::size_t Rows, std::size_t Columns>
struct make_layer {
  constexpr auto operator()() const -> exported_program {
    program_builder build;
    const auto x = build.user_input("x", tensor(dtype::int32, 2));
    const auto weight = build.parameter("weight", tensor(dtype::int8, Rows, Columns));
    build.output(build.call("y", "test.layer", {x, weight}, tensor(dtype::int8, 1)));
    auto program = build.finish();
    program.values[index(weight)].data = program_builder::view({weights, Rows * Columns});  // as importers do
    return program;
  }
};
using large_layer = make_layer<rows, columns>;
using small_layer = make_layer<37, 9>;
constexpr static_program large{large_layer{}};
constexpr static_program small{small_layer{}};

/// Packs weights in tiles of 16 rows, each tile column by column, between a header and an end mark. The last tile is padded.
struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr std::uint32_t tile = 16;
  static constexpr std::size_t header = 6;

  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    preprocess_result processed{"header"};
    for (const auto& record : part.nodes) {
      const auto weight = part.inputs(record)[1];
      const auto height = static_cast<std::uint32_t>(part.shape(weight)[0]);
      const auto width = static_cast<std::uint32_t>(part.shape(weight)[1]);
      processed.pack(part, {weight,
                            {{.dimension = 0, .count = (height + tile - 1) / tile, .step = tile},
                             {.dimension = 1, .count = width},
                             {.dimension = 0, .count = tile}},
                            '\x11'});
    }
    append(processed.processed_bytes, "end");
    return processed;
  }
  static constexpr auto byte_index(std::size_t row, std::size_t column, std::size_t width) -> std::size_t {
    return header + (row / tile * width + column) * tile + row % tile;
  }
  /// Outputs the weight at a row and a column, which are its inputs.
  static void execute(const delegate_call& call) {
    std::array<std::int32_t, 2> x{};
    std::memcpy(x.data(), call.inputs[0].data(), sizeof x);
    call.outputs[0][0] = call.processed_bytes[byte_index(static_cast<std::size_t>(x[0]), static_cast<std::size_t>(x[1]), columns)];
  }
};
/// The same backend, which preprocesses the parts of all methods together.
struct batch_npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs& specs) -> preprocess_result {
    return npu::preprocess(part, specs);
  }
  static constexpr auto preprocess_multimethod(const by_method<exported_program>& parts, const by_method<compile_specs>&)
      -> by_method<preprocess_result> {
    by_method<preprocess_result> results;
    for (const auto& [method, programs] : parts) {
      for (const auto& part : programs) results[view(method)].push_back(preprocess(part, {}));
    }
    return results;
  }
};
/// A backend without processed bytes. The delegates inside its parts keep theirs.
struct empty_backend {
  static constexpr auto id = name<"TakesAll">;
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};
template <class Backend>
using all_layers = with_constants<by_support<Backend, operator_names<"test.layer">>>;

constexpr auto is_large(std::string_view processed_bytes) -> bool {
  for (const auto row : {0u, 1u, 15u, 16u, 255u, 598u, 599u}) {
    for (const auto column : {0u, 1u, 300u, 511u}) {
      if (processed_bytes[npu::byte_index(row, column, columns)] != weight_at(row, column, columns)) return false;
    }
  }
  return processed_bytes.size() == npu::header + 608 * columns + 3 && processed_bytes.starts_with("header") &&
         processed_bytes.ends_with("end") && processed_bytes[npu::byte_index(rows, 0, columns)] == '\x11' &&
         processed_bytes[processed_bytes.size() - 4] == '\x11';
}
constexpr auto is_small(std::string_view processed_bytes) -> bool {
  for (std::size_t row = 0; row < 48; ++row) {
    for (std::size_t column = 0; column < 9; ++column) {
      if (processed_bytes[npu::byte_index(row, column, 9)] != (row < 37 ? weight_at(row, column, 9) : '\x11')) return false;
    }
  }
  return processed_bytes.size() == npu::header + 48 * 9 + 3 && processed_bytes.starts_with("header") && processed_bytes.ends_with("end");
}

constexpr auto lowered = to_backend(backends<npu>, large, all_layers<npu>{});
static_assert(delegates(lowered).size() == 1 && is_large(delegates(lowered)[0].processed_bytes()));

// Packed processed bytes are also computed by id, together with the parts of other methods, and inside of a program that is lowered again.
constexpr auto by_id = to_backend(backends<npu>, name<"Npu">, small);
static_assert(is_small(by_id.view().processed_bytes()));
constexpr auto both = to_backend(backends<batch_npu>, methods(method<"first">(small), method<"second">(small)), all_layers<batch_npu>{});
static_assert(is_small(delegates(both[name<"second">])[0].processed_bytes()));
constexpr auto small_lowered = to_backend(backends<npu>, small, all_layers<npu>{});
constexpr auto nested = to_backend(backends<npu, empty_backend>, name<"TakesAll">, small_lowered);
static_assert(is_small(lowered_module_view(nested.view().program(), delegate_id{0}).processed_bytes()));

constexpr auto small_processed_bytes_are_computed_in_one_constant() -> bool {
  const auto repacked = to_backend(backends<npu>, small_layer{}(), all_layers<npu>{});
  return is_small(delegates(repacked)[0].processed_bytes());
}
static_assert(small_processed_bytes_are_computed_in_one_constant());

}  // namespace

TEST_CASE("processed bytes of 300,000 repacked weights are computed at compile time, and equal those of run time") {
  const auto repacked = to_backend(backends<npu>, large_layer{}(), all_layers<npu>{});
  CHECK(is_large(delegates(repacked)[0].processed_bytes()));
  CHECK(delegates(repacked)[0].processed_bytes() == delegates(lowered)[0].processed_bytes());
}

TEST_CASE("processed bytes with packed constants are computed by id, by methods and in one constant") {
  CHECK(small_processed_bytes_are_computed_in_one_constant());
  CHECK(is_small(to_backend(backends<npu>, "Npu", small_layer{}()).view().processed_bytes()));
  const auto together = to_backend(backends<batch_npu>, methods(method<"first">(small_layer{}()), method<"second">(small_layer{}())),
                                   all_layers<batch_npu>{});
  CHECK(is_small(delegates(together["first"])[0].processed_bytes()));
  CHECK(is_small(delegates(together["second"])[0].processed_bytes()));
}

TEST_CASE("execute finds each weight at its index") {
  basic_executor<lowered, kernels<>> net;
  std::array<std::int8_t, 1> weight{};
  for (std::uint32_t row = 0; row < rows; row += 7) {
    for (std::uint32_t column = 0; column < columns; column += 5) {
      net.run(std::array<std::int32_t, 2>{static_cast<std::int32_t>(row), static_cast<std::int32_t>(column)}, weight);
      REQUIRE(weight[0] == weight_at(row, column, columns));
    }
  }
}
