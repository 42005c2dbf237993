// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// pretrainedResnet_quant row by row: every output, in a fraction of the memory, and one notification of each node.
#include "golden.hpp"
#include "streamed.hpp"

#include "pretrainedResnet_quant.tflite.hpp"

namespace {

constexpr auto& model = baton::tflite::read<pretrainedResnet_quant_tflite>;
using executor = streamed::executor<model>;
executor net;
static_assert(executor::arena_bytes == 14144 && executor::lower_bound == 13952);
static_assert(streamed::is_segment<executor>(0, 0, 7));

}  // namespace

TEST_CASE("pretrainedResnet_quant by rows: every output matches the reference") {
  golden::check_outputs(net, "pretrainedResnet_quant", baton::dtype::int8);
}

TEST_CASE("pretrainedResnet_quant by rows: an observer is notified of each node once") { streamed::check_observed_once<model>(net); }
