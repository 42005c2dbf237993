// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// kws_ref_model by the portable kernels: every operator and every output, in an arena at its lower bound.
#include "golden.hpp"

#include "kws_ref_model.tflite.hpp"

namespace {

constexpr auto& model = baton::tflite::read<kws_ref_model_tflite>;
baton::executor<model> net;
static_assert(net.arena_bytes == 16000 && net.lower_bound == 16000);

}  // namespace

TEST_CASE("kws_ref_model: every operator matches the reference") { golden::check_operators(net, "kws_ref_model"); }

TEST_CASE("kws_ref_model: every output matches the reference") { golden::check_outputs(net, "kws_ref_model", baton::dtype::int8); }
