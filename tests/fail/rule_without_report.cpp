// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// EXPECT: baton unnamed_rule: a rule must be a specialization of baton::rule with a sentence and a report; this name has none; correct the name, or write the specialization
// EXPECT: because<baton::fixed_string<15>{"acme wide_part"}>
// EXPECT: for_backend<baton::fixed_string<5>{"Acme"}>
#include <baton/core/rule.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/to_backend.hpp>

#include <string_view>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

template <>
struct baton::rule<"acme wide_part"> {
  static constexpr std::string_view sentence = "acme wide_part: a part must have at most 8 inputs; this one has more; split it";
};

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
