// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// person_detect by the portable kernels: every operator and every output, in an arena at its lower bound.
#include "golden.hpp"

#include "person_detect.tflite.hpp"

namespace {

constexpr auto& model = baton::tflite::read<person_detect_tflite>;
baton::executor<model> net;
static_assert(net.arena_bytes == 55296 && net.lower_bound == 55296);

}  // namespace

TEST_CASE("person_detect: every operator matches the reference") { golden::check_operators(net, "person_detect"); }

TEST_CASE("person_detect: every output matches the reference") { golden::check_outputs(net, "person_detect", baton::dtype::int8); }
