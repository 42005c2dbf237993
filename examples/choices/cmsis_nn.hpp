// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A choice of the tools: Arm's CMSIS-NN for all nodes that it supports.
// needs-header: arm_nnfunctions.h
// install: git clone https://github.com/ARM-software/CMSIS-NN; then set CPATH to its Include
// not-run-here: baton firmware MODEL INPUT OUTPUT --kernels cmsis_nn runs it under QEMU
#pragma once

#include "../absent_choice.hpp"

#include <baton/baton.hpp>

#include <string_view>
#if __has_include(<arm_nnfunctions.h>) && !defined(WITHOUT_VENDOR_LIBRARIES)
#include <baton/backends/cmsis_nn/cmsis_nn.hpp>
#endif

namespace choices {

#if __has_include(<arm_nnfunctions.h>) && !defined(WITHOUT_VENDOR_LIBRARIES)
struct cmsis_nn {
  static constexpr std::string_view name = "cmsis_nn";
  template <class Program>
  static constexpr auto lower(const Program& program) {
    return baton::to_backend(baton::backends<baton::cmsis_nn::backend>, baton::transform(program, baton::default_passes),
                             baton::cmsis_nn::partitioner{});
  }
  static auto verdicts(const baton::exported_program& program) -> baton::vector<baton::node_verdict> {
    return baton::value_or_raise(baton::verdicts_of(program, baton::cmsis_nn::partitioner{}));
  }
};
#else
using cmsis_nn = absent<"cmsis_nn", "arm_nnfunctions.h of Arm's CMSIS-NN (CPATH=<checkout>/Include)">;
#endif

}  // namespace choices
