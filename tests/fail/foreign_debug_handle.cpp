// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton foreign_debug_handle: a debug handle map has a handle that is not in its part; use handles of the part
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<23>{"identifier 1, handle 7"}>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result {
    baton::preprocess_result result;
#if defined(FIXED)
    result.debug_handle_map.push_back({1, {}, false, {5}});
#else
    result.debug_handle_map.push_back({1, {}, false, {7}});
#endif
    return result;
  }
};

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<npu>, baton::name<"Npu">, model);
