// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: options are given once for a backend; one has them twice; leave the others out
#include "fail/threaded_npu.hpp"

baton::basic_executor<lowered, baton::kernels<baton::archetypes::kernel>> net{baton::with_options<npu>({.threads = 4})
#if !defined(FIXED)
                                                                                  ,
                                                                              baton::with_options<npu>({.threads = 8})
#endif
};
