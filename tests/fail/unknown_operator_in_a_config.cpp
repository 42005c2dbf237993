// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_operator: an operator in the namespace tfl must be one that TensorFlow Lite has; this one is not; correct its name
// EXPECT: tfl.ethos-u
// EXPECT: tfl.custom.ethos-u
#include <baton/partition/by_config.hpp>

struct npu {
  static constexpr auto id = baton::name<"Npu">;
};
struct commands {
#if defined(FIXED)
  static constexpr auto op = baton::name<"tfl.custom.ethos-u">;
#else
  static constexpr auto op = baton::name<"tfl.ethos-u">;
#endif
  static constexpr auto may_take(const baton::program_view&, const baton::node&) -> baton::verdict { return baton::accept(); }
};

constexpr baton::by_config<npu, commands> partitioner{};
