// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: constexpr
// EXPECT: baton costly_preprocess: the compiler cannot evaluate preprocess; see the compiler's message above, and pack weights (preprocess_result::pack), reduce the part, or raise the limit if it names one
// EXPECT: with_tag<baton::fixed_string<5>{"tag2"}>
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// FIRST: any
// LINES: 105
// The compiler first reports the limit, and the place where it was exceeded.
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

#include "conformance/graphs.hpp"
#include "fail/long_work.hpp"

/// Runs a loop with many iterations for the part with `mm`. It is not the first part of the backend (see `is_sample`).
struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::preprocess_result {
    baton::preprocess_result result;
    result.processed_bytes.push_back(static_cast<char>(long_work(part.nodes[0].is("aten.mm.default")) & 1));
    return result;
  }
};

constexpr auto target = baton::backends<npu>;
constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered =
    baton::to_backend(target, model, baton::by_support<npu, baton::operator_names<"aten.mm.default", "aten.sub.Tensor">>{});
