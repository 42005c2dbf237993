// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E53
// EXPECT: baton not_a_backend: execute returns neither void nor a status; write: static auto execute(const baton::delegate_call& call) -> baton::status
// ERRORS: 1
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include "fail/copy_model.hpp"

struct npu {
  static constexpr auto id = baton::name<"npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
#if defined(FIXED)
  static auto execute(const baton::delegate_call&) -> baton::status { return baton::status::ok; }
#else
  static auto execute(const baton::delegate_call&) -> int { return 0; }
#endif
};

constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_support<npu, baton::operator_names<"test.copy">>{});

baton::basic_executor<lowered, baton::kernels<baton::archetypes::kernel>> net;

void infer() { static_cast<void>(net.run()); }
