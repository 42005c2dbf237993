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

/// mm and mm_1 with sub and add between them (E14).
using torn = tags::partitioner<tags::part<"hand", "Npu", "mm mm_1 w1 w2">>;
/// Two parts that need one another, and one that needs neither (E15).
using crossed = tags::partitioner<tags::part<"a", "Npu", "n0 n3">, tags::part<"b", "Dsp", "n1 n2">, tags::part<"c", "Dsp", "n4 n5">>;

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

/// The tags of all nodes, in order, a dash where there is none.
template <partitioner Partitioner>
constexpr auto tags_by(const exported_program& program, const Partitioner& by) -> text_buffer {
  const auto tagged = tag_program(program, by);
  text_buffer reported;
  if (!tagged) return message(tagged.error);
  const program_view view_of = tagged.value;
  for (const auto& record : view_of.nodes) {
    append(append(reported, reported.empty() ? "" : " "), record.tag == none<tag_id> ? "-" : view_of.text(view_of[record.tag].name));
  }
  return reported;
}
template <partitioner Partitioner>
constexpr auto has_tags(const exported_program& program, std::string_view expected) -> bool {
  const auto reported = tags_by(program, Partitioner{});
  return view(reported) == expected;
}

/// Every part is for the backend that its tag was for.
constexpr auto keeps_backends() -> bool {
  const auto tagged = tag_program(six_nodes(), split_cycles<crossed>{});
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
  const auto made = split_cycles<failing>{}.partition(six_nodes());
  return !made && made.error.is<"nothing_to_partition">();
}

static_assert(has_tags<split_cycles<torn>>(conformance::g_mmadd(), "hand - - hand_1 -"));
static_assert(has_tags<split_cycles<crossed>>(six_nodes(), "a b b a_1 c c"));
static_assert(has_tags<split_cycles<tags::partitioner<tags::part<"whole", "Npu", "n0 n1 n2 n3">>>>(six_nodes(),
                                                                                                   "whole whole whole whole - -"));
// A name that somebody has is left out.
using taken = tags::partitioner<tags::part<"a", "Npu", "n0 n3">, tags::part<"a_1", "Npu", "n5">, tags::part<"b", "Dsp", "n1 n2">>;
static_assert(has_tags<split_cycles<taken>>(six_nodes(), "a b b a_2 - a_1"));
static_assert(keeps_backends());
static_assert(passes_errors_on());
static_assert(laws::partitioner::all(conformance::g_mmadd(), split_cycles<torn>{}));

struct npu {
  static constexpr auto id = name<"Npu">;
  static constexpr auto preprocess(const exported_program& part, const compile_specs&) -> preprocess_result {
    preprocess_result made;
    for (const auto& record : part.nodes) append(append(made.processed_bytes, part.text(record.target)), ";");
    return made;
  }
};
constexpr auto model = static_program{conformance::make<conformance::g_mmadd>{}};
constexpr auto lowered = to_backend(backends<npu>, model, split_cycles<torn>{});
static_assert(delegates(lowered).size() == 2);

}  // namespace

TEST_CASE("split_cycles: a tag that reaches back to itself becomes two, with their constants") {
  CHECK(has_tags<split_cycles<torn>>(conformance::g_mmadd(), "hand - - hand_1 -"));
  CHECK(message(check_parts(tag_program(conformance::g_mmadd(), torn{}).value)).size() > 0);
  CHECK(laws::partitioner::all(conformance::g_mmadd(), split_cycles<torn>{}));
  const auto at_run_time = to_backend(backends<npu>, conformance::g_mmadd(), split_cycles<torn>{});
  CHECK(delegates(at_run_time).size() == 2);
}

TEST_CASE("split_cycles: of two parts that need one another one is split; one that lies on no cycle stays") {
  CHECK(has_tags<split_cycles<crossed>>(six_nodes(), "a b b a_1 c c"));
  CHECK(has_tags<split_cycles<taken>>(six_nodes(), "a b b a_2 - a_1"));
  CHECK(keeps_backends());
}

TEST_CASE("split_cycles: nothing changes where there is no cycle, and errors are passed on") {
  CHECK(has_tags<split_cycles<tags::partitioner<tags::part<"whole", "Npu", "n0 n1 n2 n3">>>>(six_nodes(), "whole whole whole whole - -"));
  CHECK(passes_errors_on());
}

TEST_CASE("split_cycles: a hundred thousand nodes that take turns in two tags, in an instant") {
  constexpr std::uint32_t nodes = 100000;
  constexpr auto type = tensor(dtype::float32, 4);
  program_builder b;
  auto last = b.user_input("x", type);
  for (std::uint32_t n = 0; n < nodes; ++n) last = b.call(view(join("n", n)), "aten.relu.default", {last}, type);
  b.output(last);
  struct turns {
    static auto partition(const program_view& program) -> partition_result {
      partition_result made(program);
      const tag_id tags[] = {made.add_tag("even", delegation_spec("Npu")), made.add_tag("odd", delegation_spec("Dsp"))};
      for (std::uint32_t n = 0; n < program.nodes.size(); ++n) made.tag_node(node_id{n}, tags[n % 2]);
      return made;
    }
  };
  const auto made = split_cycles<turns>{}.partition(b.finish());
  CHECK(made.value.partition_tags.size() == nodes);
}
