// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_backend: init returns neither void nor a status; write: static auto init(baton::init_context<>& context, state& state) -> baton::status
// ERRORS: 1
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include "fail/copy_model.hpp"

struct npu {
  static constexpr auto id = baton::name<"npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
#if defined(FIXED)
  static auto init(baton::init_context<>&) -> baton::status { return baton::status::ok; }
#else
  static auto init(baton::init_context<>&) -> int { return 0; }
#endif
  static void execute(const baton::delegate_call&) {}
};

constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_support<npu, baton::operator_names<"test.copy">>{});

baton::basic_executor<lowered, baton::kernels<baton::archetypes::kernel>> net;

void infer() { static_cast<void>(net.run()); }
