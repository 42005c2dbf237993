// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// hello_world_float with the example backend: the same outputs, and the same programs at compile time and at run time.
#include "golden.hpp"

#include "hello_world_float.tflite.hpp"
#include "npu/npu.hpp"

using npu_example::npu;
using npu_example::npu_partitioner;

namespace {

constexpr auto target = baton::backends<npu>;
constexpr auto& model = baton::tflite::read<hello_world_float_tflite>;
constexpr auto lowered = baton::to_backend(target, model, npu_partitioner{});
baton::executor<lowered> net;

}  // namespace

TEST_CASE("hello_world_float: delegated outputs match the reference") {
  golden::check_outputs(net, "hello_world_float", baton::dtype::float32);
}

TEST_CASE("hello_world_float: programs and plans are equal at compile time and at run time") {
  golden::check_two_times("hello_world_float", model, lowered, target, npu_partitioner{});
}
