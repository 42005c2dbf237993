// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E31
// EXPECT: baton missing_identifier: no identifier was passed to a delegate mapping that does not generate identifiers; pass one in every insert
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
#include <baton/backend/delegate_mapping.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&)
      -> baton::result<baton::preprocess_result> {
    baton::delegate_mapping_builder mapping;
#if defined(FIXED)
    const auto inserted = mapping.insert(part.nodes[0], "sin");
#else
    const auto inserted = mapping.insert(part.nodes[0]);
#endif
    if (!inserted) return inserted.error;
    baton::preprocess_result result;
    result.debug_handle_map = mapping.entries();
    return result;
  }
};

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, baton::name<"Npu">, model);
