// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E56
// Q1
// EXPECT: baton duplicate_backend: two backends in the list have the same id; rename one, or remove it
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
#include <baton/backend/backends.hpp>

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

struct dsp {
#if defined(FIXED)
  static constexpr auto id = baton::name<"Dsp">;
#else
  static constexpr auto id = baton::name<"Npu">;
#endif
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

constexpr auto target = baton::backends<npu, dsp>;
static_assert(sizeof(target) == 1);
