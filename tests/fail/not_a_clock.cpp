// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton profiler: the clock has no now() that returns an unsigned number or a time point; write: static auto now() -> std::uint32_t, or use a clock of std::chrono
#include <baton/run/basic_executor.hpp>
#include <baton/run/profiler.hpp>

#include <cstdint>

constexpr auto make() -> baton::exported_program {
  baton::program_builder build;
  const auto x = build.user_input("x", baton::tensor(baton::dtype::int8, 4));
  build.output(build.call("test.copy", {x}, baton::tensor(baton::dtype::int8, 4)));
  return build.finish();
}
constexpr baton::static_program model{[] { return make(); }};

struct my_clock {
#if defined(FIXED)
  static auto now() -> std::uint32_t { return 0; }
#else
  static auto now() -> const char* { return nullptr; }
#endif
};

baton::profiler<model, my_clock> times;
