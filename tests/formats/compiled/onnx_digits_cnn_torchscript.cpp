// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// onnx_digits_cnn_torchscript, compiled as users compile a model: a float32 network.
#include "check_outputs.hpp"
#include "formats/onnx_case.hpp"

#include "model.onnx.hpp"

namespace {

constexpr auto model = baton::transform(baton::read_model<onnx_digits_cnn_torchscript>, baton::default_passes);
baton::executor<model> net;
static_assert(net.arena_bytes == 2560 && net.lower_bound == 2560);

}  // namespace

TEST_CASE("onnx_digits_cnn_torchscript: the executor computes the recorded outputs") {
  formats::check_executor<formats::onnx_case>(net, model, "onnx_digits_cnn_torchscript");
}
