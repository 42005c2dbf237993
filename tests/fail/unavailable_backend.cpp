// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E49
// EXPECT: baton unavailable_backend: the backend of a delegate is not available; initialize it, or lower the part for another backend
// EXPECT: for_backend<baton::fixed_string<4>{"npu"}>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include "fail/copy_model.hpp"

struct npu {
  static constexpr auto id = baton::name<"npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
#if defined(FIXED)
  static constexpr auto is_available() -> bool { return true; }
#else
  static constexpr auto is_available() -> bool { return false; }
#endif
  static void execute(const baton::delegate_call&) {}
};

constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_support<npu, baton::operator_names<"test.copy">>{});

baton::basic_executor<lowered, baton::kernels<baton::archetypes::kernel>> net;
