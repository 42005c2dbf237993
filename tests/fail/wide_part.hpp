// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A backend that refuses a part by the rule "acme wide_part". The including file must specialize this rule before the include.
#pragma once

#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

namespace acme {

struct backend {
  static constexpr auto id = baton::name<"Acme">;
  static constexpr auto preprocess(const baton::exported_program&, const baton::compile_specs&) -> baton::result<baton::preprocess_result> {
#if defined(FIXED)
    return baton::preprocess_result{};
#else
    return baton::broken<"acme wide_part">(9, " inputs");
#endif
  }
};

}  // namespace acme

constexpr auto model = baton::static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = baton::to_backend(baton::backends<acme::backend>, model, tags::partitioner<tags::part<"tag0", "Acme", "mm">>{});
