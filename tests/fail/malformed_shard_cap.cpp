// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E38
// EXPECT: baton malformed_shard_cap: the cap of external data shards is not a positive integer; use a number of bytes
// EXPECT: of_type<double>
#include <baton/backend/named_data.hpp>
#include <baton/compat/executorch/externalize.hpp>

constexpr auto externalize() -> bool {
  baton::named_data_store store;
#if defined(FIXED)
  return !baton::externalize(store, 2, "shard");
#else
  return !baton::externalize(store, 1.5, "shard");
#endif
}
static_assert(externalize());
