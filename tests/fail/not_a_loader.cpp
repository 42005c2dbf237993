// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E50 E55
// EXPECT: baton executor: a type is not a service; services are a loader of processed bytes
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include "fail/copy_model.hpp"

struct npu {
  static constexpr auto id = baton::name<"npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
  static void execute(const baton::delegate_call&) {}
};
struct flash {
#if defined(FIXED)
  static auto load(const baton::processed_bytes::request&) -> baton::status_or<baton::processed_bytes::loaded> {
    return baton::status::not_found;
  }
#else
  static auto load(int) -> int { return 0; }
#endif
};

constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_support<npu, baton::operator_names<"test.copy">>{});

baton::basic_executor<lowered, baton::kernels<baton::archetypes::kernel>, baton::plan_options{}, flash> net;
