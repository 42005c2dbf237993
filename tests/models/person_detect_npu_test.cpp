// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// person_detect with the example backend: the same outputs, and the same programs at compile time and at run time.
#include "golden.hpp"

#include "npu/npu.hpp"
#include "person_detect.tflite.hpp"

using npu_example::npu;
using npu_example::npu_partitioner;

namespace {

constexpr auto target = baton::backends<npu>;
constexpr auto& model = baton::tflite::read<person_detect_tflite>;
constexpr auto lowered = baton::to_backend(target, model, npu_partitioner{});
baton::executor<lowered> net;

}  // namespace

TEST_CASE("person_detect: delegated outputs match the reference") { golden::check_outputs(net, "person_detect", baton::dtype::int8); }

TEST_CASE("person_detect: programs and plans are equal at compile time and at run time") {
  golden::check_two_times("person_detect", model, lowered, target, npu_partitioner{});
}
