// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton in_regions: a program with mutable buffers needs its own arena, which keeps them; remove in_regions
#include "fail/model_with_buffer.hpp"

baton::memory_region<512> fast;
baton::memory_region<512> slow;
baton::basic_executor<model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::in_regions<fast, slow>> net;
