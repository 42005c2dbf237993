// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton copied_weights: the DMA type lacks a function; write: static void start(void* to, const void* from, std::size_t bytes) and static void wait()
#include "fail/copied_net.hpp"

struct dma {
  static void start(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
#if defined(FIXED)
  static void wait() {}
#endif
};

copied_net<baton::copied_weights<dma, large_buffer>> net;
void infer() { net.run(); }
