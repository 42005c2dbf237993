// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The demo backend with zeros as named data, and its partitioner (R275).
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace conformance {

/// BackendWithNamedDataMap: no processed bytes. For each known operator, the named data has the name of the operator and as many zeros as
/// its position in the list.
struct backend_with_named_data_map {
  static constexpr auto id = baton::name<"BackendWithNamedDataMap">;
  static constexpr std::string_view operators[] = {"aten.sin.default", "aten.add.Tensor", "aten.sub.Tensor", "aten.mul.Tensor",
                                                   "aten.div.Tensor"};

  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&)
      -> baton::result<baton::preprocess_result> {
    baton::preprocess_result result;
    constexpr char zeros[4] = {};
    for (const auto& node : part.nodes_of(part.root())) {
      for (std::size_t count = 0; count < std::size(operators); ++count) {
        if (part.text(node.target) != operators[count]) continue;
        if (auto why = result.named_data.add(operators[count], std::string_view{zeros, count})) return why;
      }
    }
    return result;
  }
};

/// The partitioner of the backend. The numbers of the parts of a graph begin with the number of parts of the enclosing graph, or of the
/// previous branch. So tags of different branches may have the same name, which is permitted.
struct named_data_partitioner {
  using support = baton::operator_names<"aten.sin.default", "aten.add.Tensor", "aten.sub.Tensor", "aten.mul.Tensor", "aten.div.Tensor">;

  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    baton::partition_result tagged(program);
    tag_graph(tagged, program, baton::graph_id{0}, 0);
    return tagged;
  }

 private:
  static constexpr auto tag_graph(baton::partition_result& tagged, const baton::program_view& program, baton::graph_id id,
                                  std::uint32_t start) -> std::uint32_t {
    const auto run = program[id].nodes;
    // Ids are unique in the whole program.
    std::uint32_t before = 0;
    for (std::uint32_t n = 0; n < run.first; ++n) before += support::supports(program, program.nodes[n]).accepted ? 1u : 0u;
    std::uint32_t next = 0;
    for (const auto& part : baton::parts_from_support<support>(program)) {
      if (index(part.nodes[0]) < run.first || index(part.nodes[0]) >= run.first + run.size) continue;
      const auto tag = tag_of(tagged, part.id - before + start);
      for (const auto node : part.nodes) tagged.tag_node(node, tag);
      ++next;
    }
    const auto count = next;
    for (std::uint32_t n = run.first; n < run.first + run.size; ++n) {
      for (const auto branch : program.subgraphs_of(program.nodes[n])) next = tag_graph(tagged, program, branch, next);
    }
    return count;
  }

  /// Returns the tag with this number. Branches with the same number share it.
  static constexpr auto tag_of(baton::partition_result& tagged, std::uint32_t number) -> baton::tag_id {
    return tagged.add_tag(baton::view(baton::join("tag_", number)),
                          baton::delegation_spec{baton::to_text(backend_with_named_data_map::id)});
  }
};

}  // namespace conformance
