// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The demo backend that fuses and decomposes operators, as its debug handle map states.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/backend/delegate_mapping.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>

#include <cstdint>
#include <string_view>

namespace conformance {

using baton::append;

/// BackendWithDelegateMappingDemo (R274): fuses a convolution with the relu after it, and splits a tangent into three.
struct backend_with_delegate_mapping_demo {
  static constexpr auto id = baton::name<"BackendWithDelegateMappingDemo">;

  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&)
      -> baton::result<baton::preprocess_result> {
    baton::delegate_mapping_builder mapping(baton::delegate_mapping_builder::identifiers::generated);
    baton::text_buffer texts;
    const auto note = [&](std::string_view text, const baton::result<std::int64_t>& identifier) -> baton::failure {
      append(append(append(append(texts, text), ","), identifier.value), ",");
      return identifier.error;
    };
    const auto nodes = part.nodes_of(part.root());
    for (const auto& node : nodes) {
      if (node.is("aten.relu.default")) {
        for (const auto& before : nodes) {
          if (!before.is("aten.convolution.default") || part.outputs_of(before)[0] != part.inputs(node)[0]) continue;
          if (auto why = note("conv_relu_op", mapping.insert({before, node}))) return why;
        }
      } else if (node.is("aten.tan.default")) {
        for (const std::string_view text : {"sin_decomp_from_tan", "cos_decomp_from_tan", "div_decomp_from_tan"}) {
          if (auto why = note(text, mapping.insert(node))) return why;
        }
      }
    }
    baton::preprocess_result result;
    append(append(result.processed_bytes, static_cast<std::int64_t>(mapping.entries().size())), "#");
    append(result.processed_bytes, baton::view(texts));
    result.debug_handle_map = mapping.entries();
    return result;
  }
};

}  // namespace conformance
