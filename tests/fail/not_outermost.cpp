// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_outermost: with_followers is not the outermost support; write: baton::with_followers<baton::all_of<my_support, another>>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>

struct npu {
  static constexpr auto id = baton::name<"Npu">;
};
using sums = baton::operator_names<"aten.add.Tensor">;
using floats = baton::not_of<baton::operator_names<"aten.mm.default">>;

#if defined(FIXED)
using partitioner = baton::by_support<npu, baton::with_followers<baton::all_of<sums, floats>>>;
#else
using partitioner = baton::by_support<npu, baton::all_of<baton::with_followers<sums>, floats>>;
#endif
