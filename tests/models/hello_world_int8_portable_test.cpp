// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// hello_world_int8 by the portable kernels: every operator and every output, in an arena at its lower bound.
#include "golden.hpp"

#include "hello_world_int8.tflite.hpp"

namespace {

constexpr auto& model = baton::tflite::read<hello_world_int8_tflite>;
baton::executor<model> net;
static_assert(net.arena_bytes == 32 && net.lower_bound == 32);

}  // namespace

TEST_CASE("hello_world_int8: every operator matches the reference") { golden::check_operators(net, "hello_world_int8"); }

TEST_CASE("hello_world_int8: every output matches the reference") { golden::check_outputs(net, "hello_world_int8", baton::dtype::int8); }
