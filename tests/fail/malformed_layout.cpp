// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E37
// EXPECT: baton malformed_layout: a tensor of named data is not dense in any order of its dimensions; make the tensor contiguous
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<30>{"key weights: dimension 0 has "}, baton::fixed_string<16>{"stride 4, not 2"}>
#include <baton/backend/named_data.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/naming_backend.hpp"

#include <string_view>

constexpr auto fill(baton::named_data_store& store) -> baton::failure {
  constexpr std::int64_t sizes[] = {2, 2};
#if defined(FIXED)
  constexpr std::int64_t strides[] = {1, 2};
#else
  constexpr std::int64_t strides[] = {4, 1};
#endif
  constexpr std::string_view bytes = "abcd";
  return store.add("weights", baton::named_data_store::tensor{bytes, baton::dtype::int8, sizes, strides});
}

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto lowered = baton::to_backend(baton::backends<naming_backend<fill>>, baton::name<"Npu">, model);
