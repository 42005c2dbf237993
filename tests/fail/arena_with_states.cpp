// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton in_arena: a program with mutable buffers needs its own arena, which keeps them; remove in_arena, or make the program a method
#include "fail/model_with_buffer.hpp"

#include <cstddef>

struct alignas(16) page {
  std::byte bytes[1024];
};
page pool;
baton::basic_executor<model, baton::kernels<float_net::copy>, baton::plan_options{}, baton::in_arena<pool>> net;
