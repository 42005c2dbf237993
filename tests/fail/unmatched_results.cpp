// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Q3
// EXPECT: baton unmatched_results: a backend did not return one result for each part of a batch; return one for each part, method by method
// EXPECT: in_method<baton::fixed_string<8>{"forward"}>
// EXPECT: for_backend<baton::fixed_string<8>{"Forgets"}>
// EXPECT: because<baton::fixed_string<31>{"the number of parts is 2, the "}, baton::fixed_string<23>{"number of results is 1"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

struct forgets {
  static constexpr auto id = baton::name<"Forgets">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
  static constexpr auto preprocess_multimethod(const baton::by_method<baton::exported_program>& parts,
                                               const baton::by_method<baton::compile_specs>&)
      -> baton::by_method<baton::preprocess_result> {
    baton::by_method<baton::preprocess_result> result;
    for (const auto& [method, programs] : parts) {
#if defined(FIXED)
      for (std::size_t i = 0; i < programs.size(); ++i) result[baton::view(method)].push_back({});
#else
      result[baton::view(method)].push_back({});
#endif
    }
    return result;
  }
};

constexpr auto target = baton::backends<forgets>;
constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(target, baton::methods(baton::method<"forward">(model)),
                                           baton::by_support<forgets, baton::operator_names<"aten.mm.default">>{});
