// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The demo backend whose processed bytes are a text of its operations.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/delegate_mapping.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/partition/operator_support.hpp>

#include <cstdint>

namespace conformance {

using baton::append;

/// BackendWithCompilerDemo (R272): its processed bytes are a text of its operations, one for each operator.
struct backend_with_compiler_demo {
  static constexpr auto id = baton::name<"BackendWithCompilerDemo">;
  using supported = baton::operator_names<"aten.sin.default", "aten.mm.default", "aten.add.Tensor", "aten.linear.default",
                                          "aten.scaled_dot_product_attention.default", "aten.upsample_nearest2d.vec">;

  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&)
      -> baton::result<baton::preprocess_result> {
    baton::preprocess_result result;
    result.delegate_info = baton::join("test");
    baton::text_buffer instructions;
    // The mapping takes a node by its handle, so a node without one is refused here.
    baton::delegate_mapping_builder mapping;
    const auto nodes = part.nodes_of(part.root());
    for (const auto& node : nodes) {
      if (!supported::supports(part, node)) {
        return baton::refuse_part("call_function ", part.text(node.target), " is not supported in backend BackendWithCompilerDemo");
      }
      add_instruction(instructions, part, node);
      const auto inserted = mapping.insert(node, baton::delegate_mapping_builder::debug_identifier(std::int64_t{node.debug_handle}));
      if (!inserted) return inserted.error;
    }
    result.debug_handle_map = mapping.entries();
    append(append(result.processed_bytes, static_cast<std::int64_t>(nodes.size())), "version:0#");
    append(result.processed_bytes, baton::view(instructions));
    return result;
  }

 private:
  static constexpr void add_instruction(baton::text_buffer& to, const baton::program_view& part, const baton::node& node) {
    const auto result = part.outputs_of(node)[0];
    append(append(append(to, "op:demo::"), part.text(node.target)), ", numel:");
    append(append(to, baton::element_count(part.shape(result))), ", dtype:torch.");
    append(append(to, baton::facts(part[result].type).name), "<debug_handle>");
    append(append(to, node.debug_handle == 0 ? -1 : std::int64_t{node.debug_handle}), "#");
  }
};

}  // namespace conformance
