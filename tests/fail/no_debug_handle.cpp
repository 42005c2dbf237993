// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E32
// EXPECT: baton no_debug_handle: a delegate mapping entry has no valid debug handle; pass nodes that have handles
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
#include <baton/backend/delegate_mapping.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&)
      -> baton::result<baton::preprocess_result> {
    baton::delegate_mapping_builder mapping(baton::delegate_mapping_builder::identifiers::generated);
#if defined(FIXED)
    const auto inserted = mapping.insert_handles({std::nullopt, 1});
#else
    const auto inserted = mapping.insert_handles({std::nullopt});
#endif
    if (!inserted) return inserted.error;
    baton::preprocess_result result;
    result.debug_handle_map = mapping.entries();
    return result;
  }
};

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, baton::name<"Npu">, model);
