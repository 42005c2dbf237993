// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E38
// EXPECT: baton empty_shard_prefix: the prefix of external data shards is empty; set it
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
#include <baton/backend/named_data.hpp>
#include <baton/compat/executorch/externalize.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/naming_backend.hpp"

#include <string_view>

constexpr auto fill(baton::named_data_store& store) -> baton::failure {
#if defined(FIXED)
  return baton::externalize(store, 4, "shard");
#else
  return baton::externalize(store, 4, "");
#endif
}

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto lowered = baton::to_backend(baton::backends<naming_backend<fill>>, baton::name<"Npu">, model);
