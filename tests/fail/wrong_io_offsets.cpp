// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_backend: the signature of io_offsets_in_scratch is wrong; write: static constexpr auto io_offsets_in_scratch(const baton::lowered_module_view& module) -> baton::io_offsets
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include "fail/copy_model.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
#if defined(FIXED)
  static constexpr auto io_offsets_in_scratch(const baton::lowered_module_view&) -> baton::io_offsets { return {}; }
#else
  static constexpr auto io_offsets_in_scratch(const baton::lowered_module_view&) -> int { return 0; }
#endif
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
  static void execute(const baton::delegate_call&) {}
};

constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_support<npu, baton::operator_names<"test.copy">>{});

baton::basic_executor<lowered, baton::kernels<>> net;

void infer() { net.run(); }
