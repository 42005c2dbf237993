// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton backend_without_execute: the backend of a delegate has no execute of the required form; write: static void execute(const baton::delegate_call&)
// EXPECT: compiler_only
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include "fail/copy_model.hpp"

struct npu {
  static constexpr auto id = baton::name<"compiler_only">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
#if defined(FIXED)
  static void execute(const baton::delegate_call&) {}
#endif
};

constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_support<npu, baton::operator_names<"test.copy">>{});

baton::basic_executor<lowered, baton::kernels<baton::archetypes::kernel>> net;

void infer() { net.run(); }
