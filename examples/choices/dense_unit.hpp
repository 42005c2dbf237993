// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A choice of the tools: the example backend for programs of torch.export. It supports operators as exported.
#pragma once

#include "../exported_model/dense_unit.hpp"

#include <baton/baton.hpp>

#include <string_view>

namespace choices {

/// Partitions the program of the file before the passes. The kernels compute the other nodes, which the default passes transform.
struct dense_unit {
  static constexpr std::string_view name = "dense_unit";
  template <class Program>
  static constexpr auto lower(const Program& program) {
    return baton::transform(baton::to_backend(baton::backends<exported_model::dense_unit>, program, exported_model::dense_partitioner{}),
                            baton::default_passes);
  }
  static auto verdicts(const baton::exported_program& program) -> baton::vector<baton::node_verdict> {
    return baton::value_or_raise(baton::verdicts_of(program, exported_model::dense_partitioner{}));
  }
};

}  // namespace choices
