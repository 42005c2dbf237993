// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// pretrainedResnet_quant by the portable kernels: every operator and every output, in an arena at its lower bound.
#include "golden.hpp"

#include "pretrainedResnet_quant.tflite.hpp"

namespace {

constexpr auto& model = baton::tflite::read<pretrainedResnet_quant_tflite>;
baton::executor<model> net;
static_assert(net.arena_bytes == 49152 && net.lower_bound == 49152);

}  // namespace

TEST_CASE("pretrainedResnet_quant: every operator matches the reference") { golden::check_operators(net, "pretrainedResnet_quant"); }

TEST_CASE("pretrainedResnet_quant: every output matches the reference") {
  golden::check_outputs(net, "pretrainedResnet_quant", baton::dtype::int8);
}
