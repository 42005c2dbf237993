// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
#include <baton/partition/split_cycles.hpp>
#include <baton/core/builder.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/lower/shared/check_parts.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/shared/rules.hpp>

#include "conformance/graphs.hpp"
#include "laws/partitioner.hpp"
#include "lower/tags.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace {

using namespace baton;

/// A part of mm and mm_1, between which are add and sub (E14).
using self_dependent = tags::partitioner<tags::part<"hand", "Npu", "mm mm_1 w1 w2">>;
/// Two parts that depend on each other, and one that is on no cycle (E15).
using mutually_dependent =
    tags::partitioner<tags::part<"a", "Npu", "n0 n3">, tags::part<"b", "Dsp", "n1 n2">, tags::part<"c", "Dsp", "n4 n5">>;

constexpr auto six_nodes() -> exported_program {
  constexpr auto type = tensor(dtype::float32, 4);
  program_builder b;
  const auto x = b.user_input("x", type);
  const auto n0 = b.call("n0", "aten.relu.default", {x}, type);
  const auto n1 = b.call("n1", "aten.relu.default", {n0}, type);
  const auto n2 = b.call("n2", "aten.relu.default", {x}, type);
  const auto n3 = b.call("n3", "aten.add.Tensor", {n2, n1}, type);
  const auto n4 = b.call("n4", "aten.relu.default", {n3}, type);
  b.output(b.call("n5", "aten.relu.default", {n4}, type));
  return b.finish();
}

/// Returns the tags of all nodes in order, with a dash for no tag.
template <partitioner Partitioner>
constexpr auto tags_by(const exported_program& program, const Partitioner& splitter) -> text_buffer {
  const auto tagged = tag_program(program, splitter);
  text_buffer reported;
  if (!tagged) return message(tagged.error);
  const program_view source = tagged.value;
  for (const auto& record : source.nodes) {
    append(append(reported, reported.empty() ? "" : " "), record.tag == none<tag_id> ? "-" : source.text(source[record.tag].name));
  }
  return reported;
}
template <partitioner Partitioner>
constexpr auto has_tags(const exported_program& program, std::string_view expected) -> bool {
  const auto reported = tags_by(program, Partitioner{});
  return view(reported) == expected;
}

/// Whether every part has the backend of the tag from which it was split.
constexpr auto keeps_backends() -> bool {
  const auto tagged = tag_program(six_nodes(), split_cycles<mutually_dependent>{});
  const program_view program = tagged.value;
  for (const auto& record : program.nodes) {
    const auto& tag = program[record.tag];
    if (program.text(tag.backend_id) != (program.text(tag.name).front() == 'a' ? "Npu" : "Dsp")) return false;
  }
  return true;
}

struct failing {
  static constexpr auto partition(const program_view&) -> result<partition_result> { return broken<"nothing_to_partition">(); }
};

constexpr auto passes_errors_on() -> bool {
  const auto result = split_cycles<failing>{}.partition(six_nodes());
  return !result && result.error.is<"nothing_to_partition">();
}

static_assert(has_tags<split_cycles<self_dependent>>(conformance::g_mmadd(), "hand - - hand_1 -"));
static_assert(has_tags<split_cycles<mutually_dependent>>(six_nodes(), "a b b a_1 c c"));
static_assert(has_tags<split_cycles<tags::partitioner<tags::part<"whole", "Npu", "n0 n1 n2 n3">>>>(six_nodes(),
                                                                                                   "whole whole whole whole - -"));
// A name that is already used is skipped.
using with_used_name = tags::partitioner<tags::part<"a", "Npu", "n0 n3">, tags::part<"a_1", "Npu", "n5">, tags::part<"b", "Dsp", "n1 n2">>;
static_assert(has_tags<split_cycles<with_used_name>>(six_nodes(), "a b b a_2 - a_1"));
static_assert(keeps_backends());
static_assert(passes_errors_on());
static_assert(laws::partitioner::all(conformance::g_mmadd(), split_cycles<self_dependent>{}));

struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    preprocess_result result;
    for (const auto& record : part.nodes) append(append(result.processed_bytes, part.text(record.target)), ";");
    return result;
  }
};
constexpr auto model = static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = to_backend(backends<npu>, model, split_cycles<self_dependent>{});
static_assert(delegates(lowered).size() == 2);

}  // namespace

TEST_CASE("split_cycles: a tag that depends on itself becomes two tags, with their constants") {
  CHECK(has_tags<split_cycles<self_dependent>>(conformance::g_mmadd(), "hand - - hand_1 -"));
  CHECK(message(check_parts(tag_program(conformance::g_mmadd(), self_dependent{}).value)).size() > 0);
  CHECK(laws::partitioner::all(conformance::g_mmadd(), split_cycles<self_dependent>{}));
  const auto at_run_time = to_backend(backends<npu>, conformance::g_mmadd(), split_cycles<self_dependent>{});
  CHECK(delegates(at_run_time).size() == 2);
}

TEST_CASE("split_cycles: one of two parts that depend on each other is split, and a part on no cycle is kept") {
  CHECK(has_tags<split_cycles<mutually_dependent>>(six_nodes(), "a b b a_1 c c"));
  CHECK(has_tags<split_cycles<with_used_name>>(six_nodes(), "a b b a_2 - a_1"));
  CHECK(keeps_backends());
}

TEST_CASE("split_cycles: nothing changes without a cycle, and errors are passed on") {
  CHECK(has_tags<split_cycles<tags::partitioner<tags::part<"whole", "Npu", "n0 n1 n2 n3">>>>(six_nodes(), "whole whole whole whole - -"));
  CHECK(passes_errors_on());
}

TEST_CASE("split_cycles: 100,000 nodes with two alternating tags are split") {
  constexpr std::uint32_t nodes = 100000;
  constexpr auto type = tensor(dtype::float32, 4);
  program_builder b;
  auto last = b.user_input("x", type);
  for (std::uint32_t n = 0; n < nodes; ++n) last = b.call(view(join("n", n)), "aten.relu.default", {last}, type);
  b.output(last);
  struct alternating {
    static auto partition(const program_view& program) -> partition_result {
      partition_result result(program);
      const tag_id tags[] = {result.add_tag("even", delegation_spec("Npu")), result.add_tag("odd", delegation_spec("Dsp"))};
      for (std::uint32_t n = 0; n < program.nodes.size(); ++n) result.tag_node(node_id{n}, tags[n % 2]);
      return result;
    }
  };
  const auto result = split_cycles<alternating>{}.partition(b.finish());
  CHECK(result.value.partition_tags.size() == nodes);
}
