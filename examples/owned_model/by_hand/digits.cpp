// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The translation unit that owns the model. Only this file includes the model and Baton, and is recompiled if the model or a backend
// changes.
#include "digits.hpp"

#include <baton/baton.hpp>

#include "digits_int8.tflite.hpp"
#include "npu/npu.hpp"

namespace {

constexpr auto target = baton::backends<npu_example::npu>;
constexpr auto model = baton::tflite::read<digits_int8_tflite>;
constexpr auto lowered = baton::to_backend(target, model, npu_example::npu_partitioner{});
baton::executor<lowered> net;

}  // namespace

auto digits::run(std::span<const std::int8_t, 64> pixels, std::span<std::int8_t, 10> scores) -> baton::status {
  net.run(pixels, scores);
  return baton::status::ok;  // if a backend can fail, return the result of `net.run`
}
