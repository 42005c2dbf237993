// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E29
// EXPECT: baton duplicate_identifier: a delegate debug identifier was inserted twice; use another one
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<13>{"identifier 1"}>
#include <baton/backend/delegate_mapping.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&)
      -> baton::result<baton::preprocess_result> {
    baton::delegate_mapping_builder mapping;
    if (auto first = mapping.insert(part.nodes[0], 1); !first) return first.error;
#if defined(FIXED)
    const auto inserted = mapping.insert(part.nodes[0], 2);
#else
    const auto inserted = mapping.insert(part.nodes[0], 1);
#endif
    if (!inserted) return inserted.error;
    baton::preprocess_result result;
    result.debug_handle_map = mapping.entries();
    return result;
  }
};

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, baton::name<"Npu">, model);
