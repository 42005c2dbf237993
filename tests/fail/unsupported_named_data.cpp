// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E34
// EXPECT: baton unsupported_named_data: named data is not bytes, text or a tensor; pass a span of char or a string_view
// EXPECT: of_type<char
#include <baton/backend/named_data.hpp>

#include <string_view>

constexpr auto adds_text() -> bool {
  baton::named_data_store store;
#if defined(FIXED)
  return !store.add("key", std::string_view{"bytes"});
#else
  return !store.add("key", "bytes");
#endif
}
static_assert(adds_text());
