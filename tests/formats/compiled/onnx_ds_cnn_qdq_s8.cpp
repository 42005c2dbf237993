// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// onnx_ds_cnn_qdq_s8, compiled as users compile a model: a quantized network: convolutions, depthwise convolutions, a pool and a linear
// layer.
#include "check_outputs.hpp"
#include "formats/onnx_case.hpp"

#include "model.onnx.hpp"

namespace {

constexpr auto model = baton::transform(baton::read_model<onnx_ds_cnn_qdq_s8>, baton::default_passes);
baton::executor<model> net;
static_assert(net.arena_bytes == 8000 && net.lower_bound == 8000);

}  // namespace

TEST_CASE("onnx_ds_cnn_qdq_s8: the executor computes the recorded outputs") {
  formats::check_executor<formats::onnx_case>(net, model, "onnx_ds_cnn_qdq_s8");
}
