// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton not_a_backend: the backend type has no preprocess; write: static constexpr auto preprocess(const baton::exported_program&
// part, const baton::compile_specs& specs) -> baton::preprocess_result
#include <baton/backend/backends.hpp>

struct npu {
  static constexpr auto id = baton::name<"Npu">;
#if defined(FIXED)
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
#else
  constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) const -> baton::preprocess_result { return {}; }
#endif
};

constexpr auto target = baton::backends<npu>;
static_assert(sizeof(target) == 1);
