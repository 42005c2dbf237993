// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E35
// EXPECT: baton conflicting_named_data: two entries of named data have the same key, but different bytes; derive keys from the content
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<30>{"key packed has 1 byte in the "}, baton::fixed_string<32>{"first entry and 2 bytes in the "}, baton::fixed_string<7>{"second"}>
#include <baton/backend/named_data.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/naming_backend.hpp"
#include "lower/tags.hpp"

#include <string_view>

/// Stores different data under one key: the number of nodes of each part.
constexpr auto fill(baton::named_data_store& store, const baton::program_view& part) -> baton::failure {
  const auto bytes = std::string_view{"packed"}.substr(0, part.nodes.size());
#if defined(FIXED)
  return store.add_by_content("packed", bytes).error;
#else
  return store.add("packed", bytes);
#endif
}

using parts = tags::partitioner<tags::part<"t0", "Npu", "mm">, tags::part<"t1", "Npu", "mm_1 add_1">>;
constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<naming_backend<fill>>, model, parts{});
constexpr auto count = baton::delegates(lowered).size();
