// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The computation of test backends that multiply.
#pragma once

#include <baton/run/delegate.hpp>

#include <cstddef>
#include <cstring>

namespace tests {

/// Writes the float32 products of the first and the last input to output 0 of a delegate call.
inline void multiply(const baton::delegate_call& call) {
  for (std::size_t i = 0; i < call.outputs[0].size(); i += sizeof(float)) {
    float left = 0;
    float right = 0;
    std::memcpy(&left, call.inputs[0].data() + i, sizeof left);
    std::memcpy(&right, call.inputs[call.inputs.size() - 1].data() + i, sizeof right);
    left *= right;
    std::memcpy(call.outputs[0].data() + i, &left, sizeof left);
  }
}

}  // namespace tests
