// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Random programs with random lists of partitioners: one call equals several calls in a row, each node is claimed once, and the part of an
// earlier partitioner is one node to later ones. BATON_PROPERTY_SEEDS is the number of programs, 6000 by default.
#include <baton/backend/lowered_module.hpp>
#include <baton/core/compare.hpp>
#include <baton/core/error.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/lower/partitioners.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/partition/by_support.hpp>

#include "properties/environment.hpp"
#include "properties/properties.hpp"
#include "properties/random.hpp"
#include "properties/random_program.hpp"
#include "properties/random_tags.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace baton;
using properties::random_partitioner;

/// Returns for each node whether an earlier delegate contains it, at any depth.
auto nodes_in_delegates(const program_view& program) -> baton::vector<char> {
  baton::vector<graph_id> open;
  for (const auto& module : program.delegates) open.push_back(module.original);
  baton::vector<char> is_hidden(program.nodes.size(), 0);
  while (!open.empty()) {
    const auto nodes = program[open.back()].nodes;
    open.pop_back();
    for (auto n = nodes.first; n < nodes.first + nodes.size; ++n) {
      is_hidden[n] = 1;
      for (const auto branch : program.subgraphs_of(program.nodes[n])) open.push_back(branch);
    }
  }
  return is_hidden;
}

/// Supports some nodes, and counts the queries for nodes in earlier delegates.
struct spy {
  static inline baton::vector<char> is_hidden;
  static inline std::uint64_t queries = 0;
  static inline std::uint64_t hidden_queries = 0;
  static auto supports(const program_view& program, const node& candidate) -> verdict {
    ++queries;
    hidden_queries += is_hidden[static_cast<std::size_t>(&candidate - program.nodes.data())] != 0 ? 1 : 0;
    return candidate.debug_handle % 3 != 0 ? accept() : refuse();
  }
};
struct spying_partitioner {
  static auto partition(const program_view& program) -> partition_result {
    spy::is_hidden = nodes_in_delegates(program);
    return by_support<properties::listing_backend<"Second">, spy>::partition(program);
  }
};

/// Returns the nodes of a graph and of its branches in order, as text.
auto contents(const program_view& program, graph_id id) -> std::string {
  std::string text;
  for (const auto& record : program.nodes_of(program[id])) {
    text += std::string(program.text(record.name)) + "=" + std::string(program.text(record.target)) + ";";
    for (const auto branch : program.subgraphs_of(record)) text += "{" + contents(program, branch) + "}";
  }
  return text;
}
/// Returns a text for each delegate with its processed bytes and nodes, sorted.
auto delegates_as_text(const program_view& program) -> std::vector<std::string> {
  std::vector<std::string> texts;
  for (const auto& module : program.delegates) {
    texts.push_back(std::string(program.text(module.processed_bytes)) + ":" + contents(program, module.original));
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

/// A partitioner without its tags on nodes in earlier delegates.
template <class Partitioner>
struct without_hidden_nodes {
  Partitioner partitioner;
  auto partition(const exported_program& program) const -> partition_result {
    auto tagged = partitioner.partition(program);
    const auto is_hidden = nodes_in_delegates(program);
    for (std::uint32_t n = 0; n < is_hidden.size(); ++n) {
      if (is_hidden[n] != 0) tagged.tag_node(static_cast<node_id>(n), none<tag_id>);
    }
    return tagged;
  }
};

auto is_equal(const exported_program& a, const exported_program& b) -> bool { return same(a, b) && a.bytes == b.bytes; }

struct outcome {
  std::string_view wrong;  ///< empty if there is no error
  bool was_lowered = false;
  std::size_t delegates = 0;
};

/// Lowers with all partitioners in one call and in one call each, and compares the results.
template <class... Partitioners>
auto compare(const exported_program& program, const Partitioners&... each) -> outcome {
  const auto combined = baton::try_to_backend(properties::target, program, in_order(each...), validation::on);
  result<exported_program> sequential = program;
  std::vector<std::string> earlier;
  std::string_view wrong;
  std::size_t position = 0;
  [[maybe_unused]] const auto lower_next = [&]<class Each>(const Each& partitioner) {
    if (!sequential) return;
    ++position;
    const auto filtered =
        baton::try_to_backend(properties::target, sequential.value, without_hidden_nodes<Each>{partitioner}, validation::on);
    sequential = baton::try_to_backend(properties::target, sequential.value, partitioner, validation::on);
    if (message(sequential.error) != message(filtered.error) || !same(sequential.value, filtered.value))
      wrong = "a tag in a delegate counted";
    if (!sequential) return;
    auto now = delegates_as_text(sequential.value);
    if (!std::includes(now.begin(), now.end(), earlier.begin(), earlier.end())) wrong = "an earlier delegate was changed";
    earlier = std::move(now);
  };
  (lower_next(each), ...);
  if (!sequential) {
    auto expected = sequential.error;
    const auto at = join("partitioner ", position, " of ", sizeof...(each), expected.reason.empty() ? "" : ": ", view(expected.reason));
    expected.reason = at;
    if (combined || message(combined.error) != message(expected)) wrong = "one call is not refused as several are";
    return {wrong};
  }
  if (!combined || !is_equal(combined.value, sequential.value)) return {"one call gives another program than several"};
  if (wrong.empty()) wrong = properties::wrong_with(program, combined.value);
  return {wrong, true, combined.value.delegates.size()};
}

auto compare_random(const exported_program& program, std::uint64_t seed) -> outcome {
  const random_partitioner first{seed};
  const random_partitioner second{seed + 1000};
  const random_partitioner third{seed + 2000};
  switch (seed % 5) {
    case 0:
      return compare(program);
    case 1:
      return compare(program, first);
    case 2:
      return compare(program, first, spying_partitioner{});
    case 3:
      return compare(program, first, second, third);
    default:
      return compare(program, first, spying_partitioner{}, second, properties::empty_partitioner{});
  }
}

}  // namespace

TEST_CASE("random lists of partitioners: one call equals several, nodes are claimed once, earlier delegates are opaque") {
  const auto seeds = properties::number_from_environment("BATON_PROPERTY_SEEDS", 6000);
  std::uint64_t lowered = 0;
  std::uint64_t delegates = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto comparison = compare_random(properties::make_program(seed, {20, 3}), seed);
    lowered += comparison.was_lowered ? 1 : 0;
    delegates += comparison.delegates;
    REQUIRE_MESSAGE(comparison.wrong.empty(), "seed ", seed, ": ", std::string(comparison.wrong));
  }
  CHECK(spy::hidden_queries == 0);
  MESSAGE(seeds, " programs, ", lowered, " lowered, ", delegates, " delegates, ", spy::queries, " nodes looked at");
  CHECK(2 * lowered > seeds);
  CHECK(delegates > seeds);
  CHECK(spy::queries > seeds);
}
