// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E35
// EXPECT: baton conflicting_named_data: two entries of named data have the same key, but different bytes; derive keys from the content
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<32>{"key packed has 16 bytes in the "}, baton::fixed_string<33>{"first entry and 15 bytes in the "}, baton::fixed_string<7>{"second"}>
#include <baton/backend/named_data.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/naming_backend.hpp"
#include "lower/tags.hpp"

constexpr auto fill(baton::named_data_store& store, const baton::program_view& part) -> baton::failure {
  const auto bytes = part.text(part.nodes[0].target);
#if defined(FIXED)
  return store.add_by_content("packed", bytes).error;
#else
  return store.add("packed", bytes);
#endif
}

constexpr auto both = baton::methods(baton::method<"forward">(baton::static_program{conformance::make<conformance::g_sin>{}}),
                                     baton::method<"prefill">(baton::static_program{conformance::make<conformance::g_mmadd>{}}));
constexpr auto lowered =
    baton::to_backend(baton::backends<naming_backend<fill>>, both, tags::partitioner<tags::part<"t", "Npu", "sin mm">>{});
