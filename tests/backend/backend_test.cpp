// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/backend/backend.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/lower/shared/rules.hpp>

#include "conformance/demo_backends.hpp"
#include "conformance/graphs.hpp"
#include "laws/backend.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace {

using namespace baton;

constexpr auto the_laws_hold() -> bool {
  using namespace conformance;
  return laws::backend::all<archetypes::backend>(g_crt()) && laws::backend::all<backend_with_compiler_demo>(g_mmadd()) &&
         laws::backend::all<backend_with_compiler_demo>(g_crt()) && laws::backend::all<backend_with_delegate_mapping_demo>(g_crt()) &&
         laws::backend::all<demo_backend>(g_seq(), {{"key", "value"}});
}
static_assert(the_laws_hold());

struct invents_a_handle {
  static constexpr auto id = name<"InventsAHandle">;
  static constexpr auto preprocess(const program_view&, const compile_specs&) -> preprocess_result {
    preprocess_result processed;
    debug_map_entry entry;
    entry.handles.push_back(1000);
    processed.debug_handle_map.push_back(entry);
    return processed;
  }
};
struct refuses_without_a_reason {
  static constexpr auto id = name<"RefusesWithoutAWord">;
  static constexpr auto preprocess(const program_view&, const compile_specs&) -> result<preprocess_result> { return refuse_part(); }
};

struct counts_its_calls {
  static constexpr auto id = name<"CountsItsCalls">;
  static inline char calls = 0;
  static auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result {
    preprocess_result processed;
    processed.processed_bytes.push_back(++calls);
    return processed;
  }
};

constexpr auto violations_of_the_laws_are_detected() -> bool {
  const auto part = conformance::g_sin();
  return !laws::backend::debug_handles_are_valid<invents_a_handle>(part) &&
         !laws::backend::failure_has_reason<refuses_without_a_reason>(part);
}
static_assert(violations_of_the_laws_are_detected());

constexpr auto a_refusal_carries_its_reason() -> bool {
  const auto why = refuse_part("no ", 3, " inputs");
  return why.is<"refused_part">() && view(why.reason) == "no 3 inputs";
}
static_assert(a_refusal_carries_its_reason());

struct without_id {
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};
struct without_preprocess {
  static constexpr auto id = name<"WithoutPreprocess">;
};
struct with_id_of_another_type {
  static constexpr std::string_view id = "text";
  static constexpr auto preprocess(const exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};
struct preprocesses_a_mutable_part {
  static constexpr auto id = name<"ThatMayNotPreprocess">;
  static constexpr auto preprocess(exported_program&, const compile_specs&) -> preprocess_result { return {}; }
};
static_assert(backend<archetypes::backend> && backend<refuses_without_a_reason> && backend<conformance::demo_backend>);
static_assert(!backend<without_id> && !backend<without_preprocess> && !backend<with_id_of_another_type> &&
              !backend<preprocesses_a_mutable_part> && !backend<int>);

}  // namespace

TEST_CASE("the laws of backends hold, and violations are detected") {
  CHECK(the_laws_hold());
  CHECK(violations_of_the_laws_are_detected());
  CHECK(!laws::backend::preprocess_is_deterministic<counts_its_calls>(conformance::g_sin()));
}

TEST_CASE("a backend refuses a part with a reason") { CHECK(a_refusal_carries_its_reason()); }
