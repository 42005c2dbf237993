// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The translation unit that owns the model, for two kinds of targets. If XNNPACK is installed, it computes all nodes that it supports. On a
// microcontroller, there is no backend, and the default kernels of the core compute all nodes. Only the lowered program differs.
#include "../by_hand/digits.hpp"

#include <baton/baton.hpp>

#include "digits_int8.tflite.hpp"

#if __has_include(<xnnpack.h>) && __has_include(<pthreadpool.h>)
#include <baton/backends/xnnpack/xnnpack.hpp>
#endif

namespace {

constexpr auto model = baton::tflite::read<digits_int8_tflite>;
#if __has_include(<xnnpack.h>) && __has_include(<pthreadpool.h>)
constexpr auto lowered = baton::to_backend(baton::backends<baton::xnnpack::backend>, model, baton::xnnpack::partitioner{});
#else
constexpr auto lowered = model;
#endif
baton::executor<lowered> net;

}  // namespace

auto digits::run(std::span<const std::int8_t, 64> pixels, std::span<std::int8_t, 10> scores) -> baton::status {
  const auto run = [&]<class Executor>(Executor& executor) {
    if constexpr (Executor::can_fail) {
      return executor.run(pixels, scores);
    } else {
      executor.run(pixels, scores);
      return baton::status::ok;
    }
  };
  return run(net);
}
