// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E4
// EXPECT: baton nested_backend: a backend in the list derives from another one, which is not supported; move shared code to a base that is not a backend
// EXPECT: for_backend<baton::fixed_string<4>{"Dsp"}>
// EXPECT: because<baton::fixed_string<21>{"dsp derives from npu"}>
#include <baton/backend/backends.hpp>

struct compiler {
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

struct npu : compiler {
  static constexpr auto id = baton::name<"Npu">;
};

#if defined(FIXED)
struct dsp : compiler {
#else
struct dsp : npu {
#endif
  static constexpr auto id = baton::name<"Dsp">;
};

constexpr auto target = baton::backends<npu, dsp>;
static_assert(sizeof(target) == 1);
