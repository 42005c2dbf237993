// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton to_backend: what lowers a static program must have no state; pass the partitioner as a lambda without captures that returns it
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

struct npu {
  static constexpr auto id = baton::name<"npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

constexpr baton::static_program model{[] {
  baton::program_builder build;
  const auto four = baton::tensor(baton::dtype::int8, 4);
  const auto x = build.user_input("x", four);
  const auto first = build.call("first", "test.taken", {x}, four);
  const auto between = build.call("between", "test.left", {first}, four);
  build.output(build.call("second", "test.taken", {first, between}, four));
  return build.finish();
}};

struct partitioner {
  int threshold = 1;
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result { return baton::partition_result{program}; }
};

#if defined(FIXED)
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, [] { return partitioner{2}; });
#else
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, partitioner{2});
#endif
