// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton large_blob: a blob made in the compiler must not be larger than a constant may be; this one is; make parts smaller or blobs leaner
// EXPECT: with_tag<baton::fixed_string<5>{"tag0"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

#include "conformance/graphs.hpp"

struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result {
    baton::preprocess_result made;
#if defined(FIXED)
    made.processed_bytes.resize(100, 'x');
#else
    made.processed_bytes.resize(baton::constant_blob_bytes + 1, 'x');
#endif
    return made;
  }
};

constexpr auto target = baton::backends<npu>;
constexpr auto model = baton::static_program{conformance::make<conformance::g_sin>{}};
constexpr auto lowered = baton::to_backend(target, model, baton::by_support<npu, baton::operators<"aten.sin.default">>{});
