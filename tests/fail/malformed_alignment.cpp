// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E33
// EXPECT: baton malformed_alignment: the alignment of named data is not in the range from 1 to 2^31; correct the alignment
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<32>{"key weights has the alignment 0"}>
#include <baton/backend/named_data.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/naming_backend.hpp"

#include <string_view>

constexpr auto fill(baton::named_data_store& store) -> baton::failure {
#if defined(FIXED)
  constexpr std::int64_t alignment = 16;
#else
  constexpr std::int64_t alignment = 0;
#endif
  return store.add("weights", std::string_view{"bytes"}, {.alignment = alignment});
}

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto lowered = baton::to_backend(baton::backends<naming_backend<fill>>, baton::name<"Npu">, model);
