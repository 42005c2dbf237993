// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The operators of audio front ends, whose kernels are in a separate list.
#pragma once

#include <baton/operators/detail/signal.hpp>

#include <cstdint>

namespace baton {

/// True if `op` is the hash of the name of a signal operator of TensorFlow Lite Micro.
constexpr auto is_signal_operator(std::uint64_t op) -> bool {
  for (const auto& definition : definitions::signal) {
    if (definition.name.hash == op) return true;
  }
  return false;
}

}  // namespace baton
