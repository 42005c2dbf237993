// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E35
// EXPECT: baton conflicting_named_data: two entries of named data have the same key, but different bytes; derive keys from the content
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<32>{"partitioner 1 of 2: key packed "}, baton::fixed_string<33>{"has 16 bytes in the first entry "}, baton::fixed_string<27>{"and 15 bytes in the second"}>
// ERRORS: 1
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

/// The second partitioner of a list is not applied after the error of the first, so the error occurs once.
struct no_nodes {
  constexpr auto partition(const baton::exported_program& program) const -> baton::partition_result {
    return baton::partition_result(program);
  }
};
constexpr auto lowered = baton::to_backend(baton::backends<naming_backend<fill>>, both,
                                           baton::in_order(tags::partitioner<tags::part<"t", "Npu", "sin mm">>{}, no_nodes{}));
constexpr auto again = baton::to_backend(baton::backends<naming_backend<fill>>, lowered, no_nodes{});
