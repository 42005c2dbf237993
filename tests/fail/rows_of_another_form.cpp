// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_kernel: a kernel computes rows from first to before last; write: template <class Call> static void run_rows(const Call& call, std::int32_t first, std::int32_t last)
// EXPECT: baton not_a_kernel: a kernel that is run by rows computes pixels of one; write: template <class Call> static void run_pixels(const Call& call, std::int32_t row, std::int32_t first, std::int32_t last) beside window_of
// EXPECT: baton not_a_kernel: a kernel that sums rows up is run by rows, says how many bytes, and makes them; write: static constexpr auto sum_bytes(const baton::program_view&, const baton::node&) -> std::uint32_t and template <class Call> static void start_sums(const Call& call, char* sums), add_row(const Call& call, char* sums, std::int32_t row), finish_sums(const Call& call, const char* sums) beside window_of
// LINES: 45
#include <baton/kernel/kernel.hpp>

struct mean : baton::archetypes::kernel {
  static constexpr auto window_of(const baton::program_view&, const baton::node&, std::size_t) -> baton::row_window { return {}; }
  static constexpr auto sum_bytes(const baton::program_view&, const baton::node&) -> std::uint32_t { return 4; }
  template <class Call>
  static void start_sums(const Call&, char*) {}
  template <class Call>
  static void finish_sums(const Call&, const char*) {}
#if defined(FIXED)
  template <class Call>
  static void run_rows(const Call&, std::int32_t, std::int32_t) {}
  template <class Call>
  static void run_pixels(const Call&, std::int32_t, std::int32_t, std::int32_t) {}
  template <class Call>
  static void add_row(const Call&, char*, std::int32_t) {}
#else
  template <class Call>
  static auto run_rows(const Call&, std::int32_t, std::int32_t) -> int {
    return 0;
  }
  template <class Call>
  static void run_pixels(const Call&, std::int32_t) {}
  template <class Call>
  static void add_row(const Call&, char*) {}
#endif
};

constexpr auto list = baton::kernels<mean>;
