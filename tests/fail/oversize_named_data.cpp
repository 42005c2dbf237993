// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E38
// EXPECT: baton oversize_named_data: a buffer is larger than the cap of external data shards; raise the cap, or split the buffer
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<31>{"buffer 0 has 5 bytes, the cap "}, baton::fixed_string<5>{"is 4"}>
#include <baton/backend/named_data.hpp>
#include <baton/compat/executorch/externalize.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/naming_backend.hpp"

#include <string_view>

constexpr auto fill(baton::named_data_store& store) -> baton::failure {
  if (auto why = store.add("weights", std::string_view{"bytes"})) return why;
#if defined(FIXED)
  return baton::externalize(store, 5, "shard");
#else
  return baton::externalize(store, 4, "shard");
#endif
}

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto lowered = baton::to_backend(baton::backends<naming_backend<fill>>, baton::name<"Npu">, model);
