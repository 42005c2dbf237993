// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// pt2_ds_cnn_int8, compiled as users compile a model: a program of torch.export that PT2E quantized.
#include "check_outputs.hpp"
#include "formats/pt2_case.hpp"

#include "model.pt2.hpp"

namespace {

constexpr auto model = baton::transform(baton::read_model<pt2_ds_cnn_int8>, baton::default_passes);
baton::executor<model> net;
static_assert(net.arena_bytes == 8000 && net.lower_bound == 8000);

}  // namespace

TEST_CASE("pt2_ds_cnn_int8: the executor computes the recorded outputs") {
  formats::check_executor<formats::pt2_case>(net, model, "pt2_ds_cnn_int8");
}
