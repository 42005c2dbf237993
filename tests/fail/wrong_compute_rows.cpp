// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_kernel: the signature of compute_rows is wrong; write: template <class Call> static void compute_rows(const Call& call, std::int32_t first, std::int32_t last)
// EXPECT: baton not_a_kernel: the signature of compute_pixels is wrong; write: template <class Call> static void compute_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t last)
// EXPECT: baton not_a_kernel: the signature of compute_chunks is wrong; write: template <class Call> static void compute_chunks(const Call& call, std::int32_t first, std::int32_t last)
// EXPECT: baton not_a_kernel: a kernel that sums rows needs three functions; write: template <class Call> static void start_sums(const Call& call, char* sums), add_row(const Call& call, char* sums, std::int32_t row), finish_sums(const Call& call, const char* sums)
// LINES: 35
#include <baton/kernel/kernel.hpp>

struct mean : baton::archetypes::kernel {
  template <class Call>
  static void start_sums(const Call&, char*) {}
  template <class Call>
  static void finish_sums(const Call&, const char*) {}
#if defined(FIXED)
  template <class Call>
  static void compute_rows(const Call&, std::int32_t, std::int32_t) {}
  template <class Call>
  static void compute_pixels(const Call&, std::int32_t, std::int32_t, std::int32_t) {}
  template <class Call>
  static void compute_chunks(const Call&, std::int32_t, std::int32_t) {}
  template <class Call>
  static void add_row(const Call&, char*, std::int32_t) {}
#else
  template <class Call>
  static auto compute_rows(const Call&, std::int32_t, std::int32_t) -> int {
    return 0;
  }
  template <class Call>
  static void compute_pixels(const Call&, std::int32_t) {}
  template <class Call>
  static void compute_chunks(const Call&) {}
  template <class Call>
  static void add_row(const Call&, char*) {}
#endif
};

constexpr auto list = baton::kernels<mean>;
