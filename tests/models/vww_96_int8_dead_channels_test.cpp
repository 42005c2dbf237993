// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// vww_96_int8 without its dead channels, which are removed at compile time: half of the multiply-adds, a seventh of the weights, the same
// outputs.
#include "golden.hpp"

#include "vww_96_int8.tflite.hpp"

namespace {

constexpr auto& model = baton::tflite::read<vww_96_int8_tflite>;
constexpr auto smaller = baton::transform(model, baton::passes<baton::dead_channels>);

struct figures {
  std::uint64_t multiply_adds = 0;
  std::uint64_t weights = 0;

  constexpr auto operator==(const figures&) const -> bool = default;
};
constexpr auto figures_of(const baton::program_view& program) -> figures {
  figures result;
  for (const auto& record : program.nodes) {
    const auto work = baton::multiply_adds(program, record);
    result.multiply_adds += work;
    if (work != 0 && record.inputs.size > 1) result.weights += program[program.inputs(record)[1]].data.size;
  }
  return result;
}
static_assert(figures_of(model) == figures{7489664, 208112});
static_assert(figures_of(smaller) == figures{3727313, 29066});

baton::executor<smaller> net;
static_assert(net.arena_bytes == 55296 && net.lower_bound == 55296);

}  // namespace

TEST_CASE("vww_96_int8 without dead channels: every output matches the reference") {
  golden::check_outputs(net, "vww_96_int8", baton::dtype::int8);
}

TEST_CASE("vww_96_int8 without dead channels: programs and plans are equal at compile time and at run time") {
  const auto bytes = golden::model_bytes("vww_96_int8");
  CHECK(baton::same(smaller, baton::transform(baton::tflite::read_bytes(bytes), baton::passes<baton::dead_channels>)));
}
