// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/backend/delegate_mapping.hpp>
#include <baton/backend/shared/rules.hpp>
#include <baton/compat/executorch/print_mapping.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace {

using namespace baton;

using handle = std::optional<std::int64_t>;

/// The nodes of the tests: `sin` with handle 4, `cos` with handle 7, and nodes without handles around them.
struct setup {
  node all[4]{};
  handle all_handles[5]{std::nullopt, 4, std::nullopt, 7, 4};
  handle cos_handle[1]{7};
  handle no_handle[1]{std::nullopt};

  constexpr setup() {
    all[1].debug_handle = 4;
    all[2].debug_handle = 7;
  }
  constexpr auto sin() const -> const node& { return all[1]; }
};

/// The map as text, `0:4,7 1:4` for example.
constexpr auto map_text(const delegate_mapping_builder& builder) -> text_buffer {
  text_buffer text;
  for (const auto& entry : builder.entries()) {
    append(text, text.empty() ? "" : " ");
    if (entry.is_text)
      append(append(append(text, "'"), view(entry.text)), "'");
    else
      append(text, entry.identifier);
    bool is_first = true;
    for (const auto number : entry.handles) {
      append(append(text, is_first ? ":" : ","), number);
      is_first = false;
    }
  }
  return text;
}
constexpr auto has_map(const delegate_mapping_builder& builder, std::string_view text) -> bool {
  const auto map = map_text(builder);
  return view(map) == text;
}

// R140, R141, R148
constexpr auto generated_identifiers_count_from_zero() -> bool {
  const setup s;
  delegate_mapping_builder builder(delegate_mapping_builder::identifiers::generated);
  const bool first = builder.insert({s.all, {}}).value == 0 && has_map(builder, "0:4,7");
  const bool second = builder.insert(s.sin()).value == 1 && has_map(builder, "0:4,7 1:4");
  const bool third = builder.insert({{}, s.cos_handle}).value == 2 && has_map(builder, "0:4,7 1:4 2:7");
  const bool fourth = builder.insert({{}, s.all_handles}).value == 3 && has_map(builder, "0:4,7 1:4 2:7 3:4,7");
  return first && second && third && fourth;
}
static_assert(generated_identifiers_count_from_zero());

constexpr auto numbers_are_passed_as_identifiers() -> bool {
  const setup s;
  delegate_mapping_builder by_nodes;
  delegate_mapping_builder by_handles;
  const bool good = by_nodes.insert({s.all, {}}, 55) && by_nodes.insert(s.sin(), 22) && by_handles.insert({{}, s.all_handles}, 55) &&
                    by_handles.insert({{}, {s.all_handles + 1, 1}}, 22);
  return good && has_map(by_nodes, "55:4,7 22:4") && has_map(by_handles, "55:4,7 22:4");
}
static_assert(numbers_are_passed_as_identifiers());

// A number and its text are two identifiers.
constexpr auto texts_are_passed_as_identifiers() -> bool {
  const setup s;
  delegate_mapping_builder builder;
  const bool good =
      builder.insert({s.all, {}}, "22") && builder.insert(s.sin(), "55") && builder.insert(s.sin(), 22) && builder.insert(s.sin(), "");
  return good && has_map(builder, "'22':4,7 '55':4 22:4 '':4");
}
static_assert(texts_are_passed_as_identifiers());

// R149: one node under several identifiers, and several nodes under one. 0 is a handle if it is passed as one (R146).
constexpr auto fusion_and_decomposition_mix() -> bool {
  const setup s;
  const handle zero[] = {0, 9, 0};
  delegate_mapping_builder builder(delegate_mapping_builder::identifiers::generated);
  for (int i = 0; i < 3; ++i) builder.insert(s.sin());
  builder.insert({s.all, {}});
  return builder.insert({{}, zero}) && has_map(builder, "0:4 1:4 2:4 3:4,7 4:0,9");
}
static_assert(fusion_and_decomposition_mix());

// Nodes that are not adjacent, and handles as a list.
constexpr auto nodes_need_not_be_adjacent() -> bool {
  const setup s;
  delegate_mapping_builder builder;
  const bool good = builder.insert({s.all[2], s.all[1]}, "fused") && builder.insert_handles({9, std::nullopt, 9, 3}, 1);
  return good && has_map(builder, "'fused':4,7 1:3,9") && builder.insert_handles({}, 2).error.is<"nodes_or_handles">() &&
         builder.insert({s.all[0], s.all[3]}, 2).error.is<"no_debug_handle">();
}
static_assert(nodes_need_not_be_adjacent());

constexpr auto a_map_prints() -> bool {
  const setup s;
  delegate_mapping_builder builder;
  const bool is_empty = view(print_mapping(builder.entries())) == "{}";
  const bool good = builder.insert({s.all, {}}, "fused") && builder.insert(s.sin(), -1);
  return is_empty && good && view(print_mapping(builder.entries())) == "{'fused': (4, 7), -1: (4,)}";
}
static_assert(a_map_prints());

/// An insert that is refused: a label, the kind of builder, the call, and the expected message.
struct refused_insert {
  std::string_view label;
  delegate_mapping_builder::identifiers mode;
  result<std::int64_t> (*insert)(delegate_mapping_builder&, const setup&);
  std::string_view sentence;
  std::string_view facts;
};

constexpr auto given = delegate_mapping_builder::identifiers::given;
constexpr auto generated = delegate_mapping_builder::identifiers::generated;

constexpr refused_insert refused_inserts[] = {
    {"E28, nodes, a text", generated, [](auto& to, const auto& s) { return to.insert({s.all, {}}, "22"); },
     rule<"generated_identifier">::sentence, " [identifier 22]"},
    {"E28, handles, a number", generated, [](auto& to, const auto& s) { return to.insert({{}, s.all_handles}, 22); },
     rule<"generated_identifier">::sentence, " [identifier 22]"},
    {"E28 before E30 and E32", generated, [](auto& to, const auto&) { return to.insert(delegate_mapping_builder::sources{}, "22"); },
     rule<"generated_identifier">::sentence, " [identifier 22]"},
    {"E29", given, [](auto& to, const auto& s) { return to.insert(s.sin(), "1"); }, rule<"duplicate_identifier">::sentence,
     " [identifier 1]"},
    {"E29 before E30", given, [](auto& to, const auto& s) { return to.insert({s.all, s.all_handles}, "1"); },
     rule<"duplicate_identifier">::sentence, " [identifier 1]"},
    {"E29 before E32", given, [](auto& to, const auto& s) { return to.insert({{}, s.no_handle}, "1"); },
     rule<"duplicate_identifier">::sentence, " [identifier 1]"},
    {"E29 of a number", given, [](auto& to, const auto& s) { return to.insert(s.sin(), -3); }, rule<"duplicate_identifier">::sentence,
     " [identifier -3]"},
    {"E30, both", given, [](auto& to, const auto& s) { return to.insert({s.all, s.all_handles}, "2"); }, rule<"nodes_or_handles">::sentence,
     ""},
    {"E30, neither", generated, [](auto& to, const auto&) { return to.insert(delegate_mapping_builder::sources{}); },
     rule<"nodes_or_handles">::sentence, ""},
    {"E30 before E31", given, [](auto& to, const auto& s) { return to.insert({s.all, s.all_handles}); }, rule<"nodes_or_handles">::sentence,
     ""},
    {"E31, nodes", given, [](auto& to, const auto& s) { return to.insert({s.all, {}}); }, rule<"missing_identifier">::sentence, ""},
    {"E31, handles", given, [](auto& to, const auto& s) { return to.insert({{}, s.all_handles}); }, rule<"missing_identifier">::sentence,
     ""},
    {"E31 before E32", given, [](auto& to, const auto& s) { return to.insert({{}, s.no_handle}); }, rule<"missing_identifier">::sentence,
     ""},
    {"E32, handles", generated, [](auto& to, const auto& s) { return to.insert({{}, s.no_handle}); }, rule<"no_debug_handle">::sentence,
     ""},
    {"E32, a node", generated, [](auto& to, const auto& s) { return to.insert(s.all[0]); }, rule<"no_debug_handle">::sentence, ""},
    {"E32, by hand", given, [](auto& to, const auto& s) { return to.insert(s.all[0], "2"); }, rule<"no_debug_handle">::sentence, ""},
};

// R142 to R147, Q16: a refused insert reports the text, leaves the map unchanged and uses no generated identifier.
constexpr auto is_reported(const refused_insert& test) -> bool {
  const setup s;
  delegate_mapping_builder builder(test.mode);
  const bool is_generated = test.mode == delegate_mapping_builder::identifiers::generated;
  if (is_generated)
    builder.insert(s.sin());
  else
    static_cast<void>(builder.insert(s.sin(), "1") && builder.insert(s.sin(), -3));
  const auto before = map_text(builder);
  const auto answer = test.insert(builder, s);
  const auto text = message(answer.error);
  const auto expected = join(test.sentence, test.facts);
  if (answer || view(text) != view(expected) || map_text(builder) != before) return false;
  return !is_generated || builder.insert(s.sin()).value == 1;
}

constexpr auto every_error_is_reported() -> bool {
  for (const auto& test : refused_inserts) {
    if (!is_reported(test)) return false;
  }
  return true;
}
static_assert(every_error_is_reported());

}  // namespace

TEST_CASE("identifiers are generated, or passed as numbers and texts") {
  CHECK(generated_identifiers_count_from_zero());
  CHECK(numbers_are_passed_as_identifiers());
  CHECK(texts_are_passed_as_identifiers());
}
TEST_CASE("nodes need not be adjacent, handles may be a list, and a map prints") {
  CHECK(nodes_need_not_be_adjacent());
  CHECK(a_map_prints());
}
TEST_CASE("one node may have several identifiers, and one identifier several nodes") { CHECK(fusion_and_decomposition_mix()); }

TEST_CASE("a delegate mapping refuses wrong entries, and reports the first error (E28, E29, E30, E31, E32, Q16)") {
  for (const auto& test : refused_inserts) {
    INFO(test.label.data());
    CHECK(is_reported(test));
  }
}
