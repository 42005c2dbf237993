// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// ad01_int8 by the portable kernels: every operator and every output, in an arena at its lower bound.
#include "golden.hpp"

#include "ad01_int8.tflite.hpp"

namespace {

constexpr auto& model = baton::tflite::read<ad01_int8_tflite>;
baton::executor<model> net;
static_assert(net.arena_bytes == 768 && net.lower_bound == 768);

}  // namespace

TEST_CASE("ad01_int8: every operator matches the reference") { golden::check_operators(net, "ad01_int8"); }

TEST_CASE("ad01_int8: every output matches the reference") { golden::check_outputs(net, "ad01_int8", baton::dtype::int8); }
