// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include "../../examples/npu/npu.hpp"

#include "graphs.hpp"
#include "laws/backend.hpp"

#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace {

using namespace npu_example;
using namespace npu_graphs;

/// The processed bytes of a part, in an array of their size, and the size of its scratch.
template <std::size_t N>
struct compiled {
  std::array<char, N> processed_bytes{};
  std::uint32_t scratch_bytes = 0;
};
constexpr auto compile(const baton::exported_program& part) -> baton::preprocess_result { return npu::preprocess(part, {}).value; }
// A separate function, because Clang 16 does not destroy temporaries in a template argument.
consteval auto processed_size() -> std::size_t { return compile(as_part(every_operator{}())).processed_bytes.size(); }
consteval auto compiled_at_compile_time() {
  compiled<processed_size()> result;
  const auto from = compile(as_part(every_operator{}()));
  std::copy(from.processed_bytes.begin(), from.processed_bytes.end(), result.processed_bytes.begin());
  result.scratch_bytes = from.scratch_bytes;
  return result;
}
constexpr auto constant = compiled_at_compile_time();

static_assert(laws::backend::all<npu>(as_part(every_operator{}())));
static_assert(laws::backend::all<npu>(every_operator{}()));

auto refusal(const baton::exported_program& part) -> std::string {
  const auto processed = npu::preprocess(part, {});
  return processed ? "" : std::string{baton::view(processed.error.reason)};
}

auto instructions_of(const baton::preprocess_result& processed) -> baton::vector<instruction> {
  baton::vector<instruction> codes;
  const auto begin = read<header>(processed.processed_bytes.data());
  for (std::uint32_t n = 0; n < begin.instructions; ++n)
    codes.push_back(read<instruction>(processed.processed_bytes.data() + instruction_offset(n)));
  return codes;
}

}  // namespace

TEST_CASE("npu compiler: processed bytes are equal at compile time and at run time") {
  const auto now = compile(as_part(every_operator{}()));
  CHECK(
      std::equal(now.processed_bytes.begin(), now.processed_bytes.end(), constant.processed_bytes.begin(), constant.processed_bytes.end()));
  CHECK(now.scratch_bytes == constant.scratch_bytes);
}

TEST_CASE("npu compiler: each node has one instruction, and each instruction one debug handle") {
  const auto part = as_part(every_operator{}());
  const auto processed = compile(part);
  const auto codes = instructions_of(processed);
  REQUIRE(codes.size() == part.nodes.size());
  REQUIRE(processed.debug_handle_map.size() == codes.size());
  for (std::size_t n = 0; n < codes.size(); ++n) {
    CHECK(processed.debug_handle_map[n].identifier == static_cast<std::int64_t>(n));
    CHECK(processed.debug_handle_map[n].handles == baton::vector<std::int64_t>{part.nodes[n].debug_handle});
  }
  CHECK(codes.front().op == opcode::convolve);
  CHECK(codes.front().first == address{memory::argument, 0});
  CHECK(codes.front().second == address{memory::argument, 1});
  CHECK(codes.front().third == address{memory::argument, 2});
  CHECK(codes.back().third == address{});  // no bias
  CHECK(codes.back().to == address{memory::output, 0});
}

TEST_CASE("npu compiler: values in scratch that are live at the same time do not overlap") {
  const auto processed = compile(as_part(every_operator{}()));
  const auto codes = instructions_of(processed);
  CHECK(processed.scratch_bytes > 0);
  const auto bytes_of = [](const instruction& code) {
    return static_cast<std::uint32_t>(code.batches * code.rows.output * code.columns.output * code.channels);
  };
  for (std::size_t writer = 0; writer < codes.size(); ++writer) {
    const auto& producer = codes[writer];
    if (producer.to.in != memory::scratch) continue;
    CHECK(producer.to.at + bytes_of(producer) <= processed.scratch_bytes);
    auto last = writer;
    for (auto reader = writer + 1; reader < codes.size(); ++reader) {
      if (codes[reader].first == producer.to || codes[reader].second == producer.to) last = reader;
      if (codes[reader].to == producer.to) break;
    }
    for (auto other = writer + 1; other <= last; ++other) {
      const auto& to = codes[other].to;
      CHECK((to.in != memory::scratch || to.at >= producer.to.at + bytes_of(producer) || to.at + bytes_of(codes[other]) <= producer.to.at));
    }
  }
}

TEST_CASE("npu compiler: unsupported parts are rejected") {
  CHECK(refusal(as_part(every_operator{}())) == "");
  CHECK(refusal(every_operator{}()) == "the npu takes weights as arguments, the part owns p_weights0");
  CHECK(refusal(as_part(long_chain{}())) == "the npu holds 8 instructions, the part has 17");
  network net;
  const auto type = tensor(dtype::int8, 1, 4);
  const auto x = net.input("x", type);
  CHECK(refusal(net.finish({x})) == "x is an input or another output; the outputs of a part for the npu must be distinct");
  network other;
  const auto why = npu::preprocess(other.finish({other.softmax(other.input("x", type), type)}), {}).error;
  CHECK(baton::view(why.reason) == "no translation of tfl.softmax");
  CHECK(baton::view(why.node_name) == "tfl_softmax");
}
