// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E36
// EXPECT: baton conflicting_layout: the layout that is given for named data differs from the layout of its tensor; omit the layout
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// EXPECT: because<baton::fixed_string<28>{"key weights: the requested "}, baton::fixed_string<33>{"layout is float32[4] order [0], "}, baton::fixed_string<29>{"the layout of the tensor is "}, baton::fixed_string<18>{"int8[4] order [0]"}>
#include <baton/backend/named_data.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/naming_backend.hpp"

#include <string_view>

constexpr auto fill(baton::named_data_store& store) -> baton::failure {
  constexpr std::int64_t sizes[] = {4};
  constexpr std::string_view bytes = "abcd";
#if defined(FIXED)
  constexpr auto type = baton::dtype::int8;
#else
  constexpr auto type = baton::dtype::float32;
#endif
  return store.add("weights", baton::named_data_store::tensor{bytes, baton::dtype::int8, sizes},
                   {.layout = baton::tensor_layout::row_major(type, sizes)});
}

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto lowered = baton::to_backend(baton::backends<naming_backend<fill>>, baton::name<"Npu">, model);
