// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Q17
// EXPECT: baton misaligned_image: the common alignment of all keys of named data with equal bytes is not a power of two; use a power-of-two alignment for each of these keys
// EXPECT: because<baton::fixed_string<32>{"the keys with the bytes of key "}, baton::fixed_string<25>{"weights have the common "}, baton::fixed_string<13>{"alignment 12"}>
#include <baton/backend/named_data.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/plan/shared/stored_named_data.hpp>

#include "conformance/graphs.hpp"
#include "lower/naming_backend.hpp"
#include "lower/tags.hpp"

#include <string_view>
#include <type_traits>

constexpr auto fill(baton::named_data_store& store) -> baton::failure {
#if defined(FIXED)
  constexpr std::int64_t alignment = 8;
#else
  constexpr std::int64_t alignment = 3;
#endif
  if (auto why = store.add("weights", std::string_view{"bytes"}, {.alignment = 4})) return why;
  return store.add("alias", std::string_view{"bytes"}, {.alignment = alignment});
}

constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto lowered =
    baton::to_backend(baton::backends<naming_backend<fill>>, model, tags::partitioner<tags::part<"t", "Npu", "sin">>{});
static_assert(baton::stored_named_data<std::remove_const_t<decltype(lowered)>, 0>().size() == 5);
