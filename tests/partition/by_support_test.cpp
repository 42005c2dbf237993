// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/partition/by_support.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/compile_specs.hpp>
#include <baton/core/program.hpp>
#include <baton/core/static_program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>

#include "conformance/graphs.hpp"
#include "laws/partitioner.hpp"
#include "lower/tags.hpp"
#include "partition/greedy_merge.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <initializer_list>
#include <map>
#include <random>
#include <string>
#include <string_view>

namespace {

using namespace baton;

struct npu {
  static constexpr auto id = name<"Npu">;
};
constexpr auto one = tensor(dtype::int8, 1);

using supported = by_support<npu, operator_names<"s">>;
using add_mul = by_support<npu, operator_names<"aten.add.Tensor", "aten.mm.default">>;

/// Returns the parts as text, in the order of the tag map: `tag1:mm_1,add_1 tag3:mm,add`.
constexpr auto parts_text(const program_view& program, const partition_result& result) -> text_buffer {
  text_buffer text;
  for (const auto& [tag, spec] : result.partition_tags) {
    if (!text.empty()) append(text, " ");
    append(append(text, result.name_of(tag)), ":");
    bool is_first = true;
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      if (result.tag_of(node_id{n}) != tag) continue;
      append(append(text, is_first ? "" : ","), program.text(program.nodes[n].name));
      is_first = false;
    }
  }
  return text;
}

template <class Partitioner>
constexpr auto has_parts(const exported_program& program, std::string_view text) -> bool {
  return view(parts_text(program, Partitioner::partition(program))) == text;
}

/// Adds a node of the golden vectors. Its name begins with its operator, `s` (supported) or `u`.
constexpr auto add(program_builder& b, std::string_view node_name, std::initializer_list<value_id> inputs) -> value_id {
  const auto id = b.call(node_name, node_name.substr(0, 1), inputs, one);
  b.output(id);
  return id;
}

constexpr auto golden_v1() -> bool {
  program_builder b;
  const auto s1 = add(b, "s1", {b.user_input("x", one)});
  add(b, "s2", {s1, add(b, "u1", {s1})});
  return has_parts<supported>(b.finish(), "tag0:s2 tag1:s1");
}
static_assert(golden_v1());

constexpr auto golden_v2() -> bool {
  program_builder b;
  const auto x = b.user_input("x", one);
  const auto y = b.user_input("y", one);
  add(b, "s2", {add(b, "u1", {add(b, "s1", {x})})});
  add(b, "s4", {add(b, "u2", {add(b, "s3", {y})})});
  return has_parts<supported>(b.finish(), "tag2:s2,s4 tag3:s1,s3");
}
static_assert(golden_v2());

constexpr auto golden_v3() -> bool {
  program_builder b;
  const auto x = b.user_input("x", one);
  const auto y = b.user_input("y", one);
  const auto s1 = add(b, "s1", {x});
  const auto s3 = add(b, "s3", {y});
  const auto u1 = add(b, "u1", {s1});
  const auto u2 = add(b, "u2", {s3});
  add(b, "s2", {u1});
  add(b, "s4", {u2});
  return has_parts<supported>(b.finish(), "tag1:s2,s4 tag3:s1,s3");
}
static_assert(golden_v3());

constexpr auto golden_v6() -> bool {
  program_builder b;
  const auto s1 = add(b, "s1", {b.user_input("x", one)});
  const auto s2 = add(b, "s2", {add(b, "u1", {s1})});
  add(b, "s3", {add(b, "u2", {s2})});
  return has_parts<supported>(b.finish(), "tag0:s3 tag1:s2 tag2:s1");
}
static_assert(golden_v6());

constexpr auto golden_v8() -> bool {
  program_builder b;
  const auto x = b.user_input("x", one);
  const auto y = b.user_input("y", one);
  add(b, "s1", {x});
  add(b, "s2", {y});
  return has_parts<supported>(b.finish(), "tag1:s1,s2");
}
static_assert(golden_v8());

constexpr auto golden_g_mmadd() -> bool { return has_parts<add_mul>(conformance::g_mmadd(), "tag1:mm_1,add_1 tag3:mm,add"); }
static_assert(golden_g_mmadd());

constexpr auto golden_g_seq() -> bool {
  const auto program = conformance::g_seq();
  return has_parts<by_support<npu, operator_names<"aten.add.Tensor">>>(program, "tag1:add,add_1,add_2,add_3,add_4") &&
         has_parts<by_support<npu, operator_names<"aten.sub.Tensor">>>(program, "tag1:sub,sub_1,sub_2");
}
static_assert(golden_g_seq());

constexpr auto tags_have_the_backend_and_no_specs() -> bool {
  const auto result = add_mul::partition(conformance::g_mmadd());
  return result.partition_tags.size() == 2 && view(result.partition_tags[0].second.backend_id) == "Npu" &&
         result.partition_tags[0].second.compile_specs.empty();
}
static_assert(tags_have_the_backend_and_no_specs());

struct fast_mode {
  constexpr auto operator()() const -> compile_specs { return {compile_spec{"mode", "fast"}, compile_spec{"mode", "faster"}}; }
};
constexpr auto every_tag_has_the_specs() -> bool {
  using adds_and_muls =
      by_support<npu, operator_names<"aten.add.Tensor", "aten.mm.default">, partition_options{}, no_support, no_support, fast_mode{}>;
  const auto result = adds_and_muls::partition(conformance::g_mmadd());
  return result.partition_tags.size() == 2 && result.partition_tags[0].second == delegation_spec{"Npu", fast_mode{}()} &&
         result.partition_tags[1].second == delegation_spec{"Npu", fast_mode{}()};
}
static_assert(every_tag_has_the_specs());

constexpr auto without_supported_nodes_there_is_no_part() -> bool {
  const auto result = by_support<npu, no_support>::partition(conformance::g_crt());
  const auto tags = result.node_tags();
  return result.partition_tags.empty() && std::all_of(tags.begin(), tags.end(), [](tag_id id) { return id == none<tag_id>; });
}
static_assert(without_supported_nodes_there_is_no_part());

constexpr auto if_all_nodes_are_supported_there_is_one_part() -> bool {
  return has_parts<by_support<npu, not_of<no_support>>>(conformance::g_crt(), "tag1:conv,relu,conv_1,relu_1,tan");
}
static_assert(if_all_nodes_are_supported_there_is_one_part());

constexpr auto small_parts_are_omitted() -> bool {
  program_builder b;
  const auto s1 = add(b, "s1", {b.user_input("x", one)});
  const auto u1 = add(b, "u1", {s1});
  add(b, "s3", {add(b, "s2", {u1})});
  const auto program = b.finish();
  return has_parts<supported>(program, "tag1:s2,s3 tag2:s1") &&
         has_parts<by_support<npu, operator_names<"s">, partition_options{.min_nodes = 2}>>(program, "tag1:s2,s3") &&
         by_support<npu, operator_names<"s">, partition_options{.min_nodes = 3}>::partition(program).partition_tags.empty();
}
static_assert(small_parts_are_omitted());

constexpr auto large_parts_are_split() -> bool {
  using split = by_support<npu, not_of<no_support>, partition_options{.max_nodes = 2}>;
  return has_parts<split>(conformance::g_crt(), "tag1:relu_1,tan tag3:relu,conv_1 tag4:conv");
}
static_assert(large_parts_are_split());

// One output is used by a supported node, the other by an unsupported node, whose output a supported node uses.
constexpr auto nodes_with_several_outputs_form_no_cycle() -> bool {
  program_builder b;
  const auto x = b.user_input("x", one);
  const auto pair = b.call_many("s_pair", "s", {x, none<value_id>}, {one, one});
  const auto u1 = add(b, "u1", {pair[1]});
  add(b, "s2", {pair[0]});
  add(b, "s3", {u1});
  return has_parts<supported>(b.finish(), "tag1:s2,s3 tag2:s_pair");
}
static_assert(nodes_with_several_outputs_form_no_cycle());

constexpr auto branches_are_partitioned_and_delegates_are_not() -> bool {
  program_builder b;
  const auto root = b.current();
  const auto branch = b.add_graph("branch");
  add(b, "s_branch", {b.user_input("y", one)});
  const auto nested = b.add_graph("nested");
  add(b, "s_nested", {b.user_input("w", one)});
  const auto original = b.add_graph("original");
  const auto z = b.user_input("z", one);
  b.output(b.call_many("s_original", "s", {z}, {one}, {}, {nested})[0]);
  b.enter(root);
  const auto x = b.user_input("x", one);
  const auto inner = b.call_many("u_cond", "test.cond", {x}, {one}, {}, {branch})[0];
  const auto output = b.add_value(b.make_value("called", one, value_kind::intermediate));
  auto record = b.make_node("call", call_delegate.text);
  record.delegate = delegate_id{0};
  b.add_node(record, {&inner, 1}, {&output, 1});
  add(b, "s1", {output});
  auto program = b.finish();
  program.delegates.push_back({.original = original});
  return has_parts<supported>(program, "tag0:s1 tag1:s_branch");
}
static_assert(branches_are_partitioned_and_delegates_are_not());

template <class Partitioner>
auto parts_by_id(const reference::dag& graph) -> std::map<std::size_t, reference::node_set> {
  const auto result = Partitioner::partition(reference::program_of(graph));
  std::map<std::size_t, reference::node_set> parts;
  for (const auto& [tag, spec] : result.partition_tags) {
    const auto id = std::stoul(std::string(result.name_of(tag).substr(3)));
    for (std::size_t n = 0; n < result.node_tags().size(); ++n) {
      if (result.node_tags()[n] == tag) parts[id].insert(n);
    }
  }
  return parts;
}

struct counting_support {
  static inline std::size_t calls = 0;
  static auto supports(const program_view&, const node& candidate) -> verdict {
    ++calls;
    return candidate.is("s") ? accept() : refuse();
  }
};

}  // namespace

TEST_CASE("parts equal the golden vectors of the specification") {
  CHECK(golden_v1());
  CHECK(golden_v2());
  CHECK(golden_v3());
  CHECK(golden_v6());
  CHECK(golden_v8());
  CHECK(golden_g_mmadd());
  CHECK(golden_g_seq());
}

TEST_CASE("parts follow the options, in every graph except those of delegates") {
  CHECK(tags_have_the_backend_and_no_specs());
  CHECK(every_tag_has_the_specs());
  CHECK(without_supported_nodes_there_is_no_part());
  CHECK(if_all_nodes_are_supported_there_is_one_part());
  CHECK(small_parts_are_omitted());
  CHECK(large_parts_are_split());
  CHECK(nodes_with_several_outputs_form_no_cycle());
  CHECK(branches_are_partitioned_and_delegates_are_not());
}

TEST_CASE("on random graphs, parts and their ids equal those of the greedy merge") {
  std::mt19937 random(20260801);
  for (int i = 0; i < 5000; ++i) {
    const auto graph = reference::random_dag(random, i % 50 == 0 ? 40 : 12);
    INFO("graph " << i);
    REQUIRE(parts_by_id<supported>(graph) == reference::greedy_merge(graph).parts());
  }
}

TEST_CASE("on random graphs, parts form no cycle, even if they are split") {
  std::mt19937 random(20260802);
  for (int i = 0; i < 2000; ++i) {
    const auto program = reference::program_of(reference::random_dag(random, 24));
    INFO("graph " << i);
    REQUIRE(reference::is_acyclic(tags::written(supported::partition(program), program)));
    const auto split = by_support<npu, operator_names<"s">, partition_options{.max_nodes = 2}>::partition(program);
    REQUIRE(reference::is_acyclic(tags::written(split, program)));
    std::map<tag_id, int> sizes;
    for (const auto tag : split.node_tags()) sizes[tag] += tag == none<tag_id> ? 0 : 1;
    for (const auto& [tag, size] : sizes) REQUIRE(size <= 2);
  }
}

TEST_CASE("on random graphs, the laws of partitioners hold") {
  std::mt19937 random(20260803);
  for (int i = 0; i < 200; ++i) {
    const auto program = reference::program_of(reference::random_dag(random, 24));
    REQUIRE(laws::partitioner::all(program, supported{}));
    REQUIRE(laws::partitioner::all(program, by_support<npu, operator_names<"s">, partition_options{.min_nodes = 2, .max_nodes = 3}>{}));
  }
}

TEST_CASE("a support is queried once per node, and large graphs are partitioned fast") {
  // With a quadratic cost this would take hours, so the time need not be measured.
  reference::dag graph;
  for (std::size_t n = 0; n < 200'000; ++n) {
    graph.supported.push_back(n % 3 != 0 ? 1 : 0);
    graph.uses.push_back(n == 0 ? baton::vector<std::size_t>{} : baton::vector<std::size_t>{n - 1, n / 2});
  }
  const auto program = reference::program_of(graph);
  counting_support::calls = 0;
  const auto result = by_support<npu, counting_support>::partition(program);
  CHECK(counting_support::calls == 200'000);
  CHECK(result.partition_tags.size() == 66'667);
}
