// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: in_slices is given twice; remove one
#include <baton/executor.hpp>
#include <baton/run/in_slices.hpp>

#include "fail/relu_model.hpp"

using limited = baton::in_slices::of<50>;
#if defined(FIXED)
baton::executor<model, limited> net;
#else
baton::executor<model, limited, baton::in_slices> net;
#endif
