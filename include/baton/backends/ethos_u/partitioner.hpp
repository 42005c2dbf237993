// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// Partitioning of models that Vela has compiled.
#pragma once

#include <baton/backends/ethos_u/accelerator.hpp>
#include <baton/backends/ethos_u/backend.hpp>
#include <baton/backends/ethos_u/detail/operation.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/core/verdict.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partition_result.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/partition/shared/visible_graphs.hpp>

#include <cstdint>
#include <utility>

namespace baton::ethos_u {

/// An operator support of Vela's custom operators. Supports an operator if its commands are for `Accelerator` and access only the
/// operator's memory.
template <accelerator Accelerator>
struct support {
  static constexpr auto supports(const program_view& program, const node& record) -> verdict {
    auto read = detail::read_operation(program, record, Accelerator);
    if (read) return accept();
    return {false, std::move(read.error.reason)};
  }
};
static_assert(operator_support<support<u55_128>>);

/// A partitioner that assigns each custom operator of Vela to the accelerator. Each operator forms a separate part, which includes the
/// commands and weights of the operator. The tags are `tag0`, `tag1` and so on. An operator for another accelerator is also assigned,
/// because no kernel can compute it. Lowering of such an operator fails with `refused_part` and the reason. Kernels compute all
/// nodes that are not custom operators of Vela. Example:
/// `baton::to_backend(target, model, baton::ethos_u::partitioner<baton::ethos_u::u55_128>{})`.
template <accelerator Accelerator>
struct partitioner {
  using backend = ethos_u::backend<Accelerator>;

  static constexpr auto partition(const program_view& program) -> partition_result {
    partition_result tagged{program};
    std::int64_t parts = 0;
    for (const auto id : visible_nodes(program)) {
      if (!detail::is_operation(program[id])) continue;
      const auto tag = tagged.add_tag(view(join("tag", parts++)), delegation_spec{to_text(backend::id)});
      tagged.tag_node(id, tag);
      const auto operands = program.inputs(program[id]);
      for (const auto each : {detail::operand::commands, detail::operand::weights}) {
        if (each >= operands.size() || operands[each] == none<value_id> || !is_owned_data(program[operands[each]].kind)) continue;
        if (tagged.tag_of(operands[each]) == none<tag_id>) tagged.tag_value(operands[each], tag);
      }
    }
    return tagged;
  }

  /// Returns a callable that explains why a node is not delegated.
  static constexpr auto explain_undelegated(const program_view& tagged) {
    return [tagged](node_id id) -> text_buffer { return support<Accelerator>::supports(tagged, tagged[id]).reason; };
  }
};
static_assert(explaining_partitioner<partitioner<u55_128>>);

}  // namespace baton::ethos_u
