// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The type of a kernel list is not a service.
// EXPECT: baton executor: a type is not a service; services are a loader of processed bytes
// EXPECT: pass kernels as baton::with_kernels<list> to baton::executor
#include <baton/executor.hpp>

#include "fail/relu_model.hpp"

#if defined(FIXED)
baton::executor<model, baton::with_kernels<baton::portable_kernels>> net;
#else
baton::executor<model, decltype(baton::portable_kernels)> net;
#endif
