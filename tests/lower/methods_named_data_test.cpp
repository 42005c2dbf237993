// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/backend/shared/rules.hpp>
#include <baton/core/error.hpp>
#include <baton/core/static_program.hpp>
#include <baton/lower/methods.hpp>
#include <baton/lower/program_named_data.hpp>
#include <baton/lower/to_backend.hpp>

#include "conformance/graphs.hpp"
#include "lower/naming_backend.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace {

using namespace baton;
using text = std::string_view;

/// Adds the same weights in every method, and different bytes in each.
constexpr auto fill(named_data_store& store, const program_view& part) -> failure {
  if (auto why = store.add("weights", text{"the same bytes"})) return why;
  return store.add_by_content("packed", part.text(part.nodes[0].name)).error;
}
/// Adds different bytes under the same key.
constexpr auto collide(named_data_store& store, const program_view& part) -> failure {
  return store.add("packed", part.text(part.nodes[0].target));
}

using parts = tags::partitioner<tags::part<"t", "Npu", "sin mm">>;
constexpr auto static_both = methods(method<"forward">(static_program{conformance::make<conformance::g_sin>{}}),
                                     method<"prefill">(static_program{conformance::make<conformance::g_mmadd>{}}));
constexpr auto run_time_both() -> exported_methods {
  return methods(method<"forward">(conformance::g_sin()), method<"prefill">(conformance::g_mmadd()));
}

constexpr auto holds_all(const named_data_store& store) -> bool {
  return store.entries().size() == 3 && store.buffer_count() == 3 && store.bytes(0) == "the same bytes" && store.bytes(1) == "sin" &&
         store.bytes(2) == "mm" && store.find("weights")->buffer == 0;
}

constexpr auto target = backends<naming_backend<fill>>;
static_assert(holds_all(named_data(to_backend(target, static_both, parts{}))));

constexpr auto methods_share_named_data() -> bool {
  const auto lowered = to_backend(target, run_time_both(), parts{});
  return holds_all(named_data(lowered));
}
static_assert(methods_share_named_data());

constexpr auto disagreement() -> failure {
  return try_to_backend(backends<naming_backend<collide>>, run_time_both(), parts{}, validation::on).error;
}
static_assert(disagreement().is<"conflicting_named_data">());

}  // namespace

TEST_CASE("methods share named data (R162, U14)") { CHECK(methods_share_named_data()); }

TEST_CASE("methods that disagree on a key of named data are refused, and the error names the method and the backend (E35)") {
  CHECK(std::string(view(message(disagreement()))) ==
        std::string(rule<"conflicting_named_data">::sentence) +
            " [method: prefill] [backend: Npu] [key packed has 16 bytes in the first entry and 15 bytes in the second]");
}
