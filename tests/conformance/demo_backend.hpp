// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// The demo backend that computes the same processed bytes for every part.
#pragma once

#include <baton/backend/backend.hpp>
#include <baton/core/error.hpp>
#include <baton/core/name.hpp>
#include <baton/core/program.hpp>

#include <utility>

namespace conformance {

/// DemoBackend (R278): constant processed bytes, and all handles with one identifier.
struct demo_backend {
  static constexpr auto id = baton::name<"DemoBackend">;

  static constexpr auto preprocess(const baton::exported_program& part, const baton::compile_specs&) -> baton::preprocess_result {
    baton::preprocess_result result("imqnncompiled");
    baton::debug_map_entry all;
    all.identifier = 1;
    for (const auto& node : part.nodes_of(part.root())) all.handles.push_back(node.debug_handle);
    result.debug_handle_map.push_back(std::move(all));
    return result;
  }
};

}  // namespace conformance
