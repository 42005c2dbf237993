// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E51
// EXPECT: baton not_a_backend: the parameters of init are wrong; write: static auto init(baton::init_context<>& context, state& state) -> baton::status (init_context<options> if the backend has options)
// ERRORS: 1
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include "fail/copy_model.hpp"

struct npu {
  static constexpr auto id = baton::name<"npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
#if defined(FIXED)
  static auto init(baton::init_context<>& context) -> baton::status {
    context.failed_operation = 2;
    return baton::status::internal;
  }
#else
  static auto init(int) -> baton::status { return baton::status::ok; }
#endif
  static void execute(const baton::delegate_call&) {}
};

constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_support<npu, baton::operator_names<"test.copy">>{});

baton::basic_executor<lowered, baton::kernels<baton::archetypes::kernel>> net;

void infer() { static_cast<void>(net.run()); }
