// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E38
// EXPECT: baton external_tag_collision: an external file already has the tag of a new shard (external data tag collision); choose another prefix
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<5>{"tag "}, baton::fixed_string<33>{"shard_995cf20a9c45daaf0a2cc31e85"}, baton::fixed_string<33>{"c290032ced97aadbac6c9d625595f5ce"}, baton::fixed_string<7>{"0ed427"}>
#include <baton/backend/named_data.hpp>
#include <baton/compat/executorch/externalize.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/naming_backend.hpp"

#include <string_view>

constexpr auto fill(baton::named_data_store& store) -> baton::failure {
#if defined(FIXED)
  constexpr std::string_view file = "file";
#else
  constexpr std::string_view file = "shard_995cf20a9c45daaf0a2cc31e85c290032ced97aadbac6c9d625595f5ce0ed427";
#endif
  if (auto why = store.add("other", std::string_view{"more"}, {.external_tag = file})) return why;
  if (auto why = store.add("inline", std::string_view{"bytes"})) return why;
  return baton::externalize(store, 100, "shard");
}

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto lowered = baton::to_backend(baton::backends<naming_backend<fill>>, baton::name<"Npu">, model);
