// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E58
// EXPECT: baton with_options: the backend declares no options; write in it: struct options { int threads = 1; };
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include "fail/copy_model.hpp"

struct npu {
  static constexpr auto id = baton::name<"npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
#if defined(FIXED)
  struct options {
    int threads = 1;
  };
#endif
  static void execute(const baton::delegate_call&) {}
};

constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_support<npu, baton::operator_names<"test.copy">>{});

baton::basic_executor<lowered, baton::kernels<baton::archetypes::kernel>> net{baton::with_options<npu>({4})};
