// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E42
// EXPECT: baton nothing_to_partition: a partitioner has neither lists of nodes nor an operator support; provide one of them
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_lists.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

constexpr auto lists(const baton::program_view&) -> baton::vector<baton::node_list> { return {}; }

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
#if defined(FIXED)
using partitioner = baton::by_lists<npu, lists, baton::operator_names<"aten.mm.default">>;
#else
using partitioner = baton::by_lists<npu, lists>;
#endif
constexpr auto lowered = baton::to_backend(baton::backends<npu>, model, partitioner{});
