// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_backend: the backend was not found in the list of backends; add it to baton::backends<...>, or correct the id
// EXPECT: the list is empty; use
// EXPECT: baton::then to keep the
#include <baton/core/static_program.hpp>
#include <baton/core/then.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/run/basic_executor.hpp>

#include "fail/copy_model.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
  static void execute(const baton::delegate_call&) {}
};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_support<npu, baton::operator_names<"test.copy">>{});

#if defined(FIXED)
constexpr auto changed = baton::then(lowered, [](const baton::program_view& program) { return baton::thaw(program); });
#else
constexpr baton::static_program changed{[] { return baton::thaw(lowered.value()); }};
#endif

baton::basic_executor<changed, baton::kernels<>> net;
