// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: memory is given twice; remove one in_arena or in_regions (a methods executor gives memory to its methods)
#include "run/float_net.hpp"

baton::memory_region<1024> fast;
baton::memory_region<1024> slow;
#if defined(FIXED)
baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::in_regions<fast, slow>> net;
#else
baton::basic_executor<float_net::model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::in_regions<fast, slow>,
                      baton::in_arena<fast>>
    net;
#endif
