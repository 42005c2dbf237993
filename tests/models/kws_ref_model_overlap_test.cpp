// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// kws_ref_model by the portable kernels, with overlapping outputs and operands in both write orders: every operator and every output, in
// about half of the arena.
#include "golden.hpp"

#include "kws_ref_model.tflite.hpp"

namespace {

constexpr auto& model = baton::tflite::read<kws_ref_model_tflite>;
baton::executor<model, baton::planned_by<baton::memory_policies::in_place>> net;
static_assert(net.arena_bytes == 8384 && net.lower_bound == 8384);

}  // namespace

TEST_CASE("kws_ref_model, overlapped: every operator matches the reference") { golden::check_operators(net, "kws_ref_model"); }

TEST_CASE("kws_ref_model, overlapped: every output matches the reference") {
  golden::check_outputs(net, "kws_ref_model", baton::dtype::int8);
}
