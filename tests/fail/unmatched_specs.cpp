// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// E6
// EXPECT: baton unmatched_specs: a method does not have one list of compile specs for each of its parts; pass a list for each part, which can be empty
// EXPECT: in_method<baton::fixed_string<8>{"forward"}>
// EXPECT: because<baton::fixed_string<31>{"the number of parts is 2, the "}, baton::fixed_string<28>{"number of lists of compile "}, baton::fixed_string<11>{"specs is 1"}>
#include <baton/compat/executorch/preprocess_each.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"

struct batcher {
  static constexpr auto id = baton::name<"Batcher">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
  static constexpr auto preprocess_multimethod(const baton::by_method<baton::exported_program>& parts,
                                               [[maybe_unused]] const baton::by_method<baton::compile_specs>& specs)
      -> baton::result<baton::by_method<baton::preprocess_result>> {
#if defined(FIXED)
    return baton::preprocess_each<batcher>(parts, specs);
#else
    baton::by_method<baton::compile_specs> others;
    others["forward"].push_back({});
    return baton::preprocess_each<batcher>(parts, others);
#endif
  }
};

constexpr auto target = baton::backends<batcher>;
constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(target, baton::methods(baton::method<"forward">(model)),
                                           baton::by_support<batcher, baton::operator_names<"aten.mm.default">>{});
