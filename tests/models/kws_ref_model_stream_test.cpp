// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// kws_ref_model row by row: every output, in a fraction of the memory, and one notification of each node.
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

TEST_CASE("kws_ref_model by rows: every output matches the reference") { golden::check_outputs(net, "kws_ref_model", baton::dtype::int8); }

TEST_CASE("kws_ref_model by rows: an observer is notified of each node once") { streamed::check_observed_once<model>(net); }
