// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// pretrainedResnet_quant with the example backend: the same outputs, and the same programs at compile time and at run time.
#include "golden.hpp"

#include "npu/npu.hpp"
#include "pretrainedResnet_quant.tflite.hpp"

using npu_example::npu;
using npu_example::npu_partitioner;

namespace {

constexpr auto target = baton::backends<npu>;
constexpr auto& model = baton::tflite::read<pretrainedResnet_quant_tflite>;
constexpr auto lowered = baton::to_backend(target, model, npu_partitioner{});
baton::executor<lowered> net;

}  // namespace

TEST_CASE("pretrainedResnet_quant: delegated outputs match the reference") {
  golden::check_outputs(net, "pretrainedResnet_quant", baton::dtype::int8);
}

TEST_CASE("pretrainedResnet_quant: programs and plans are equal at compile time and at run time") {
  golden::check_two_times("pretrainedResnet_quant", model, lowered, target, npu_partitioner{});
}
