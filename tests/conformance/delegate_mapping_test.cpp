// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Section 4.5, the rows of the builder. Placeholders and outputs are not nodes in Baton. For the nodes without a handle in the original's
// list of all nodes, the tests use a node whose handle is not set.
#include <baton/backend/delegate_mapping.hpp>
#include <baton/backend/shared/rules.hpp>
#include <baton/compat/executorch/print_mapping.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/core/vector.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace {

using namespace baton;

constexpr auto given = delegate_mapping_builder::identifiers::given;
constexpr auto generated = delegate_mapping_builder::identifiers::generated;

/// The set-up: x, then a node without a handle, `sin` with handle 2 and `cos` with handle 3; and the list of handles with gaps.
struct setup {
  exported_program program;
  baton::vector<std::optional<std::int64_t>> handles{std::nullopt, 2, 3, std::nullopt};

  constexpr setup() {
    const auto one = tensor(dtype::float32, 1);
    program_builder b;
    const auto x = b.user_input("x", one);
    const auto relu = b.call("relu", "aten.relu.default", {x}, one);
    b.latest_node().debug_handle = 0;
    b.output(b.call("cos", "aten.cos.default", {b.call("sin", "aten.sin.default", {relu}, one)}, one));
    program = b.finish();
  }
  constexpr auto all() const -> delegate_mapping_builder::sources { return {program.nodes, {}}; }
  constexpr auto all_handles() const -> delegate_mapping_builder::sources { return {{}, handles}; }
  constexpr auto sin() const -> const node& { return program.nodes[1]; }
};

constexpr auto has_map(const delegate_mapping_builder& builder, std::string_view text) -> bool {
  const auto printed = print_mapping(builder.entries());
  return view(printed) == text;
}

constexpr auto t_dmb_1() -> bool {
  const setup s;
  delegate_mapping_builder builder(generated);
  return builder.insert(s.all()).value == 0 && has_map(builder, "{0: (2, 3)}") &&                        //
         builder.insert(s.sin()).value == 1 && has_map(builder, "{0: (2, 3), 1: (2,)}") &&               //
         builder.insert_handles({3}).value == 2 && has_map(builder, "{0: (2, 3), 1: (2,), 2: (3,)}") &&  //
         builder.insert(s.all_handles()).value == 3 && has_map(builder, "{0: (2, 3), 1: (2,), 2: (3,), 3: (2, 3)}");
}
static_assert(t_dmb_1());

/// All nodes under one identifier, then `sin` under another; by nodes and by handles.
constexpr auto both_ways(delegate_mapping_builder::debug_identifier all, delegate_mapping_builder::debug_identifier sin,
                         std::string_view first, std::string_view both) -> bool {
  const setup s;
  delegate_mapping_builder by_nodes;
  delegate_mapping_builder by_handles;
  return by_nodes.insert(s.all(), all) && has_map(by_nodes, first) && by_nodes.insert(s.sin(), sin) && has_map(by_nodes, both) &&
         by_handles.insert(s.all_handles(), all) && has_map(by_handles, first) && by_handles.insert_handles({2}, sin) &&
         has_map(by_handles, both);
}
constexpr auto t_dmb_2() -> bool { return both_ways(22, 55, "{22: (2, 3)}", "{22: (2, 3), 55: (2,)}"); }
static_assert(t_dmb_2());

constexpr auto t_dmb_3() -> bool { return both_ways("22", "55", "{'22': (2, 3)}", "{'22': (2, 3), '55': (2,)}"); }
static_assert(t_dmb_3());

constexpr auto breaks(const result<std::int64_t>& answer, std::string_view sentence, std::string_view reason = {}) -> bool {
  return !answer && answer.error.rule == sentence && view(answer.error.reason) == reason;
}

constexpr auto t_dmb_4() -> bool {
  const setup s;
  delegate_mapping_builder builder(generated);
  return breaks(builder.insert(s.all(), "22"), rule<"generated_identifier">::sentence, "identifier 22") &&
         breaks(builder.insert(s.all_handles(), "22"), rule<"generated_identifier">::sentence, "identifier 22") && has_map(builder, "{}");
}
static_assert(t_dmb_4());

constexpr auto t_dmb_5() -> bool {
  const setup s;
  delegate_mapping_builder builder(given);
  return breaks(builder.insert(s.all()), rule<"missing_identifier">::sentence) &&
         breaks(builder.insert(s.all_handles()), rule<"missing_identifier">::sentence) && has_map(builder, "{}");
}
static_assert(t_dmb_5());

// Node 0 has no handle, but the duplicate is reported first.
constexpr auto t_dmb_6() -> bool {
  const setup s;
  delegate_mapping_builder builder(given);
  const auto is_refused = [](const result<std::int64_t>& answer) {
    return breaks(answer, rule<"duplicate_identifier">::sentence, "identifier 1");
  };
  return builder.insert(s.sin(), "1") && is_refused(builder.insert(s.program.nodes[0], "1")) &&
         is_refused(builder.insert_handles({std::nullopt}, "1")) && is_refused(builder.insert(s.sin(), "1")) &&
         is_refused(builder.insert_handles({2}, "1")) && has_map(builder, "{'1': (2,)}");
}
static_assert(t_dmb_6());

constexpr auto t_dmb_8() -> bool {
  const setup s;
  delegate_mapping_builder builder(given);
  return breaks(builder.insert({s.program.nodes, s.handles}), rule<"nodes_or_handles">::sentence) && has_map(builder, "{}");
}
static_assert(t_dmb_8());

// The original's list of nodes may contain a none, which is an attribute error (R147). Baton's list cannot, so the test uses a node without
// a handle. Without an identifier, this error is reported first, as in the original.
constexpr auto t_dmb_9() -> bool {
  const setup s;
  delegate_mapping_builder builder(given);
  delegate_mapping_builder counting(generated);
  return breaks(builder.insert_handles({std::nullopt}), rule<"missing_identifier">::sentence) &&
         breaks(builder.insert(s.program.nodes[0]), rule<"missing_identifier">::sentence) &&
         breaks(builder.insert_handles({std::nullopt}, 1), rule<"no_debug_handle">::sentence) &&
         breaks(builder.insert(s.program.nodes[0], 1), rule<"no_debug_handle">::sentence) &&
         breaks(counting.insert_handles({std::nullopt}), rule<"no_debug_handle">::sentence) && has_map(builder, "{}");
}
static_assert(t_dmb_9());

// The original's counter has already advanced, so its next identifier would be 1 (Q16).
constexpr auto q16() -> bool {
  const setup s;
  delegate_mapping_builder builder(generated);
  return !builder.insert_handles({std::nullopt}) && builder.insert(s.sin()).value == 0 && has_map(builder, "{0: (2,)}");
}
static_assert(q16());

}  // namespace

TEST_CASE("generated debug identifiers count from 0, for nodes and for handles (T-DMB-1)") { CHECK(t_dmb_1()); }
TEST_CASE("debug identifiers can be passed as numbers (T-DMB-2)") { CHECK(t_dmb_2()); }
TEST_CASE("debug identifiers can be passed as texts (T-DMB-3)") { CHECK(t_dmb_3()); }
TEST_CASE("a mapping that generates identifiers accepts none (T-DMB-4, E28)") { CHECK(t_dmb_4()); }
TEST_CASE("a mapping that generates no identifiers needs one with each entry (T-DMB-5, E31)") { CHECK(t_dmb_5()); }
TEST_CASE("a repeated identifier is reported first, even if the entry has other errors (T-DMB-6, E29)") { CHECK(t_dmb_6()); }
TEST_CASE("an entry names nodes or debug handles, not both (T-DMB-8, E30)") { CHECK(t_dmb_8()); }
TEST_CASE("nodes without a debug handle add no entry (T-DMB-9, E31, E32)") { CHECK(t_dmb_9()); }
TEST_CASE("a refused entry uses no identifier (Q16)") { CHECK(q16()); }
