// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton uneven_alignment: the alignment of a memory plan is not a power of two; use 4, 8 or 16, for example
// EXPECT: because<baton::fixed_string<28>{"the alignment is 2147483649"}>
#include <baton/executor.hpp>

#include "fail/relu_model.hpp"

#if defined(FIXED)
constexpr baton::plan_options options{.alignment = 8};
#else
constexpr baton::plan_options options{.alignment = 0x80000001};
#endif
baton::executor<model, baton::with_plan_options<options>> net;
