// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The demo backends and partitioners of the delegation specification, section 2.W, as far as today's tests need them.
#pragma once

#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>
#include <baton/core/tensor.hpp>
#include <baton/lower/backend.hpp>
#include <baton/lower/delegate_mapping.hpp>
#include <baton/partition/by_support.hpp>
#include <baton/partition/operator_support.hpp>
#include <baton/partition/partitioner.hpp>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace conformance {

using baton::append;

/// BackendWithCompilerDemo (R272): a text of what it would do, operator by operator.
struct backend_with_compiler_demo {
  static constexpr auto id = baton::name<"BackendWithCompilerDemo">;

  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&)
      -> baton::result<baton::preprocess_result> {
    using supported = baton::operators<"aten.sin.default", "aten.mm.default", "aten.add.Tensor", "aten.linear.default">;
    baton::preprocess_result made;
    baton::text_buffer instructions;
    const auto nodes = part.nodes_of(part.root());
    for (const auto& node : nodes) {
      const auto op = part.text(node.target);
      if (!supported::supports(part, node)) {
        return baton::refuse_part("call_function ", op, " is not supported in backend BackendWithCompilerDemo");
      }
      const auto result = part.outputs_of(node)[0];
      append(append(append(instructions, "op:demo::"), op), ", numel:");
      append(append(instructions, baton::element_count(part.shape(result))), ", dtype:torch.");
      append(append(instructions, baton::facts(part[result].type).name), "<debug_handle>");
      append(append(instructions, std::int64_t{node.debug_handle}), "#");
      baton::debug_map_entry entry;
      entry.identifier = node.debug_handle;
      entry.handles.push_back(node.debug_handle);
      made.debug_handle_map.push_back(std::move(entry));
    }
    append(append(made.processed_bytes, static_cast<std::int64_t>(nodes.size())), "version:0#");
    append(made.processed_bytes, baton::view(instructions));
    return made;
  }
};

/// BackendWithDelegateMappingDemo (R274): fuses a convolution with the relu behind it, takes a tangent apart into three.
struct backend_with_delegate_mapping_demo {
  static constexpr auto id = baton::name<"BackendWithDelegateMappingDemo">;

  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&)
      -> baton::result<baton::preprocess_result> {
    baton::delegate_mapping_builder mapping(baton::debug_identifiers::generated);
    baton::text_buffer texts;
    const auto insert = [&](std::string_view text, const baton::debug_sources& from) -> baton::failure {
      const auto identifier = mapping.insert(from);
      append(append(append(append(texts, text), ","), identifier.value), ",");
      return identifier.error;
    };
    const auto nodes = part.nodes_of(part.root());
    for (const auto& node : nodes) {
      if (node.is("aten.relu.default")) {
        for (const auto& before : nodes) {
          if (!before.is("aten.convolution.default") || part.outputs_of(before)[0] != part.inputs(node)[0]) continue;
          const baton::node fused[] = {before, node};
          if (auto why = insert("conv_relu_op", {fused, {}})) return why;
        }
      } else if (node.is("aten.tan.default")) {
        for (const std::string_view text : {"sin_decomp_from_tan", "cos_decomp_from_tan", "div_decomp_from_tan"}) {
          if (auto why = insert(text, {{&node, 1}, {}})) return why;
        }
      }
    }
    baton::preprocess_result made;
    append(append(made.processed_bytes, static_cast<std::int64_t>(mapping.entries().size())), "#");
    append(made.processed_bytes, baton::view(texts));
    made.debug_handle_map = mapping.entries();
    return made;
  }
};

/// DemoBackend (R278): always the same blob, all handles under one identifier.
struct demo_backend {
  static constexpr auto id = baton::name<"DemoBackend">;

  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::preprocess_result {
    baton::preprocess_result made("imqnncompiled");
    baton::debug_map_entry all;
    all.identifier = 1;
    for (const auto& node : part.nodes_of(part.root())) all.handles.push_back(node.debug_handle);
    made.debug_handle_map.push_back(std::move(all));
    return made;
  }
};

/// AddMulPartitionerDemo (R280): sums and matrix products, tags `tag<id>`, one compile spec.
struct add_mul_partitioner_demo {
  static constexpr auto partition(const baton::program_view& program) -> baton::partition_result {
    using parts = baton::by_support<backend_with_compiler_demo, baton::operators<"aten.add.Tensor", "aten.mm.default">>;
    auto tagged = parts::partition(program);
    for (auto& [tag, spec] : tagged.partition_tags) spec.compile_specs.emplace_back("max_value", "\x04");
    return tagged;
  }
};

/// AllNodesPartitionerDemo (R281) for a backend of one's choice: everything is one part.
template <class Backend>
using all_nodes_partitioner = baton::by_support<Backend, baton::not_of<baton::archetypes::operator_support>>;

}  // namespace conformance
