// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// kws_ref_model with the example backend: the same outputs, and the same programs at compile time and at run time.
#include "golden.hpp"

#include "kws_ref_model.tflite.hpp"
#include "npu/npu.hpp"

using npu_example::npu;
using npu_example::npu_partitioner;

namespace {

constexpr auto target = baton::backends<npu>;
constexpr auto& model = baton::tflite::read<kws_ref_model_tflite>;
constexpr auto lowered = baton::to_backend(target, model, npu_partitioner{});
baton::executor<lowered> net;

}  // namespace

TEST_CASE("kws_ref_model: delegated outputs match the reference") { golden::check_outputs(net, "kws_ref_model", baton::dtype::int8); }

TEST_CASE("kws_ref_model: programs and plans are equal at compile time and at run time") {
  golden::check_two_times("kws_ref_model", model, lowered, target, npu_partitioner{});
}
