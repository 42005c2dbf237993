// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Runs the delegate of an imported ExecuTorch program on a backend with the same id.
#include <baton/import/detail/pte_delegates.hpp>

#include <baton/backend/backends.hpp>
#include <baton/core/name.hpp>
#include <baton/core/span.hpp>
#include <baton/executor.hpp>
#include <baton/import/pte.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

#include "import/pte_writer.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

namespace {

// y = 2 · x + the number of processed bytes, by the delegate
constexpr auto written() -> baton::vector<char> {
  tests::pte_writer write;
  const auto x = write.tensor({.sizes = {2}, .offset = 0}), y = write.tensor({.sizes = {2}, .offset = 16});
  write.delegate("MyNpu", 1, 0);
  write.delegate_call(0, {x, y});
  write.method({x}, {y});
  return write.file("0123456789abcdef");
}
constexpr auto size = written().size();
constexpr auto copy = [] {
  std::array<char, size> bytes{};
  const auto file = written();
  for (std::size_t i = 0; i < size; ++i) bytes[i] = file[i];
  return bytes;
}();
template <std::size_t... I>
struct embedded_array {
  static constexpr unsigned char bytes[] = {static_cast<unsigned char>(copy[I])...};
};
template <std::size_t... I>
constexpr auto embed(std::index_sequence<I...>) -> embedded_array<I...>;
using embedded = decltype(embed(std::make_index_sequence<size>()));

struct my_npu {
  static constexpr auto id = baton::name<"MyNpu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
  static auto execute(const baton::delegate_call& call) -> baton::status {
    float x[2] = {};
    std::memcpy(x, call.inputs[0].data(), sizeof x);
    for (auto& each : x) each = 2 * each + static_cast<float>(call.processed_bytes.size());
    std::memcpy(call.outputs[0].data(), x, sizeof x);
    return baton::status::ok;
  }
};
using nothing_else = baton::by_support<my_npu, baton::operator_names<"my.operator">>;

constexpr auto lowered = baton::to_backend(baton::backends<my_npu>, baton::pte::read<embedded::bytes>, nothing_else{});

}  // namespace

TEST_CASE("pte: a delegate of the file runs on a backend with its id") {
  static baton::executor<lowered> net;
  const float x[2] = {1, 2};
  float y[2] = {};
  std::memcpy(net.input<0>().data(), x, sizeof x);
  CHECK(net.run() == baton::status::ok);
  std::memcpy(y, net.output<0>().data(), sizeof y);
  CHECK((y[0] == 18 && y[1] == 20));
}
