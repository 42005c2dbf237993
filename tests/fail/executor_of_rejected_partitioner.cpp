// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A node without a kernel is not reported, because the partitioner could have assigned the node.
// EXPECT: baton to_backend: the partitioner of a static program has state; pass a lambda without captures that returns the partitioner
// ERRORS: 1
#include <baton/baton.hpp>

#include <array>

#include "fail/relu_model.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
  static void execute(const baton::delegate_call&) {}
};
struct all_nodes {
  int tag;
  constexpr auto partition(const baton::exported_program& program) const -> baton::partition_result {
    return baton::by_support<npu, baton::operator_names<"tfl.relu">>{}.partition(program);
  }
};

#if defined(FIXED)
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, [] { return all_nodes{1}; });
#else
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, all_nodes{1});
#endif
baton::executor<lowered, baton::with_kernels<baton::kernels<>>> net;

void run(const std::array<float, 4>& in, std::array<float, 4>& out) { net.run(in, out); }
