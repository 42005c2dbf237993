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
constexpr auto is_rejected(std::string_view text) -> bool {
  const auto tagged = tagged_by<Write>();
  const auto why = message(tagged.error);
  return !tagged && view(why) == text;
}

constexpr auto specs_are_stored_in_the_tags_in_map_order() -> bool {
  const auto tagged = tagged_by<[](partition_result& result) {
    result.add_tag("unused");
    result.add_tag("b", delegation_spec{"Npu", {{"key", "value"}, {"key", ""}}});
    result.add_tag("a", delegation_spec{"Dsp"});
  }>();
  const program_view program = tagged.value;
  const auto specs = program.tags[1].compile_specs;
  return tagged && program.tags.size() == 3 && program.tags[0].order == 0xffffffffu && program.tags[1].order == 0 &&
         program.tags[2].order == 1 && program.text(program.tags[2].backend_id) == "Dsp" && program.tags[2].compile_specs.size == 0 &&
         specs.size == 2 && program.text(program.compile_specs[specs.first].value) == "value" &&
         program.text(program.compile_specs[specs.first + 1].key) == "key";
}
static_assert(specs_are_stored_in_the_tags_in_map_order());

// A result contains only the tags of its program. A result of another program, or of none, is rejected with or without checks.
constexpr auto a_result_must_be_of_its_program() -> bool {
  constexpr auto sentence = rule<"foreign_result">::sentence;
  constexpr auto empty_result = [](partition_result& result) { result = {}; };
  constexpr auto foreign_result = [](partition_result& result) { result = partition_result{conformance::g_sin()}; };
  constexpr auto changed_program = [](partition_result& result) {
    auto program = conformance::g_mmadd();
    program.nodes.pop_back();
    result = partition_result{program};
  };
  return tagged_by<empty_result>().error.rule == sentence && tagged_by<empty_result>(validation::off).error.rule == sentence &&
         tagged_by<foreign_result>().error.rule == sentence && tagged_by<changed_program>(validation::off).error.rule == sentence;
}
static_assert(a_result_must_be_of_its_program());

constexpr auto tags_must_exist() -> bool {
  constexpr auto sentence = rule<"misplaced_index">::sentence;
  const auto text = [&](std::string_view facts) { return join(sentence, facts); };
  const auto node = text(" [node: mm] [operator: aten.mm.default] [the tag does not exist]");
  const auto value = text(" [value 0 is assigned a tag that does not exist]");
  const auto entry = text(" [partition_tags has tag 3, which does not exist]");
  return is_rejected<[](partition_result& result) { result.tag_node(node_id{0}, tag_id{0}); }>(view(node)) &&
         is_rejected<[](partition_result& result) { result.tag_value(value_id{0}, tag_id{0}); }>(view(value)) &&
         is_rejected<[](partition_result& result) { result.partition_tags.emplace_back(tag_id{3}, delegation_spec{"Npu"}); }>(
             view(entry)) &&
         !tagged_by<[](partition_result& result) { result.partition_tags.emplace_back(none<tag_id>, delegation_spec{"Npu"}); }>();
}
static_assert(tags_must_exist());

// A tag that does not exist is rejected when it is set, so that every tag in a result has a name.
constexpr auto a_tag_that_does_not_exist_is_not_set() -> bool {
  const auto text = join(rule<"misplaced_index">::sentence, " [node: add] [operator: aten.add.Tensor] [the tag does not exist]");
  constexpr auto then_another = [](partition_result& result) {
    const auto good = result.add_tag("good", delegation_spec{"Npu"});
    result.tag_node(node_id{1}, tag_id{99});
    result.tag_value(value_id{0}, tag_id{99});
    result.tag_node(node_id{1}, good);
  };
  const auto program = conformance::g_mmadd();
  partition_result result(program);
  result.tag_node(node_id{0}, tag_id{99});
  result.tag_value(value_id{0}, tag_id{99});
  tag_constant_data(result, program);
  return result.tag_of(node_id{0}) == none<tag_id> && result.tag_of(value_id{0}) == none<tag_id> && is_rejected<then_another>(view(text)) &&
         tagged_by<then_another>(validation::off).error.is<"misplaced_index">();
}
static_assert(a_tag_that_does_not_exist_is_not_set());

// Nodes and values that a partitioner tags must exist. The first that does not is reported, with or without checks.
constexpr auto tagged_nodes_and_values_must_exist() -> bool {
  constexpr auto sentence = rule<"misplaced_index">::sentence;
  const auto nodes = conformance::g_mmadd().nodes.size();
  const auto values = conformance::g_mmadd().values.size();
  const auto node = join(sentence, " [node 9 is tagged, but the number of nodes is ", nodes, "]");
  const auto value = join(sentence, " [value 4294967295 is tagged, but the number of values is ", values, "]");
  constexpr auto far_node = [](partition_result& result) {
    const auto tag = result.add_tag("a", delegation_spec{"Npu"});
    result.tag_node(node_id{9}, tag);
    result.tag_node(node_id{11}, none<tag_id>);
  };
  return is_rejected<far_node>(view(node)) && tagged_by<far_node>(validation::off).error.rule == sentence &&
         is_rejected<[](partition_result& result) { result.tag_value(none<value_id>, none<tag_id>); }>(view(value));
}
static_assert(tagged_nodes_and_values_must_exist());

// A partitioner that starts from a tagged program keeps its tags, but their specs are discarded.
constexpr auto specs_of_an_earlier_partitioner_are_discarded() -> bool {
  const auto once =
      tagged_by<[](partition_result& result) { result.tag_node(node_id{0}, result.add_tag("old", delegation_spec{"Npu"})); }>();
  const auto again = tag_program(once.value, archetypes::partitioner{});
  return again && again.value.tags.size() == 1 && again.value.nodes[0].tag == tag_id{0} && again.value.tags[0].order == 0xffffffffu;
}
static_assert(specs_of_an_earlier_partitioner_are_discarded());

// A partitioner must remove a tag before it sets another one. A tag that the program already had is not a tag of this partitioner, and may
// be replaced.
constexpr auto a_node_has_one_tag() -> bool {
  const auto text = join(rule<"node_tagged_twice">::sentence, " [node: mm] [operator: aten.mm.default] [tag: b] [it already has tag a]");
  constexpr auto two_tags = [](partition_result& result) {
    const auto a = result.add_tag("a", delegation_spec{"Npu"});
    const auto b = result.add_tag("b", delegation_spec{"Dsp"});
    result.tag_node(node_id{0}, a);
    result.tag_node(node_id{0}, b);
    result.tag_node(node_id{0}, a);
    result.tag_node(node_id{1}, a);
    result.tag_node(node_id{1}, b);
  };
  constexpr auto replaced_tag = [](partition_result& result) {
    const auto a = result.add_tag("a", delegation_spec{"Npu"});
    result.tag_node(node_id{0}, a);
    result.tag_node(node_id{0}, a);
    result.tag_node(node_id{0}, none<tag_id>);
    result.tag_node(node_id{0}, result.add_tag("b", delegation_spec{"Dsp"}));
  };
  const auto changed = tagged_by<replaced_tag>();
  const auto retagged =
      tag_program(tags::tagged_before(conformance::g_mmadd(), "old", "mm"), tags::partitioner<tags::part<"a", "Npu", "mm">>{});
  return is_rejected<two_tags>(view(text)) && tagged_by<two_tags>(validation::off) && changed && index(changed.value.nodes[0].tag) == 1 &&
         retagged && index(retagged.value.nodes[0].tag) == 1;
}
static_assert(a_node_has_one_tag());

// A result contains the tags that the program already had, until nodes and data are tagged again. Such tags may get a spec.
constexpr auto a_result_contains_earlier_tags() -> bool {
  auto source = tags::tagged_before(conformance::g_mmadd(), "old", "mm");
  source.values[0].tag = tag_id{0};
  source.values[0].sharing = data_sharing::own;
  partition_result result(source);
  const bool is_kept = result.tag_of(node_id{0}) == tag_id{0} && result.tag_of(node_id{1}) == none<tag_id> &&
                       result.name_of(tag_id{0}) == "old" && result.tag_of(value_id{0}) == tag_id{0} &&
                       result.value_tags()[0].sharing == data_sharing::own && result.find_tag("old") == none<tag_id>;
  const auto with_spec = tag_program(
      source, tags::writes<[](partition_result& changed) { changed.partition_tags.emplace_back(tag_id{0}, delegation_spec{"Npu"}); }>{});
  return is_kept && has_spec(with_spec.value, with_spec.value.nodes[0].tag) && with_spec.value.values[0].sharing == data_sharing::own;
}
static_assert(a_result_contains_earlier_tags());

// R59: a tag that the program already had is ignored. A tag that this partitioner sets must have a spec.
constexpr auto a_tag_of_a_node_must_have_a_spec() -> bool {
  constexpr auto without_spec = [](partition_result& result) { result.tag_node(node_id{1}, result.add_tag("left")); };
  constexpr auto with_later_spec = [](partition_result& result) {
    const auto later = result.add_tag("left");
    result.tag_node(node_id{1}, later);
    result.partition_tags.emplace_back(later, delegation_spec{"Npu"});
  };
  const auto text = join(rule<"tag_without_spec">::sentence, " [node: add] [operator: aten.add.Tensor] [tag: left]");
  const auto source = tags::tagged_before(conformance::g_mmadd(), "old", "mm add");
  const auto ignored = tag_program(source, tags::writes<[](partition_result&) {}>{});
  // The tag "old" is set on another node, and is replaced by another tag of that name.
  const auto spread = tag_program(source, tags::writes<[](partition_result& result) { result.tag_node(node_id{2}, tag_id{0}); }>{});
  const auto replaced =
      tag_program(source, tags::writes<[](partition_result& result) { result.tag_node(node_id{1}, result.add_tag("old")); }>{});
  return is_rejected<without_spec>(view(text)) && tagged_by<without_spec>(validation::off) && tagged_by<with_later_spec>() && ignored &&
         spread.error.is<"tag_without_spec">() && view(spread.error.tag) == "old" && view(spread.error.node_name) == "sub" &&
         replaced.error.is<"tag_without_spec">() && view(replaced.error.tag) == "old";
}
static_assert(a_tag_of_a_node_must_have_a_spec());

// A tag may be added repeatedly, once for each node. Its spec may be added at any time, and is stored once.
constexpr auto one_name_is_one_tag() -> bool {
  partition_result result(tags::tagged_before(conformance::g_mmadd(), "npu", "mm"));
  const auto spec = [] { return delegation_spec{"Npu", {{"key", "value"}, {"key", ""}}}; };
  const auto later = result.add_tag("later");
  for (std::uint32_t n = 0; n < 4; ++n) result.tag_node(node_id{n}, result.add_tag("npu", spec()));
  const auto npu = result.find_tag("npu");
  const bool is_one = result.tag_count() == 3 && result.partition_tags.size() == 1 && result.add_tag("npu") == npu &&
                      result.add_tag("later", delegation_spec{"Dsp"}) == later &&
                      result.add_tag("later", delegation_spec{"Dsp"}) == later && result.partition_tags.size() == 2 &&
                      result.find_tag("other") == none<tag_id>;
  // The tag that the program already had is a different tag.
  return is_one && !result.error && index(npu) == 2 && result.conflict.node == none<node_id> && result.tag_of(node_id{3}) == npu;
}
static_assert(one_name_is_one_tag());

constexpr auto many_names_are_many_tags() -> bool {
  partition_result result(conformance::g_sin());
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < 40; ++i) {
      if (index(result.add_tag(view(join("tag", i)), delegation_spec{"Npu"})) != i) return false;
    }
  }
  return result.tag_count() == 40 && result.partition_tags.size() == 40 && result.find_tag("tag39") == tag_id{39};
}
static_assert(many_names_are_many_tags());

// A partitioner may add a tag by a name that is stored in its result, even if adding it moves the names.
constexpr auto a_name_may_be_stored_in_the_result() -> bool {
  constexpr std::string_view name = "a long name that came with the program";
  partition_result result(tags::tagged_before(conformance::g_mmadd(), name, "mm"));
  const auto added = result.add_tag(result.name_of(tag_id{0}), delegation_spec{"Npu"});
  for (std::uint32_t i = 0; i < 8; ++i) result.tag_node(node_id{0}, result.add_tag(result.name_of(added), delegation_spec{"Npu"}));
  const partition_result& unchanged = result;
  return unchanged.tag_count() == 2 && unchanged.name_of(added) == name && unchanged.name_of(tag_id{0}) == name &&
         unchanged.find_tag(name) == added;
}
static_assert(a_name_may_be_stored_in_the_result());

// The map may be changed directly. The spec in the map is used.
constexpr auto a_map_may_be_changed_directly() -> bool {
  partition_result result(conformance::g_sin());
  const auto a = result.add_tag("a");
  const auto b = result.add_tag("b", delegation_spec{"Dsp"});
  result.partition_tags.clear();
  result.partition_tags.emplace_back(a, delegation_spec{"Npu"});
  const bool is_same = result.add_tag("a", delegation_spec{"Npu"}) == a && result.add_tag("b", delegation_spec{"Gpu"}) == b;
  return is_same && !result.error && result.partition_tags.size() == 2 && view(result.partition_tags[1].second.backend_id) == "Gpu";
}
static_assert(a_map_may_be_changed_directly());

constexpr auto a_tag_has_one_spec() -> bool {
  const auto text = [](std::string_view facts) { return join(rule<"conflicting_tag">::sentence, facts); };
  const auto backend = text(" [tag: a] [backend: Dsp] [the tag already has backend Npu]");
  const auto specs = text(" [tag: a] [backend: Npu] [the compile specs differ]");
  constexpr auto another_backend = [](partition_result& result) {
    result.tag_node(node_id{0}, result.add_tag("a", delegation_spec{"Npu"}));
    result.tag_node(node_id{1}, result.add_tag("a", delegation_spec{"Dsp"}));
    result.add_tag("a", delegation_spec{"Gpu"});
  };
  return is_rejected<another_backend>(view(backend)) && tagged_by<another_backend>(validation::off).error.is<"conflicting_tag">() &&
         is_rejected<[](partition_result& result) {
           result.add_tag("a", delegation_spec{"Npu", {{"key", "value"}}});
           result.add_tag("a", delegation_spec{"Npu"});
         }>(view(specs)) &&
         is_rejected<[](partition_result& result) {
           result.add_tag("a", delegation_spec{"Npu", {{"a", "1"}, {"b", "2"}}});
           result.add_tag("a", delegation_spec{"Npu", {{"b", "2"}, {"a", "1"}}});
         }>(view(specs)) &&
         is_rejected<[](partition_result& result) {
           result.partition_tags.emplace_back(result.add_tag("a", delegation_spec{"Npu"}), delegation_spec{"Dsp"});
         }>(view(backend)) &&
         tagged_by<[](partition_result& result) {
           result.partition_tags.emplace_back(result.add_tag("a", delegation_spec{"Npu"}), delegation_spec{"Npu"});
         }>()
                 .value.tags[0]
                 .order == 0;
}
static_assert(a_tag_has_one_spec());

// R61: an empty name means that there is no tag.
constexpr auto a_tag_must_have_a_name() -> bool {
  const auto text = join(rule<"unnamed_tag">::sentence, " [backend: Npu]");
  constexpr auto nameless = [](partition_result& result) { result.tag_node(node_id{0}, result.add_tag("", delegation_spec{"Npu"})); };
  return is_rejected<nameless>(view(text)) && tagged_by<nameless>(validation::off).error.is<"unnamed_tag">();
}
static_assert(a_tag_must_have_a_name());

struct failing {
  static constexpr auto partition(const program_view&) -> result<partition_result> { return broken<"malformed_operator">("not mine"); }
};

constexpr auto the_failure_of_a_partitioner_is_passed_on() -> bool {
  const auto tagged = tag_program(conformance::g_sin(), failing{});
  return !tagged && tagged.error.is<"malformed_operator">() && view(tagged.error.reason) == "not mine";
}
static_assert(the_failure_of_a_partitioner_is_passed_on());

}  // namespace

TEST_CASE("a partitioner's tag map becomes part of the program") {
  CHECK(specs_are_stored_in_the_tags_in_map_order());
  CHECK(specs_of_an_earlier_partitioner_are_discarded());
}

TEST_CASE("a partitioner sets one tag per node and a spec for each tag, and earlier tags are ignored (R59)") {
  CHECK(a_node_has_one_tag());
  CHECK(a_result_contains_earlier_tags());
  CHECK(a_tag_of_a_node_must_have_a_spec());
}

TEST_CASE("a name that is added again is the same tag, in any number and order (R57, R58)") {
  CHECK(one_name_is_one_tag());
  CHECK(many_names_are_many_tags());
  CHECK(a_name_may_be_stored_in_the_result());
  CHECK(a_map_may_be_changed_directly());
}

TEST_CASE("a tag has one spec and a name (R61)") {
  CHECK(a_tag_has_one_spec());
  CHECK(a_tag_must_have_a_name());
}

TEST_CASE("a result of another program, or with a tag, node or value that does not exist, is rejected (E8, E17)") {
  CHECK(a_result_must_be_of_its_program());
  CHECK(tags_must_exist());
  CHECK(a_tag_that_does_not_exist_is_not_set());
  CHECK(tagged_nodes_and_values_must_exist());
  CHECK(the_failure_of_a_partitioner_is_passed_on());
}
