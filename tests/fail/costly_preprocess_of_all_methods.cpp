// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: constexpr
// EXPECT: baton costly_preprocess: the compiler cannot evaluate preprocess; see the compiler's message above, and pack weights (preprocess_result::pack), reduce the part, or raise the limit if it names one
// EXPECT: for_backend<baton::fixed_string<4>{"Npu"}>
// FIRST: any
// LINES: 140
// If a constexpr `preprocess_multimethod` is too costly for these parts, the error is not `run_time_preprocess`.
#include <baton/core/static_program.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

#include "conformance/graphs.hpp"
#include "fail/long_work.hpp"

/// Runs a loop with many iterations if the output of a part is large.
struct npu {
  static constexpr auto id = baton::name<"Npu">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
  using results = baton::by_method<baton::preprocess_result>;
  static constexpr auto preprocess_multimethod(const baton::by_method<baton::exported_program>& all,
                                               const baton::by_method<baton::compile_specs>&) -> results {
    results result;
    for (const auto& [method, parts] : all) {
      for (const auto& part : parts) {
        const baton::program_view program = part;
        const bool is_large = baton::element_count(program.shape(program.outputs_of(program.root())[0].value)) > 1;
        result[baton::view(method)].emplace_back(long_work(is_large) == 1 ? "odd" : "bytes");
      }
    }
    return result;
  }
};

constexpr auto target = baton::backends<npu>;
constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(target, baton::methods(baton::method<"prefill">(model)),
                                           baton::by_support<npu, baton::operator_names<"aten.mm.default">>{});
