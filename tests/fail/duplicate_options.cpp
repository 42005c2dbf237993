// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: options of a backend are given twice; remove one
#include "fail/threaded_npu.hpp"

baton::basic_executor<lowered, baton::kernels<baton::archetypes::kernel>> net{baton::with_options<npu>({.threads = 4})
#if !defined(FIXED)
                                                                                  ,
                                                                              baton::with_options<npu>({.threads = 8})
#endif
};
