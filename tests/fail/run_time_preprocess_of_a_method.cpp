// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton run_time_preprocess: preprocess is not a constant expression; declare it constexpr, call only constexpr functions, and read no element out of bounds
// EXPECT: in_method<baton::fixed_string<8>{"prefill"}>
// EXPECT: for_backend<baton::fixed_string<5>{"Acme"}>
#include <baton/lower/methods.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/run/delegate.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

struct acme {
  static constexpr auto id = baton::name<"Acme">;
#if defined(FIXED)
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
#else
  static auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::preprocess_result { return {}; }
#endif
  static void execute(const baton::delegate_call&) {}
};

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<acme>, baton::methods(baton::method<"prefill">(model)),
                                           tags::partitioner<tags::part<"tag0", "Acme", "mm add">>{});
