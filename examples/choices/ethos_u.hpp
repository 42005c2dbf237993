// SPDX-FileCopyrightText: The Baton authors
// SPDX-License-Identifier: Apache-2.0
// A choice of the tools: operators that Vela has compiled for an Ethos-U55 with 128 multiply-adds per cycle.
// not-run-here: it needs the accelerator, and a driver (docs/ethos_u.md)
#pragma once

#include <baton/backends/ethos_u/backend.hpp>
#include <baton/backends/ethos_u/partitioner.hpp>
#include <baton/baton.hpp>

#include <string_view>

namespace choices {

/// Uses the partitioner of the backend, after `legalize`, which changes only models of ONNX and of ExecuTorch. The other default passes do
/// not run, because `arena_offsets` of an operator refers to the tensors of the file.
struct ethos_u {
  static constexpr std::string_view name = "ethos_u";
  static constexpr auto board = baton::ethos_u::u55_128;
  static constexpr auto target = baton::backends<baton::ethos_u::backend<board>>;
  template <class Program>
  static constexpr auto lower(const Program& program) {
    return baton::to_backend(target, baton::transform(program, baton::passes<baton::legalize>), baton::ethos_u::partitioner<board>{});
  }
  static auto verdicts(const baton::exported_program& program) -> baton::vector<baton::node_verdict> {
    return baton::value_or_raise(baton::verdicts_of(program, baton::ethos_u::partitioner<board>{}));
  }
};

}  // namespace choices
