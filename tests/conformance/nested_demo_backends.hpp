// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Two demo backends. `preprocess` of the first one lowers its part to the second one.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/backends.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/shared/print_literal.hpp>
#include <baton/lower/to_backend.hpp>
#include <baton/operators/shared/control_flow.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>

#include <string_view>

namespace conformance {

using baton::append;

/// Backend2Demo (R284): the names of its operators.
struct backend_2_demo {
  static constexpr auto id = baton::name<"Backend2Demo">;

  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::preprocess_result {
    baton::preprocess_result result("Backend2::");
    for (const auto& node : part.nodes_of(part.root())) append(append(result.processed_bytes, part.text(node.target)), ";");
    return result;
  }
};

/// Tags regions of operators for a backend, `<prefix><number>`, also in branches.
template <class Backend, baton::fixed_string Prefix, class Support>
struct numbered_partitioner {
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    baton::partition_result tagged{program};
    std::size_t number = 0;
    for (const auto& part : baton::parts_from_support<Support>(program)) {
      const auto name = baton::join(std::string_view{Prefix}, number++);
      const auto tag = tagged.add_tag(baton::view(name), baton::delegation_spec{baton::to_text(Backend::id)});
      for (const auto id : part.nodes) tagged.tag_node(id, tag);
    }
    return tagged;
  }
};
using backend_2_partitioner =
    numbered_partitioner<backend_2_demo, "backend2_tag", baton::operator_names<"aten.add.Tensor", "aten.mm.default">>;

/// Backend1Demo (R284): lowers its part to Backend2Demo, and stores the result as its processed bytes.
struct backend_1_demo {
  static constexpr auto id = baton::name<"Backend1Demo">;

  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&)
      -> baton::result<baton::preprocess_result> {
    const auto lowered = baton::try_to_backend(baton::backends<backend_2_demo>, part, backend_2_partitioner{}, baton::validation::on);
    if (!lowered) return lowered.error;
    baton::preprocess_result result("Backend1::(");
    write(result.processed_bytes, lowered.value, baton::graph_id{0});
    append(result.processed_bytes, ")");
    return result;
  }

 private:
  static constexpr void write(baton::text_buffer& to, const baton::program_view& program, baton::graph_id of) {
    for (const auto& node : program.nodes_of(program[of])) {
      if (node.delegate != baton::none<baton::delegate_id>) {
        append(to, "call_delegate(b");
        append(baton::append_quoted(to, program.text(program[node.delegate].processed_bytes)), ");");
      } else if (baton::control_flow_of(program, node) == baton::control_flow::cond) {
        append(to, "cond(");
        for (const auto branch : program.subgraphs_of(node)) {
          if (branch != program.subgraphs_of(node)[0]) append(to, ",");
          write(to, program, branch);
        }
        append(to, ");");
      } else {
        append(append(to, program.text(node.target)), ";");
      }
    }
  }
};
using backend_1_partitioner =
    numbered_partitioner<backend_1_demo, "backend1_tag", baton::operator_names<"aten.add.Tensor", "aten.mm.default", "cond">>;

}  // namespace conformance
