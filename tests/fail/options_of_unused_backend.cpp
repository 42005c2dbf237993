// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E59
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

baton::basic_executor<lowered, baton::kernels<baton::archetypes::kernel>> net{baton::with_options<meant>({.threads = 4})};
