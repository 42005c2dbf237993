// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// kws_ref_model compiled by Vela: read, checked command by command, lowered and planned at compile time, within the compiler's limits. It
// runs in the accelerator's scratch alone, with a simulated accelerator.
#include <baton/backends/ethos_u/backend.hpp>
#include <baton/backends/ethos_u/partitioner.hpp>
#include <baton/baton.hpp>

#include "backends/ethos_u/simulated_driver.hpp"
#include "kws_ref_model_vela.tflite.hpp"
#include "models/golden.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>

namespace {

using npu = baton::ethos_u::backend<baton::ethos_u::u55_128, ethos_u_tests::simulated_driver>;

constexpr auto& model = baton::tflite::read<kws_ref_model_vela_tflite>;
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::ethos_u::partitioner<baton::ethos_u::u55_128>{});
static_assert(baton::fully_delegated(lowered));
static_assert(baton::executor<lowered>::arena_bytes == 22192);
baton::executor<lowered> net;

}  // namespace

TEST_CASE("kws_ref_model compiled by Vela is lowered within the compiler's limits, and runs") {
  const auto input = golden::file("kws_ref_model", "input_0.bin");
  const auto expected = golden::file("kws_ref_model", "output_0.bin");
  const baton::program_view program = model.value();
  const auto weights = program.data(program[program.inputs(program.nodes[0])[1]].data);
  const ethos_u_tests::script scripts[] = {{weights, {input.data(), input.size()}, {expected.data(), expected.size()}}};
  ethos_u_tests::simulated_driver::scripts = scripts;
  golden::fill(net, input);
  CHECK(net.run() == baton::status::ok);
  CHECK(ethos_u_tests::simulated_driver::fault == "");
  REQUIRE(net.output().size() == expected.size());
  CHECK(std::memcmp(net.output().data(), expected.data(), expected.size()) == 0);
}
