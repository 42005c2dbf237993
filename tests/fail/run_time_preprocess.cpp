// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton run_time_preprocess: preprocess is not a constant expression; declare it constexpr, call only constexpr functions, and read no element out of bounds
// EXPECT: for_backend<baton::fixed_string<5>{"Acme"}>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/run/basic_executor.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

struct acme {
  static constexpr auto id = baton::name<"Acme">;
#if defined(FIXED)
  // Reads the second node without checking that it exists: not every part is valid for this function.
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::preprocess_result {
    return baton::preprocess_result{part.nodes[1].outputs.size == 1 ? "one" : "more"};
  }
#else
  static auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
#endif
  static void execute(const baton::delegate_call&) {}
};

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<acme>, model, tags::partitioner<tags::part<"tag0", "Acme", "mm add">>{});
#if defined(FIXED)
constexpr auto whole = baton::to_backend(baton::backends<acme>, baton::name<"Acme">, model);
#endif
