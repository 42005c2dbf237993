// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A buffer that is read and written, in every graph of up to 4 nodes with every choice of readers, writer and supported nodes. A part owns
// the buffer only if nothing outside observes it, and lowering does not change the contents of the buffer. BATON_PROPERTY_NODES is the
// maximum number of nodes, 4 by default.
#include <baton/core/program.hpp>
#include <baton/core/span.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/shared/rules.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/constant_tagging.hpp>

#include "properties/environment.hpp"
#include "properties/properties.hpp"
#include "properties/small_graphs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace baton;
using namespace properties;

using npu = listing_backend<"First">;

/// Parts of the supported nodes. A part also owns the buffer if one of its nodes reads it.
struct owns_the_buffer {
  static auto partition(const program_view& program) -> partition_result {
    auto tagged = by_support<npu, operator_names<"aten.s">>::partition(program);
    static_cast<void>(tag_mutated_buffer(tagged, program));
    return tagged;
  }
};

/// Evaluates a program in which every node is a different function: a value is a number that identifies its computation. A graph reads its
/// buffer when it is called and writes it when it is done, as a delegate does.
class evaluator {
 public:
  explicit evaluator(const program_view& program) : program_(program), values_(program.values.size(), 0) {}

  auto run(graph_id id, baton::span<const std::uint64_t> arguments) -> baton::vector<std::uint64_t> {
    std::size_t next = 0;
    for (const auto input : program_.inputs(program_[id])) {
      const bool is_owned = is_owned_data(program_[input].kind);
      values_[index(input)] = is_owned ? buffer : arguments[next++];
    }
    for (const auto& record : program_.nodes_of(program_[id])) run_node(record);
    baton::vector<std::uint64_t> results;
    for (const auto& spec : program_.outputs_of(program_[id])) {
      if (spec.kind == output_kind::user_output) results.push_back(values_[index(spec.value)]);
    }
    for (const auto& spec : program_.outputs_of(program_[id])) {
      if (spec.kind == output_kind::buffer_mutation) buffer = values_[index(spec.value)];
    }
    return results;
  }

  std::uint64_t buffer = 1;

 private:
  void run_node(const node& record) {
    baton::vector<std::uint64_t> operands;
    for (const auto input : program_.inputs(record)) operands.push_back(values_[index(input)]);
    const auto outputs = program_.outputs_of(record);
    if (record.delegate != none<delegate_id>) {
      const auto results = run(program_[record.delegate].original, operands);
      for (std::size_t o = 0; o < outputs.size(); ++o) values_[index(outputs[o])] = results[o];
      return;
    }
    auto number = hash_of(program_.text(record.name));
    for (const auto operand : operands) number = (number ^ operand) * 0x9E3779B97F4A7C15u + (number >> 29);
    for (std::size_t o = 0; o < outputs.size(); ++o) values_[index(outputs[o])] = number + o;
  }

  program_view program_;
  baton::vector<std::uint64_t> values_;
};

/// Returns the outputs of two runs, and the final contents of the buffer.
auto two_runs(const program_view& program) -> baton::vector<std::uint64_t> {
  evaluator of(program);
  auto all = of.run(graph_id{0}, baton::vector<std::uint64_t>{7});
  const auto second = of.run(graph_id{0}, baton::vector<std::uint64_t>{11});
  all.insert(all.end(), second.begin(), second.end());
  all.push_back(of.buffer);
  return all;
}

/// Returns the rule that must reject the tags: the readers are not all in one part, the part does not write the buffer, or the written
/// value is also used outside.
auto expected_refusal(const program_view& tagged, const small_program_form& form, bool is_returned) -> std::string_view {
  const auto tag_of = [&](std::size_t n) { return tagged.nodes[n].tag; };
  auto owner = none<tag_id>;
  for (std::size_t n = 0; n < tagged.nodes.size(); ++n) {
    if (has(form.readers, n) && tag_of(n) != none<tag_id>) owner = tag_of(n);
  }
  if (owner == none<tag_id>) return {};
  for (std::size_t n = 0; n < tagged.nodes.size(); ++n) {
    if (has(form.readers, n) && tag_of(n) != owner) return "shared_mutable_buffer";
  }
  if (tag_of(form.writer) != owner) return "foreign_mutation";
  return is_returned ? "shared_mutation" : "";
}

struct counts {
  std::uint64_t tried = 0;
  std::uint64_t rejected = 0;
  std::uint64_t owned = 0;  ///< lowered with the buffer in a delegate
};

auto wrong_with_lowering(const small_graph& graph, const small_program_form& form, const exported_program& program, counts& count)
    -> std::string_view {
  const auto tagged = tag_program(program, owns_the_buffer{});
  if (units_on_cycles(graph, grouping_of(tagged.value)) != 0) return "parts form a cycle";
  const auto lowered = baton::try_to_backend(target, program, owns_the_buffer{}, validation::on);
  const auto refusal = expected_refusal(tagged.value, form, has(form.returned, form.writer));
  ++count.tried;
  count.rejected += lowered ? 0 : 1;
  if (lowered.error.rule_name != refusal) return "it is refused, or lowered, where it should not";
  if (!lowered) return {};
  const program_view after = lowered.value;
  const auto inputs = after.inputs(after.root());
  const bool stays = std::any_of(inputs.begin(), inputs.end(), [&](value_id id) { return after[id].kind == value_kind::mutable_buffer; });
  count.owned += stays ? 0 : 1;
  if (two_runs(program) != two_runs(after)) return "it computes something else";
  return {};
}

}  // namespace

TEST_CASE("a mutated buffer in every graph of up to 4 nodes: no cycle and equal results in two runs, or an error about the conflict") {
  counts count;
  for (std::size_t nodes = 1; nodes <= max_nodes(4); ++nodes) {
    for (std::uint64_t number = 0; number < count_of_graphs(nodes); ++number) {
      const auto graph = graph_of(nodes, number);
      for (std::uint32_t choice = 0; choice < (2 * nodes) << nodes; ++choice) {
        const auto writer = choice / 2 % nodes;
        const small_program_form form{
            .returned = choice % 2 << writer, .readers = static_cast<small_set>(choice / (2 * nodes)), .writer = writer};
        auto program = program_of(graph, form);
        for (small_set set = 0; set < small_set{1} << nodes; ++set) {
          for (std::size_t n = 0; n < nodes; ++n) program.nodes[n].op = hash_of(has(set, n) ? "aten.s" : "aten.u");
          const auto wrong = wrong_with_lowering(graph, form, program, count);
          REQUIRE_MESSAGE(wrong.empty(), std::string(wrong), ": nodes ", nodes, ", graph ", number, ", choice ", choice, ", set ", set);
        }
      }
    }
  }
  MESSAGE(count.tried, " programs, ", count.rejected, " refused, ", count.owned, " with the buffer in a delegate");
  CHECK(count.rejected > 0);
  CHECK(count.owned > 0);
}
