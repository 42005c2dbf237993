// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_config: the config has no op or no is_supported; write: static constexpr auto op = baton::name<"tfl.conv_2d">; and
// static constexpr auto is_supported(const baton::program_view&, const baton::node&) -> baton::verdict
#include <baton/partition/by_config.hpp>

struct npu {
  static constexpr auto id = baton::name<"Npu">;
};
struct sums {
  static constexpr auto op = baton::name<"add.Tensor">;
#if defined(FIXED)
  static constexpr auto is_supported(const baton::program_view&, const baton::node&) -> baton::verdict { return baton::accept(); }
#endif
};

using partitioner = baton::by_config<npu, sums>;
