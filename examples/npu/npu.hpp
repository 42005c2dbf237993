// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A complete example backend: an accelerator for convolutions, simulated in software. Copy it to start a custom backend.
//
// npu_isa.hpp        the instruction set, and the format of the processed bytes
// npu_translate.hpp  the table: translates one node to one instruction, or returns the reason why it is not supported
// npu_compiler.hpp   compiles a part to processed bytes (memory, instructions, multipliers, debug handles), at compile time
// npu_machine.hpp    executes processed bytes in the firmware
// npu.hpp            the interface for Baton: the backend and its partitioner
#pragma once

#include "npu_compiler.hpp"
#include "npu_isa.hpp"
#include "npu_machine.hpp"
#include "npu_translate.hpp"

#include <baton/backend/backend.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/vector.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/partitioner.hpp>
#include <baton/run/delegate.hpp>
#include <baton/run/delegate_lifecycle.hpp>

#include <cstdint>
#include <utility>

namespace npu_example {

/// The backend. Weights and biases are not tagged, so they stay in the owner's program, and each call receives them as arguments without a
/// copy. The processed bytes contain a header, 124 bytes per instruction and 5 bytes per multiplier.
struct npu {
  static constexpr auto id = baton::name<"npu">;

  /// Fails with `refused_part` if a node is not supported by `npu_support`, if the part has more than `max_instructions` nodes, or if it
  /// owns data.
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&)
      -> baton::result<baton::preprocess_result> {
    return part_compiler(part).run();
  }

  /// Traps if the processed bytes are damaged or have another version. Processed bytes of the same build are always valid.
  static void execute(const baton::delegate_call& call) {
    const machine on{call};
    if (!on.is_ready()) __builtin_trap();
    on.run();
  }
};
static_assert(baton::backend<npu> && baton::executable_backend<npu>);

/// The partitioner. Assigns int8 convolutions, and supported nodes that follow them, to the npu. Each part fits the command memory and
/// begins with a convolution.
struct npu_partitioner {
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    auto tagged = baton::by_support<npu, npu_support, baton::partition_options{.max_nodes = max_instructions}>::partition(program);
    drop_nodes_before_convolutions(tagged, program);
    return tagged;
  }

  static constexpr auto explain_undelegated(const baton::program_view& tagged) {
    return [tagged](baton::node_id id) {
      auto answer = npu_support::supports(tagged, tagged[id]);
      if (!answer) return std::move(answer.reason);
      return baton::join("it does not follow a convolution of its part, and a part for the npu must begin with one");
    };
  }

 private:
  /// Removes the tags of nodes that follow no convolution of their part. Such a node does not use values of the remaining part, so this
  /// creates no cycle.
  static constexpr void drop_nodes_before_convolutions(baton::partition_result& tagged, const baton::program_view& program) {
    baton::vector<baton::tag_id> follows(program.values.size(), baton::none<baton::tag_id>);  // for each value, the part that produces it
    baton::vector<char> is_used(tagged.tag_count(), 0);
    for (std::uint32_t n = 0; n < program.nodes.size(); ++n) {
      const auto& record = program.nodes[n];
      const auto tag = tagged.tag_of(baton::node_id{n});
      if (tag == baton::none<baton::tag_id>) continue;
      bool stays = record.is("tfl.conv_2d") || record.is("tfl.depthwise_conv_2d");
      for (const auto input : program.inputs(record)) {
        stays = stays || (input != baton::none<baton::value_id> && follows[index(input)] == tag);
      }
      if (!stays) tagged.tag_node(baton::node_id{n}, baton::none<baton::tag_id>);
      if (!stays) continue;
      is_used[index(tag)] = 1;
      for (const auto output : program.outputs_of(record)) follows[index(output)] = tag;
    }
    erase_if(tagged.partition_tags, [&](const auto& entry) { return is_used[index(entry.first)] == 0; });
  }
};
static_assert(baton::explaining_partitioner<npu_partitioner>);

}  // namespace npu_example
