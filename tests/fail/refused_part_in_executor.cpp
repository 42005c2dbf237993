// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// An executor of the part causes no further error.
// EXPECT: baton refused_part: a backend refused to preprocess a part; see the reason, and correct the partitioner or the model
// EXPECT: because<baton::fixed_string<12>{"it is small"}>
#include <baton/baton.hpp>

#include <array>
#include <cstddef>

#include "fail/relu_model.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::result<baton::preprocess_result> {
    return baton::refuse_part("it is small");
  }
  static void execute(const baton::delegate_call&) {}
};

#if defined(FIXED)
constexpr auto lowered = model;
#else
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, baton::by_support<npu, baton::operator_names<"tfl.relu">>{});
#endif
baton::executor<lowered> net;

auto run(const std::array<float, 4>& in, std::array<float, 4>& out) -> std::size_t {
  net.run(in, out);
  return net.input<0>().size() + net.output<0>().size();
}
