// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// person_detect row by row: every output, in a fraction of the memory, and one notification of each node.
#include "golden.hpp"
#include "streamed.hpp"

#include "person_detect.tflite.hpp"

namespace {

constexpr auto& model = baton::tflite::read<person_detect_tflite>;
using executor = streamed::executor<model>;
executor net;
static_assert(executor::arena_bytes == 13088 && executor::lower_bound == 13088);
static_assert(streamed::is_segment<executor>(0, 0, 3));
static_assert(streamed::is_segment<executor>(1, 4, 7));

}  // namespace

TEST_CASE("person_detect by rows: every output matches the reference") { golden::check_outputs(net, "person_detect", baton::dtype::int8); }

TEST_CASE("person_detect by rows: an observer is notified of each node once") { streamed::check_observed_once<model>(net); }
