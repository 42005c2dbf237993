// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton profiler: the profiler and the executor have different programs; use the program of the executor
#include <baton/run/basic_executor.hpp>
#include <baton/run/profiler.hpp>

#include <cstdint>

struct copy {
  static constexpr auto describe(const baton::program_view&, const baton::node&) -> baton::node_description<> { return {baton::accept()}; }
  static void compute(const baton::no_plan&, const baton::node_memory&) {}
};

constexpr auto make() -> baton::exported_program {
  baton::program_builder build;
  const auto x = build.user_input("x", baton::tensor(baton::dtype::int8, 4));
  build.output(build.call("test.copy", {x}, baton::tensor(baton::dtype::int8, 4)));
  return build.finish();
}
constexpr baton::static_program model{[] { return make(); }};

struct my_clock {
  static auto now() -> std::uint32_t { return 0; }
};
constexpr baton::static_program other{[] { return make(); }};

#if defined(FIXED)
baton::profiler<model, my_clock> times;
#else
baton::profiler<other, my_clock> times;
#endif

baton::basic_executor<model, baton::kernels<copy>> net;
void measure() { net.run(times); }
