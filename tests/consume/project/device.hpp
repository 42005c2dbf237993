// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A backend that can fail: a device that computes the position of the maximum score, and can be switched off.
#pragma once

#include <baton/baton.hpp>

#include "switch.hpp"

#include <cstddef>

struct device {
  static constexpr auto id = baton::name<"Device">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result {
    return baton::preprocess_result("blob");
  }
  static auto execute(const baton::delegate_call& call) -> baton::status {
    if (!device_is_on) return baton::status::access_failed;
    const auto scores = call.inputs[0];
    std::size_t greatest = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (static_cast<signed char>(scores[i]) > static_cast<signed char>(scores[greatest])) greatest = i;
    }
    for (std::size_t i = 0; i < scores.size(); ++i) call.outputs[0][i] = static_cast<char>(i == greatest ? 127 : -128);
    return baton::status::ok;
  }
};
using device_partitioner = baton::by_support<device, baton::operator_names<"tfl.softmax">>;
