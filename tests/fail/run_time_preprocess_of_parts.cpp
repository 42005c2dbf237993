// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton run_time_preprocess: preprocess is not a constant expression; declare it constexpr, call only constexpr functions, and read no element out of bounds
// EXPECT: with_tag<baton::fixed_string<5>{"tag0"}>
// ERRORS: 1
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

struct acme {
  static constexpr auto id = baton::name<"Acme">;
#if defined(FIXED)
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
#else
  static auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
#endif
};

// The message is not repeated for the second part.
constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<acme>, model,
                                           tags::partitioner<tags::part<"tag0", "Acme", "mm">, tags::part<"tag1", "Acme", "add">>{});
