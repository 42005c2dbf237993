// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/partition/partition_result.hpp>

#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/rules.hpp>
#include <baton/partition/constant_tagging.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/shared/rules.hpp>

#include "conformance/graphs.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

template <auto Write>
constexpr auto tagged_by(validation checks = validation::on) -> result<exported_program> {
  return tag_program(conformance::g_mmadd(), tags::writes<Write>{}, checks);
}

template <auto Write>
constexpr auto is_refused(std::string_view text) -> bool {
  const auto made = tagged_by<Write>();
  const auto why = message(made.error);
  return !made && view(why) == text;
}

constexpr auto specs_stand_in_the_tags_in_the_order_of_the_map() -> bool {
  const auto made = tagged_by<[](partition_result& to) {
    to.add_tag("unused");
    to.add_tag("b", delegation_spec{"Npu", {{"key", "value"}, {"key", ""}}});
    to.add_tag("a", delegation_spec{"Dsp"});
  }>();
  const program_view program = made.value;
  const auto specs = program.tags[1].compile_specs;
  return made && program.tags.size() == 3 && program.tags[0].order == 0xffffffffu && program.tags[1].order == 0 &&
         program.tags[2].order == 1 && program.text(program.tags[2].backend_id) == "Dsp" && program.tags[2].compile_specs.size == 0 &&
         specs.size == 2 && program.text(program.compile_specs[specs.first].value) == "value" &&
         program.text(program.compile_specs[specs.first + 1].key) == "key";
}
static_assert(specs_stand_in_the_tags_in_the_order_of_the_map());

// What a result holds says nothing of the program but its tags; one of another program, or of none, is refused with or without checks.
constexpr auto a_result_is_that_of_its_program() -> bool {
  constexpr auto sentence = rule<"foreign_result">::sentence;
  constexpr auto of_none = [](partition_result& to) { to = {}; };
  constexpr auto of_another = [](partition_result& to) { to = partition_result{conformance::g_sin()}; };
  constexpr auto of_a_changed_copy = [](partition_result& to) {
    auto program = conformance::g_mmadd();
    program.nodes.pop_back();
    to = partition_result{program};
  };
  return tagged_by<of_none>().error.rule == sentence && tagged_by<of_none>(validation::off).error.rule == sentence &&
         tagged_by<of_another>().error.rule == sentence && tagged_by<of_a_changed_copy>(validation::off).error.rule == sentence;
}
static_assert(a_result_is_that_of_its_program());

constexpr auto tags_must_be_there() -> bool {
  constexpr auto sentence = rule<"misplaced_index">::sentence;
  const auto text = [&](std::string_view facts) { return join(sentence, facts); };
  const auto node = text(" [node: mm] [operator: aten.mm.default] [a tag that is not there]");
  const auto value = text(" [value 0 was to have a tag that is not there]");
  const auto entry = text(" [partition tag 3]");
  return is_refused<[](partition_result& to) { to.tag_node(node_id{0}, tag_id{0}); }>(view(node)) &&
         is_refused<[](partition_result& to) { to.tag_value(value_id{0}, tag_id{0}); }>(view(value)) &&
         is_refused<[](partition_result& to) { to.partition_tags.emplace_back(tag_id{3}, delegation_spec{"Npu"}); }>(view(entry)) &&
         !tagged_by<[](partition_result& to) { to.partition_tags.emplace_back(none<tag_id>, delegation_spec{"Npu"}); }>();
}
static_assert(tags_must_be_there());

// A tag that is not there is refused where it is put on something, so that whoever asks a result for names finds them.
constexpr auto a_tag_that_is_not_there_is_on_nothing() -> bool {
  const auto text = join(rule<"misplaced_index">::sentence, " [node: add] [operator: aten.add.Tensor] [a tag that is not there]");
  constexpr auto then_another = [](partition_result& to) {
    const auto good = to.add_tag("good", delegation_spec{"Npu"});
    to.tag_node(node_id{1}, tag_id{99});
    to.tag_value(value_id{0}, tag_id{99});
    to.tag_node(node_id{1}, good);
  };
  const auto program = conformance::g_mmadd();
  partition_result to(program);
  to.tag_node(node_id{0}, tag_id{99});
  to.tag_value(value_id{0}, tag_id{99});
  tag_constant_data(to, program);
  return to.tag_of(node_id{0}) == none<tag_id> && to.tag_of(value_id{0}) == none<tag_id> && is_refused<then_another>(view(text)) &&
         tagged_by<then_another>(validation::off).error.is<"misplaced_index">();
}
static_assert(a_tag_that_is_not_there_is_on_nothing());

// What a partitioner tags must be in the program; the first that is not is told, with or without checks.
constexpr auto tagged_nodes_and_values_must_be_there() -> bool {
  constexpr auto sentence = rule<"misplaced_index">::sentence;
  const auto nodes = conformance::g_mmadd().nodes.size();
  const auto values = conformance::g_mmadd().values.size();
  const auto node = join(sentence, " [node 9 was to be tagged, of ", nodes, "]");
  const auto value = join(sentence, " [value 4294967295 was to be tagged, of ", values, "]");
  constexpr auto far_node = [](partition_result& to) {
    const auto tag = to.add_tag("a", delegation_spec{"Npu"});
    to.tag_node(node_id{9}, tag);
    to.tag_node(node_id{11}, none<tag_id>);
  };
  return is_refused<far_node>(view(node)) && tagged_by<far_node>(validation::off).error.rule == sentence &&
         is_refused<[](partition_result& to) { to.tag_value(none<value_id>, none<tag_id>); }>(view(value));
}
static_assert(tagged_nodes_and_values_must_be_there());

// A partitioner that starts from a tagged program finds the tags, but what they stood for counts no more.
constexpr auto tags_of_an_earlier_partitioner_stand_for_nothing() -> bool {
  const auto once = tagged_by<[](partition_result& to) { to.tag_node(node_id{0}, to.add_tag("old", delegation_spec{"Npu"})); }>();
  const auto again = tag_program(once.value, archetypes::partitioner{});
  return again && again.value.tags.size() == 1 && again.value.nodes[0].tag == tag_id{0} && again.value.tags[0].order == 0xffffffffu;
}
static_assert(tags_of_an_earlier_partitioner_stand_for_nothing());

// A partitioner changes its mind only in so many words: a tag is taken away before there is another. What the program came with is no tag
// of this partitioner.
constexpr auto a_node_has_one_tag() -> bool {
  const auto text = join(rule<"node_tagged_twice">::sentence, " [node: mm] [operator: aten.mm.default] [tag: b] [tag a is there already]");
  constexpr auto twice = [](partition_result& to) {
    const auto a = to.add_tag("a", delegation_spec{"Npu"});
    const auto b = to.add_tag("b", delegation_spec{"Dsp"});
    to.tag_node(node_id{0}, a);
    to.tag_node(node_id{0}, b);
    to.tag_node(node_id{0}, a);
    to.tag_node(node_id{1}, a);
    to.tag_node(node_id{1}, b);
  };
  constexpr auto again = [](partition_result& to) {
    const auto a = to.add_tag("a", delegation_spec{"Npu"});
    to.tag_node(node_id{0}, a);
    to.tag_node(node_id{0}, a);
    to.tag_node(node_id{0}, none<tag_id>);
    to.tag_node(node_id{0}, to.add_tag("b", delegation_spec{"Dsp"}));
  };
  const auto changed = tagged_by<again>();
  const auto taken_over =
      tag_program(tags::tagged_before(conformance::g_mmadd(), "old", "mm"), tags::partitioner<tags::part<"a", "Npu", "mm">>{});
  return is_refused<twice>(view(text)) && tagged_by<twice>(validation::off) && changed && index(changed.value.nodes[0].tag) == 1 &&
         taken_over && index(taken_over.value.nodes[0].tag) == 1;
}
static_assert(a_node_has_one_tag());

// What nodes and data came with stands in a result as well, until they are tagged anew; their tags may be given a spec.
constexpr auto a_result_knows_the_tags_that_came() -> bool {
  auto came = tags::tagged_before(conformance::g_mmadd(), "old", "mm");
  came.values[0].tag = tag_id{0};
  came.values[0].sharing = data_sharing::own;
  partition_result to(came);
  const bool is_there = to.tag_of(node_id{0}) == tag_id{0} && to.tag_of(node_id{1}) == none<tag_id> && to.name_of(tag_id{0}) == "old" &&
                        to.tag_of(value_id{0}) == tag_id{0} && to.value_tags()[0].sharing == data_sharing::own &&
                        to.find_tag("old") == none<tag_id>;
  const auto given = tag_program(
      came, tags::writes<[](partition_result& result) { result.partition_tags.emplace_back(tag_id{0}, delegation_spec{"Npu"}); }>{});
  return is_there && has_spec(given.value, given.value.nodes[0].tag) && given.value.values[0].sharing == data_sharing::own;
}
static_assert(a_result_knows_the_tags_that_came());

// R59: a tag that the program came with is ignored; one that this partitioner put there and left without a spec was forgotten.
constexpr auto a_tag_of_a_node_has_a_spec() -> bool {
  constexpr auto forgets = [](partition_result& to) { to.tag_node(node_id{1}, to.add_tag("left")); };
  constexpr auto gives_it_later = [](partition_result& to) {
    const auto later = to.add_tag("left");
    to.tag_node(node_id{1}, later);
    to.partition_tags.emplace_back(later, delegation_spec{"Npu"});
  };
  const auto text = join(rule<"tag_without_spec">::sentence, " [node: add] [operator: aten.add.Tensor] [tag: left]");
  const auto came = tags::tagged_before(conformance::g_mmadd(), "old", "mm add");
  const auto ignored = tag_program(came, tags::writes<[](partition_result&) {}>{});
  // The tag "old" on one more node, and another of that name in its place.
  const auto spread = tag_program(came, tags::writes<[](partition_result& to) { to.tag_node(node_id{2}, tag_id{0}); }>{});
  const auto replaced = tag_program(came, tags::writes<[](partition_result& to) { to.tag_node(node_id{1}, to.add_tag("old")); }>{});
  return is_refused<forgets>(view(text)) && tagged_by<forgets>(validation::off) && tagged_by<gives_it_later>() && ignored &&
         spread.error.is<"tag_without_spec">() && view(spread.error.tag) == "old" && view(spread.error.node_name) == "sub" &&
         replaced.error.is<"tag_without_spec">() && view(replaced.error.tag) == "old";
}
static_assert(a_tag_of_a_node_has_a_spec());

// A tag is added node by node, as often as one likes; its spec may come at any time, and stands once.
constexpr auto one_name_is_one_tag() -> bool {
  partition_result to(tags::tagged_before(conformance::g_mmadd(), "npu", "mm"));
  const auto spec = [] { return delegation_spec{"Npu", {{"key", "value"}, {"key", ""}}}; };
  const auto later = to.add_tag("later");
  for (std::uint32_t n = 0; n < 4; ++n) to.tag_node(node_id{n}, to.add_tag("npu", spec()));
  const auto npu = to.find_tag("npu");
  const bool is_one = to.tag_count() == 3 && to.partition_tags.size() == 1 && to.add_tag("npu") == npu &&
                      to.add_tag("later", delegation_spec{"Dsp"}) == later && to.add_tag("later", delegation_spec{"Dsp"}) == later &&
                      to.partition_tags.size() == 2 && to.find_tag("other") == none<tag_id>;
  // What the program came with is another tag.
  return is_one && !to.error && index(npu) == 2 && to.conflict.node == none<node_id> && to.tag_of(node_id{3}) == npu;
}
static_assert(one_name_is_one_tag());

constexpr auto many_names_are_many_tags() -> bool {
  partition_result to(conformance::g_sin());
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < 40; ++i) {
      if (index(to.add_tag(view(join("tag", i)), delegation_spec{"Npu"})) != i) return false;
    }
  }
  return to.tag_count() == 40 && to.partition_tags.size() == 40 && to.find_tag("tag39") == tag_id{39};
}
static_assert(many_names_are_many_tags());

// A partitioner may add a tag by a name that it has from its result, also where the names then move.
constexpr auto a_name_may_be_one_of_the_results_own() -> bool {
  constexpr std::string_view name = "a long name that came with the program";
  partition_result to(tags::tagged_before(conformance::g_mmadd(), name, "mm"));
  const auto added = to.add_tag(to.name_of(tag_id{0}), delegation_spec{"Npu"});
  for (std::uint32_t i = 0; i < 8; ++i) to.tag_node(node_id{0}, to.add_tag(to.name_of(added), delegation_spec{"Npu"}));
  const partition_result& made = to;
  return made.tag_count() == 2 && made.name_of(added) == name && made.name_of(tag_id{0}) == name && made.find_tag(name) == added;
}
static_assert(a_name_may_be_one_of_the_results_own());

// The map may be changed by hand; the spec that counts is the one that stands there.
constexpr auto a_map_may_be_filled_by_hand() -> bool {
  partition_result to(conformance::g_sin());
  const auto a = to.add_tag("a");
  const auto b = to.add_tag("b", delegation_spec{"Dsp"});
  to.partition_tags.clear();
  to.partition_tags.emplace_back(a, delegation_spec{"Npu"});
  const bool is_same = to.add_tag("a", delegation_spec{"Npu"}) == a && to.add_tag("b", delegation_spec{"Gpu"}) == b;
  return is_same && !to.error && to.partition_tags.size() == 2 && view(to.partition_tags[1].second.backend_id) == "Gpu";
}
static_assert(a_map_may_be_filled_by_hand());

constexpr auto a_tag_has_one_spec() -> bool {
  const auto text = [](std::string_view facts) { return join(rule<"conflicting_tag">::sentence, facts); };
  const auto backend = text(" [tag: a] [backend: Dsp] [it stands for Npu]");
  const auto specs = text(" [tag: a] [backend: Npu] [the compile specs are others]");
  constexpr auto to_another_backend = [](partition_result& to) {
    to.tag_node(node_id{0}, to.add_tag("a", delegation_spec{"Npu"}));
    to.tag_node(node_id{1}, to.add_tag("a", delegation_spec{"Dsp"}));
    to.add_tag("a", delegation_spec{"Gpu"});
  };
  return is_refused<to_another_backend>(view(backend)) && tagged_by<to_another_backend>(validation::off).error.is<"conflicting_tag">() &&
         is_refused<[](partition_result& to) {
           to.add_tag("a", delegation_spec{"Npu", {{"key", "value"}}});
           to.add_tag("a", delegation_spec{"Npu"});
         }>(view(specs)) &&
         is_refused<[](partition_result& to) {
           to.add_tag("a", delegation_spec{"Npu", {{"a", "1"}, {"b", "2"}}});
           to.add_tag("a", delegation_spec{"Npu", {{"b", "2"}, {"a", "1"}}});
         }>(view(specs)) &&
         is_refused<[](partition_result& to) {
           to.partition_tags.emplace_back(to.add_tag("a", delegation_spec{"Npu"}), delegation_spec{"Dsp"});
         }>(view(backend)) &&
         tagged_by<[](partition_result& to) {
           to.partition_tags.emplace_back(to.add_tag("a", delegation_spec{"Npu"}), delegation_spec{"Npu"});
         }>()
                 .value.tags[0]
                 .order == 0;
}
static_assert(a_tag_has_one_spec());

// R61: no name says that there is no tag.
constexpr auto a_tag_has_a_name() -> bool {
  const auto text = join(rule<"unnamed_tag">::sentence, " [backend: Npu]");
  constexpr auto nameless = [](partition_result& to) { to.tag_node(node_id{0}, to.add_tag("", delegation_spec{"Npu"})); };
  return is_refused<nameless>(view(text)) && tagged_by<nameless>(validation::off).error.is<"unnamed_tag">();
}
static_assert(a_tag_has_a_name());

struct refuses {
  static constexpr auto partition(const program_view&) -> result<partition_result> { return broken<"malformed_operator">("not mine"); }
};

constexpr auto the_failure_of_a_partitioner_is_passed_on() -> bool {
  const auto made = tag_program(conformance::g_sin(), refuses{});
  return !made && made.error.is<"malformed_operator">() && view(made.error.reason) == "not mine";
}
static_assert(the_failure_of_a_partitioner_is_passed_on());

}  // namespace

TEST_CASE("a partitioner's tag map becomes part of the program") {
  CHECK(specs_stand_in_the_tags_in_the_order_of_the_map());
  CHECK(tags_of_an_earlier_partitioner_stand_for_nothing());
}

TEST_CASE("a partitioner gives a node one tag, and a tag of a node its spec; what the program came with is ignored (R59)") {
  CHECK(a_node_has_one_tag());
  CHECK(a_result_knows_the_tags_that_came());
  CHECK(a_tag_of_a_node_has_a_spec());
}

TEST_CASE("a name added again is the same tag, however often and in whatever order (R57, R58)") {
  CHECK(one_name_is_one_tag());
  CHECK(many_names_are_many_tags());
  CHECK(a_name_may_be_one_of_the_results_own());
  CHECK(a_map_may_be_filled_by_hand());
}

TEST_CASE("a tag has one spec, and a name (R61)") {
  CHECK(a_tag_has_one_spec());
  CHECK(a_tag_has_a_name());
}

TEST_CASE("the result of another program, or one that names a tag, node or value that is not there, is refused (E8, E17)") {
  CHECK(a_result_is_that_of_its_program());
  CHECK(tags_must_be_there());
  CHECK(a_tag_that_is_not_there_is_on_nothing());
  CHECK(tagged_nodes_and_values_must_be_there());
  CHECK(the_failure_of_a_partitioner_is_passed_on());
}
