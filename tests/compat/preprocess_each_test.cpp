// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/compat/executorch/preprocess_each.hpp>
#include <baton/backend/backend.hpp>
#include <baton/backend/shared/batch_backend.hpp>
#include <baton/backend/shared/rules.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>

#include "conformance/graphs.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace {

using namespace baton;

/// A backend whose processed bytes are the number of nodes and the value of the first compile spec.
struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs& specs) -> result<preprocess_result> {
    if (specs.empty()) return refuse_part("no specs");
    return preprocess_result(view(join(part.nodes.size(), view(specs[0].value))));
  }
};
static_assert(!batch_backend<npu>);

using programs = by_method<exported_program>;
using specs = by_method<compile_specs>;

constexpr auto two_methods() -> programs {
  programs parts;
  parts["b"].push_back(conformance::g_mmadd());
  parts["b"].push_back(conformance::g_sin());
  parts["a"].push_back(conformance::g_sin());
  return parts;
}
constexpr auto specs_of(std::initializer_list<std::string_view> b, std::initializer_list<std::string_view> a) -> specs {
  specs reported;
  for (const auto value : a) reported["a"].push_back({{"k", value}});  // in another order than the parts: maps are assigned by name
  for (const auto value : b) reported["b"].push_back({{"k", value}});
  return reported;
}

constexpr auto each_part_is_preprocessed_in_order() -> bool {
  const auto processed = preprocess_each<npu>(two_methods(), specs_of({"x", "y"}, {"z"}));
  const auto processed_bytes = [&](std::size_t method, std::size_t part) {
    return view(processed.value.entries[method].parts[part].processed_bytes);
  };
  return processed && processed.value.entries.size() == 2 && view(processed.value.entries[0].method) == "b" &&
         processed_bytes(0, 0) == "5x" && processed_bytes(0, 1) == "1y" && view(processed.value.entries[1].method) == "a" &&
         processed_bytes(1, 0) == "1z" && preprocess_each<npu>({}, {}).value.entries.empty();
}
static_assert(each_part_is_preprocessed_in_order());

constexpr auto says(const failure& why, std::string_view sentence, std::string_view facts) -> bool {
  return view(message(why)) == view(join(sentence, facts));
}

// E5, E6
constexpr auto specs_must_match_the_parts() -> bool {
  auto without_b = specs_of({}, {"z"});
  return says(preprocess_each<npu>(two_methods(), without_b).error, rule<"unmatched_specs">::sentence,
              " [method: b] [backend: Npu] [it has no list of compile specs]") &&
         says(preprocess_each<npu>(two_methods(), specs_of({"x"}, {"z"})).error, rule<"unmatched_specs">::sentence,
              " [method: b] [backend: Npu] [the number of parts is 2, the number of lists of compile specs is 1]") &&
         says(preprocess_each<npu>(two_methods(), specs_of({"x", "y"}, {"z", "z"})).error, rule<"unmatched_specs">::sentence,
              " [method: a] [backend: Npu] [the number of parts is 1, the number of lists of compile specs is 2]");
}
static_assert(specs_must_match_the_parts());

constexpr auto a_refusal_names_the_method() -> bool {
  auto reported = specs_of({"x"}, {"z"});
  reported["b"].push_back({});
  return says(preprocess_each<npu>(two_methods(), reported).error, rule<"refused_part">::sentence,
              " [method: b] [backend: Npu] [no specs]");
}
static_assert(a_refusal_names_the_method());

}  // namespace

TEST_CASE("preprocess_each preprocesses part by part") {
  CHECK(each_part_is_preprocessed_in_order());
  CHECK(a_refusal_names_the_method());
}

TEST_CASE("compile specs must match the parts (E5, E6)") { CHECK(specs_must_match_the_parts()); }
