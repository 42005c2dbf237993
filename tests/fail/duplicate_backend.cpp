// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton duplicate_backend: every backend in the list must have an id of its own; two have the same; rename one or remove it
// EXPECT: npu
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

struct npu {
  static constexpr auto id = baton::name<"npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
};

struct other : npu {
#if defined(FIXED)
  static constexpr auto id = baton::name<"other">;
#endif
};

constexpr auto target = baton::backends<npu, other>;
