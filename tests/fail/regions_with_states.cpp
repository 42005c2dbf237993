// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton executor: a program with mutable buffers keeps them in memory of the caller that other executors may use; promise the memory to this executor (baton::for_one_executor), remove in_arena or in_regions, or make the program a method
#include "fail/model_with_buffer.hpp"

baton::memory_region<512> fast;
baton::memory_region<512> slow;
baton::basic_executor<model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::in_regions<fast, slow>> net;
