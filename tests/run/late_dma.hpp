// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A DMA that finds wrong uses of a buffer: it destroys the destination when a transfer starts, and copies as late as possible.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tests {

struct late_dma {
  struct transfer {
    char* to;
    const char* from;
    std::size_t bytes;
  };

  static void start(void* to, const void* from, std::size_t bytes) {
    in_progress.push_back({static_cast<char*>(to), static_cast<const char*>(from), bytes});
    std::fill_n(static_cast<char*>(to), bytes, '\x5a');
    if (in_progress.size() > 1) is_largest_last = is_largest_last && in_progress[in_progress.size() - 2].bytes <= bytes;
  }
  static void wait() {
    for (const auto& [to, from, bytes] : in_progress) {
      std::copy_n(from, bytes, to);
      copied_bytes += bytes;
      ++copies;
    }
    in_progress.clear();
    ++waits;
  }
  static void restart() {
    in_progress.clear();
    copied_bytes = 0;
    copies = waits = 0;
    is_largest_last = true;
  }

  static inline std::vector<transfer> in_progress;
  static inline std::size_t copied_bytes = 0;
  static inline int copies = 0;
  static inline int waits = 0;
  static inline bool is_largest_last = true;
};

}  // namespace tests
