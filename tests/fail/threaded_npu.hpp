// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A backend with options, and a minimal program that is lowered to it.
#pragma once

#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include "fail/copy_model.hpp"

struct npu {
  static constexpr auto id = baton::name<"npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
  struct options {
    int threads = 1;
  };
  static void execute(const baton::delegate_call&) {}
};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_support<npu, baton::operator_names<"test.copy">>{});
