// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// kws_ref_model by rows: every output, in a fraction of the memory, and each node told of once.
#include "golden.hpp"
#include "streamed.hpp"

#include "kws_ref_model.tflite.hpp"

namespace {

constexpr auto& model = baton::tflite::read<kws_ref_model_tflite>;
using executor = streamed::executor<model>;
executor net;
static_assert(executor::arena_bytes == 5168 && executor::lower_bound == 5168);
static_assert(streamed::is_segment<executor>(0, 0, 9));

}  // namespace

TEST_CASE("kws_ref_model by rows: every output") { golden::check_outputs(net, "kws_ref_model", baton::dtype::int8); }

TEST_CASE("kws_ref_model by rows: an observer is told of each node once") { streamed::check_observed_once<model>(net); }
