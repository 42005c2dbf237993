// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E39
// EXPECT: baton duplicate_config: two configs are for the same operator; merge them, or remove one
// EXPECT: of_operator<baton::fixed_string<11>{"add.Tensor"}>
// EXPECT: because<baton::fixed_string<30>{"configs sums and further_sums"}>
#include <baton/partition/by_config.hpp>

struct npu {
  static constexpr auto id = baton::name<"Npu">;
};
struct sums {
  static constexpr auto op = baton::name<"add.Tensor">;
  static constexpr auto is_supported(const baton::program_view&, const baton::node&) -> baton::verdict { return baton::accept(); }
};
struct further_sums : sums {
#if defined(FIXED)
  static constexpr auto op = baton::name<"add.Scalar">;
#endif
};

constexpr baton::by_config<npu, sums, further_sums> partitioner{};
