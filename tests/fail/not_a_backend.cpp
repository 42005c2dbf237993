// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// LINES: 32
// EXPECT: baton not_a_backend: a backend makes blobs; write: static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs& specs) -> baton::preprocess_result
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

struct npu {
  static constexpr auto id = baton::name<"npu">;
#if defined(FIXED)
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
#endif
};

constexpr auto target = baton::backends<npu>;
