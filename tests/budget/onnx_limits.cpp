// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An executor of an ONNX model after the default passes, whose constants onnx_limits.sh measures. It generates model.onnx.hpp from the
// model's file.
#include <baton/baton.hpp>

#include "model.onnx.hpp"

namespace {

constexpr auto program = baton::transform(baton::read_model<model_onnx>, baton::default_passes);
baton::executor<program> net;

}  // namespace

auto main() -> int { net.run(); }
