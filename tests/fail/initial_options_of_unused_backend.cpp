// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: options are set or read for a backend that the program does not use, or that declares no options; remove them or name another backend
#include "fail/threaded_npu.hpp"

struct dsp : npu {
  static constexpr auto id = baton::name<"dsp">;
};
#if defined(FIXED)
using meant = npu;
#else
using meant = dsp;
#endif

using initial = baton::initial_options<meant, meant::options{.threads = 4}>;
baton::basic_executor<lowered, baton::kernels<baton::archetypes::kernel>, baton::plan_options{}, initial> net;
