// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// vww_96_int8 by the portable kernels: every operator and every output, in an arena at its lower bound.
#include "golden.hpp"

#include "vww_96_int8.tflite.hpp"

namespace {

constexpr auto& model = baton::tflite::read<vww_96_int8_tflite>;
baton::executor<model> net;
static_assert(net.arena_bytes == 55296 && net.lower_bound == 55296);

}  // namespace

TEST_CASE("vww_96_int8: every operator matches the reference") { golden::check_operators(net, "vww_96_int8"); }

TEST_CASE("vww_96_int8: every output matches the reference") { golden::check_outputs(net, "vww_96_int8", baton::dtype::int8); }
