// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unknown_operator: the namespace has no operator of this name, or is misspelled; correct the name, or use your own namespace
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
  static constexpr auto is_supported(const baton::program_view&, const baton::node&) -> baton::verdict { return baton::accept(); }
};

constexpr baton::by_config<npu, commands> partitioner{};
