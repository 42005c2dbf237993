// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// hello_world_float by the portable kernels: every operator and every output, in an arena at its lower bound.
#include "golden.hpp"

#include "hello_world_float.tflite.hpp"

namespace {

constexpr auto& model = baton::tflite::read<hello_world_float_tflite>;
baton::executor<model> net;
static_assert(net.arena_bytes == 128 && net.lower_bound == 128);

}  // namespace

TEST_CASE("hello_world_float: every operator matches the reference") { golden::check_operators(net, "hello_world_float"); }

TEST_CASE("hello_world_float: every output matches the reference") {
  golden::check_outputs(net, "hello_world_float", baton::dtype::float32);
}
