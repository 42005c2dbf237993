// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A worked backend: an accelerator for convolutions, all of it but the silicon. Copy it to begin a backend of your own.
//
// npu_isa.hpp        the instruction set, and how a blob holds it
// npu_translate.hpp  the table: one node to one instruction, or the reason why not
// npu_compiler.hpp   a part to a blob: memory, instructions, multipliers, debug handles; in the C++ compiler
// npu_machine.hpp    runs a blob; in the firmware
// npu.hpp            what Baton sees of it: the backend and its partitioner
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

/// The backend. Weights and biases are not tagged: they stay with the owner of the program and reach each call as arguments, where they
/// lie. The blob has what the npu must know beside them: 124 bytes an instruction, 5 a multiplier.
struct npu {
  static constexpr auto id = baton::name<"npu">;

  /// Errors: `refused_part`, where a part holds what `npu_support` does not support, more than `max_instructions` nodes, or data of its
  /// own.
  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&)
      -> baton::result<baton::preprocess_result> {
    return part_compiler(part).run();
  }

  /// A blob of another version, or a damaged one, stops the program: what the compiler of this build made cannot be either.
  static void execute(const baton::delegate_call& call) {
    const machine on{call};
    if (!on.is_ready()) __builtin_trap();
    on.run();
  }
};
static_assert(baton::backend<npu> && baton::executable_backend<npu>);

/// The partitioner: gives the npu int8 convolutions and what follows them, in parts that fit its command memory and begin with a
/// convolution.
struct npu_partitioner {
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    auto tagged = baton::by_support<npu, npu_support, baton::partition_options{.max_nodes = max_instructions}>::partition(program);
    drop_what_comes_before(tagged, program);
    return tagged;
  }

  static constexpr auto explain_undelegated(const baton::program_view& tagged) {
    return [tagged](baton::node_id id) {
      auto answer = npu_support::supports(tagged, tagged[id]);
      if (!answer) return std::move(answer.reason);
      return baton::join("it follows no convolution of its part, and the npu begins with one");
    };
  }

 private:
  /// Takes the tag from nodes that follow no convolution of their part. A dropped node reads nothing of what is left of its part, so no
  /// cycle can arise.
  static constexpr void drop_what_comes_before(baton::partition_result& tagged, const baton::program_view& program) {
    baton::vector<baton::tag_id> follows(program.values.size(), baton::none<baton::tag_id>);  // by value: the part that makes it
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
