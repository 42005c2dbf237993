// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E48
// EXPECT: baton not_a_backend: the backend type has no id; write: static constexpr auto id = baton::name<
#include <baton/backend/backends.hpp>

struct npu {
#if defined(FIXED)
  static constexpr auto id = baton::name<"Npu">;
#endif
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

constexpr auto target = baton::backends<npu>;
static_assert(sizeof(target) == 1);
