// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: in_slices::of<0> permits no operation in a slice; pass the maximum number of operations of a slice, or write in_slices without a limit
#include <baton/executor.hpp>
#include <baton/run/in_slices.hpp>

#include "fail/relu_model.hpp"

#if defined(FIXED)
baton::executor<model, baton::in_slices::of<1>> net;
#else
baton::executor<model, baton::in_slices::of<0>> net;
#endif
