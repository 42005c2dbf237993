// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: the executor has two lists of kernels; add them, as in baton::with_kernels<my_kernels
#include <baton/executor.hpp>

#include "fail/relu_model.hpp"

#if defined(FIXED)
baton::executor<model, baton::with_kernels<baton::portable_kernels>> net;
#else
baton::executor<model, baton::with_kernels<baton::portable_kernels>, baton::with_kernels<baton::default_kernels>> net;
#endif
